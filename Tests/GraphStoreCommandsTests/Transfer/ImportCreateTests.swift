import Foundation
import Testing

@Suite("import --create")
struct ImportCreateTests {
  private let tool: CommandLineTool
  private let model = Repository.root.appendingPathComponent("Models/company.json").path

  init() throws {
    tool = try CommandLineTool()
    try tool.write("name,badge\nZ,1\n", to: "good.csv")
    try tool.write("name,badge\nZ,abc\n", to: "bad.csv")
    try tool.write("nme,badge\nZ,1\n", to: "header.csv")
    try tool.write("name,badge\nZ,1\nY,abc\n", to: "half.csv")
    try tool.write("{\"entities\":[{}]}", to: "broken.json")
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).filter { $0.hasPrefix("new.db") }
      .sorted()
  }

  /// Exit codes, and the words that lead to them.
  private static let failures: [(Int32, [String])] = [
    (0, ["good.csv", "--dry-run"]), (65, ["bad.csv", "--dry-run"]), (65, ["bad.csv"]), (66, ["none.csv"]),
    (65, ["header.csv"]), (77, ["good.csv", "--read-only"]), (77, ["good.csv", "--read-only", "-n"]),
    (64, ["good.csv", "--key", "nothing", "--on-conflict", "update"]), (65, ["good.csv", "half.csv"]),
    (65, ["good.csv", "-m", "broken.json"]),
  ]

  @Test(
    "What fails, and a dry run, leaves no store and no file of one",
    arguments: Self.failures)
  func nothing(code: Int32, words: [String]) throws {
    let outcome = try tool.run(
      CommandLineTool.executable.path,
      ["import", "Employee"] + words + ["-s", "new.db", "--create"]
        + (words.contains("-m") ? [] : ["-m", model]),
      input: nil)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(try files() == [])
    #expect(try tool.run("init", "new.db", "-m", model).code == 0)
  }

  @Test("What succeeds leaves the store; a second import finds it, also one that fails")
  func made() throws {
    let outcome = try tool.run("import", "Employee", "good.csv", "-s", "new.db", "--create", "-m", model)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try tool.run("import", "Employee", "bad.csv", "-s", "new.db", "--create", "-m", model).code == 65)
    #expect(try tool.run("count", "Employee", "-s", "new.db").output == "1\n")
  }

  @Test("Where every record is rejected no store is left, and where one is imported it stays")
  func rejects() throws {
    let words = ["-s", "new.db", "--create", "-m", model, "--on-error", "skip"]
    for commit in ["all", "batch", "line"] {
      let outcome = try tool.run(
        CommandLineTool.executable.path, ["import", "Employee", "bad.csv", "--commit", commit] + words,
        input: nil)
      #expect(outcome.code == 5, "\(outcome.errors)")
      #expect(try files() == [], "\(commit)")
    }
    let outcome = try tool.run(
      CommandLineTool.executable.path, ["import", "Employee", "half.csv"] + words, input: nil)
    #expect(outcome.code == 5, "\(outcome.errors)")
    #expect(try tool.run("count", "Employee", "-s", "new.db").output == "1\n")
  }

  /// An import from a pipe that makes the store, and has read something of it.
  private func running(_ options: String...) throws -> RunningTool {
    let running = try RunningTool(
      tool,
      ["import", "Employee", "-", "--from", "ndjson", "-s", "new.db", "--create", "-m", model] + options)
    try running.feed((0..<800).map { "{\"name\":\"p\($0)\"}\n" }.joined())
    return running
  }

  @Test("A signal before anything is saved leaves no store", arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) throws {
    let running = try running()
    #expect(try !files().isEmpty)
    running.send(signal)
    #expect(running.exitCode() == 128 + signal)
    #expect(try files() == [])
  }

  @Test("A signal after a batch is saved leaves the store with it")
  func interruptedLater() throws {
    let running = try running("--commit", "batch", "--batch-size", "10")
    while try tool.run("count", "Employee", "-s", "new.db").output == "0\n" {
      try running.feed((0..<800).map { "{\"name\":\"q\($0)\"}\n" }.joined())
    }
    running.send(SIGTERM)
    #expect(running.exitCode() == 143)
    let count = try #require(Int(try tool.run("count", "Employee", "-s", "new.db").output.dropLast()))
    #expect(count > 0 && count % 10 == 0)
  }

  @Test("What was committed before a failure stays, with the store")
  func batches() throws {
    let outcome = try tool.run(
      "import", "Employee", "half.csv", "-s", "new.db", "--create", "-m", model, "--commit", "line")
    #expect(outcome.code == 65)
    #expect(try tool.run("count", "Employee", "-s", "new.db").output == "1\n")
  }

  @Test("An empty input makes an empty store", arguments: ["all", "batch"])
  func empty(commit: String) throws {
    try tool.write("", to: "empty.ndjson")
    let outcome = try tool.run(
      "import", "Employee", "empty.ndjson", "-s", "new.db", "--create", "-m", model, "--commit", commit)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try tool.run("count", "Employee", "-s", "new.db").output == "0\n")
  }
}
