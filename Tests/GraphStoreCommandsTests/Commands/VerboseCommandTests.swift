import Foundation
import Testing

@Suite("--verbose")
struct VerboseCommandTests {
  private let tool: CommandLineTool

  /// Twelve departments with an employee each, besides those of the company.
  init() throws {
    tool = try CommandLineTool.staffedCompany()
    let lines = (1...12).flatMap { number in
      [
        "insert Department name=D\(number)",
        "insert Employee name=E\(number) badge=\(100 + number) department=Department/p\(number + 2)",
      ]
    }
    let made = try tool.run("run", "-", input: lines.joined(separator: "\n"))
    try #require(made.code == 0, "\(made.errors)")
  }

  private static let query = ["fetch", "Department", "--fields", "name,employees.name"]

  private func run(_ words: [String]) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, words, input: nil)
  }

  @Test("DGN-223: what a command has read one by one is named, and is gone with --prefetch")
  func prefetch() throws {
    let plain = try run(Self.query)
    #expect(plain.errors.isEmpty)
    for option in ["--verbose", "-v"] {
      let outcome = try run(Self.query + [option])
      #expect(outcome.output == plain.output && outcome.code == 0)
      #expect(
        outcome.errors.contains("hint: prefetch \"employees\" (14 faults)\n"), "\(outcome.errors)")
    }
    let prefetched = try run(Self.query + ["-v", "--prefetch", "employees"])
    #expect(
      prefetched.output == plain.output && !prefetched.errors.contains("hint:"),
      "\(prefetched.errors)")
    let few = try run(Self.query + ["-v", "--limit", "9"])
    #expect(!few.errors.contains("hint:"), "\(few.errors)")
    let json = try run(Self.query + ["-v", "--error-format", "json"])
    #expect(
      json.errors.contains("{\"hint\":\"prefetch \\\"employees\\\" (14 faults)\"}\n"),
      "\(json.errors)")
    #expect(try !run(Self.query + ["-v", "-q"]).errors.contains("hint:"))
  }

  @Test(
    "DGN-054, DGN-056: the counters are told at the end, and traced lines have their place in the script"
  )
  func places() throws {
    let counted = try run(["count", "Employee", "-v"])
    #expect(counted.errors.hasPrefix("GraphStore: trace: total fetches=1 "), "\(counted.errors)")
    try tool.write("count Employee\n\ncount Department\n", to: "s.gs")
    let script = try run(["run", "s.gs", "-v", "--trace", "fetches"])
    let lines = script.errors.split(separator: "\n").filter { $0.contains(" at=") }
    #expect(lines.allSatisfy { $0.contains("trace: fetch") })
    #expect(
      lines.map { $0.split(separator: " ").last } == ["at=s.gs:1", "at=s.gs:3"], "\(script.errors)")
    #expect(try !run(["run", "s.gs", "--trace", "fetches"]).errors.contains("at=s.gs"))
  }

  @Test("DGN-224: what many saves took of the time is told, with the page on it")
  func saves() throws {
    let lines = (1...40).map { "insert Project title=P\($0)" }.joined(separator: "\n")
    let single = try tool.run("run", "-", "--no-transaction", "-v", input: lines)
    #expect(single.code == 0, "\(single.errors)")
    let hint = /hint: 40 saves took [0-9.]+ of [0-9.]+ ms: make them one, see graphstore help store-speed/
    #expect(single.errors.contains(hint), "\(single.errors)")
    let joined = try tool.run("run", "-", "-v", input: lines.replacing("title=P", with: "title=R"))
    #expect(joined.code == 0 && !joined.errors.contains("hint:"), "\(joined.errors)")
    #expect(try !tool.run("insert", "Project", "title=Q", "-v").errors.contains("hint:"))
  }

  @Test(
    "A command whose work nobody tells of refuses it",
    arguments: [["check"], ["stats"], ["backup", "x.db"]])
  func idle(_ words: [String]) throws {
    for option in ["--verbose", "-v"] {
      let outcome = try run(words + [option])
      #expect(
        outcome.code == 64 && outcome.errors.contains("--verbose is of no use here"),
        "\(outcome.errors)")
    }
  }
}
