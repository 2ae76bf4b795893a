import Foundation
import Testing

/// Commands that are ended from outside while they write.
struct KilledProcessTests {
  private static let count = 4000
  private static let moments = 8

  /// People each of whom has the next one as manager, so that links are joined at the end.
  private static let people: String = (1...count).map {
    "{\"id\":\"e\($0)\",\"name\":\"p\($0)\",\"badge\":\($0),\"salary\":1,\"manager\":\"e\($0 % count + 1)\"}\n"
  }.joined()
  private static let plainPeople = (1...count).map { "{\"name\":\"p\($0)\",\"badge\":\($0),\"salary\":1}\n" }
    .joined()

  @Test("STO-194: what a save has told is there though the process is killed at once")
  func killedAfterSaves() throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try tool.runShell(
      """
      mkfifo pipe; graphstore run --no-transaction - < pipe > out & pid=$!; exec 3> pipe
      for number in 1 2 3 4 5; do echo "insert Department name=d$number" >&3; done
      while [ "$(grep -c Department/p out)" -lt 5 ]; do sleep 0.02; done; kill -9 $pid; wait $pid; exit 0
      """)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try tool.run("count", "Department", "--where", "name BEGINSWITH 'd'").output == "5\n")
    #expect(try tool.run("check").code == 0)
  }

  enum Deed: String, CaseIterable {
    case importing, inserting, updating, updatingSet

    var arguments: [String] {
      switch self {
      case .importing: ["import", "Employee", "people.ndjson", "-q"]
      case .inserting: ["insert", "Employee", "-"]
      case .updating: ["update", "Employee", "--where", "salary >= 0", "salary=5"]
      case .updatingSet: ["update", "Employee", "--where", "salary >= 0", "--batch", "salary=5"]
      }
    }

    /// What is true of the objects that the deed has made or changed.
    var mark: String { changesObjects ? "salary == 5" : "name != nil" }

    /// Whether the objects are there before.
    var changesObjects: Bool { self == .updating || self == .updatingSet }
  }

  private func made(_ tool: CommandLineTool, _ deed: Deed) throws {
    try tool.write(Self.people, to: "people.ndjson")
    try tool.write(Self.plainPeople, to: "plain.ndjson")
    guard deed.changesObjects else { return }
    let outcome = try tool.run("import", "Employee", "people.ndjson", "-q")
    try #require(outcome.code == 0, "\(outcome.errors)")
  }

  private func line(_ deed: Deed, _ store: String) -> String {
    let words = deed.arguments.map { "'\($0)'" }.joined(separator: " ")
    return "graphstore \(words) -s \(store) <plain.ndjson >/dev/null 2>&1"
  }

  @Test(
    "STO-195, STO-300, FET-209: a command killed at any moment leaves all or nothing",
    arguments: Deed.allCases, TestSeed.sequence(1, from: 20_195))
  func killed(_ deed: Deed, seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try CommandLineTool.company()
    try made(tool, deed)
    try FileManager.default.copyItem(atPath: tool.path("hr.db"), toPath: tool.path("whole.db"))
    let start = Date()
    #expect(try tool.runShell(line(deed, "whole.db")).code == 0)
    let whole = Date().timeIntervalSince(start)
    #expect(try tool.run("count", "Employee", "-w", deed.mark, "-s", "whole.db").output == "\(Self.count)\n")
    for moment in 0..<Self.moments {
      let store = "killed\(moment).db"
      try FileManager.default.copyItem(atPath: tool.path("hr.db"), toPath: tool.path(store))
      let share = (Double(moment) + Double.random(in: 0...1, using: &generator)) / Double(Self.moments)
      let delay = String(format: "%.4f", whole * share)
      _ = try tool.runShell("\(line(deed, store)) & sleep \(delay); kill -9 $! 2>/dev/null; wait $!; true")
      let context: Comment = "\(seed), killed after \(delay) of \(whole) s"
      let check = try tool.run("check", "-s", store)
      #expect(check.code == 0, "\(context): \(check.output) \(check.errors)")
      let count = try tool.run("count", "Employee", "-w", deed.mark, "-s", store)
      #expect(["0\n", "\(Self.count)\n"].contains(count.output), "\(context): \(count.errors)")
    }
    let last = "killed0.db"
    #expect(try tool.run("insert", "Department", "name=After", "-s", last).code == 0)
    #expect(try tool.run("check", "-s", last).code == 0)
  }

  @Test("CTX-444, DGN-184: an import that is interrupted ends with the signal's code and leaves nothing")
  func interrupted() throws {
    for (signal, code) in [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)] {
      let tool = try CommandLineTool.company()
      let running = try RunningTool(tool, ["import", "Employee", "-", "--from", "ndjson"])
      for part in 0..<4 {
        try running.feed((0..<800).map { "{\"name\":\"p\(part * 800 + $0)\"}\n" }.joined())
      }
      running.send(signal)
      #expect(running.exitCode() == code)
      #expect(try tool.run("count", "Employee").output == "0\n")
      #expect(try tool.run("check").code == 0)
      #expect(try tool.run("insert", "Employee", "name=After").output == "Employee/p1\n")
    }
  }

  @Test("STO-195: an import killed while its transaction is open leaves nothing")
  func killedWithin() throws {
    let tool = try CommandLineTool.company()
    let running = try RunningTool(tool, ["import", "Employee", "-", "--from", "ndjson"])
    for part in 0..<4 {
      try running.feed((0..<800).map { "{\"name\":\"p\(part * 800 + $0)\"}\n" }.joined())
    }
    running.send(SIGKILL)
    #expect(running.exitCode() == nil)
    #expect(try tool.run("check").code == 0)
    #expect(try tool.run("count", "Employee").output == "0\n")
  }

  @Test("STO-300: with --commit batch a killed import keeps whole batches")
  func killedBetweenBatches() throws {
    let tool = try CommandLineTool.company()
    let running = try RunningTool(
      tool, ["import", "Employee", "-", "--from", "ndjson", "--commit", "batch", "--batch-size", "100"])
    for part in 0..<4 {
      try running.feed((0..<330).map { "{\"name\":\"p\(part * 330 + $0)\"}\n" }.joined())
    }
    running.send(SIGKILL)
    #expect(running.exitCode() == nil)
    #expect(try tool.run("check").code == 0)
    let count = try #require(Int(try tool.run("count", "Employee").output.dropLast()))
    #expect(count % 100 == 0 && count <= 1300)
  }
}
