import Foundation
import Testing

@Suite("--trace and .trace")
struct TraceCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func run(_ arguments: [String], _ environment: [String: String]) throws -> CommandLineTool.Outcome {
    let former = tool.environment
    defer { tool.environment = former }
    tool.environment.merge(environment) { $1 }
    return try tool.run(CommandLineTool.executable.path, arguments, input: nil)
  }

  private func withoutTimes(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      line.split(separator: " ").filter { !$0.hasPrefix("total=") && !$0.hasPrefix("sql=") }.joined(
        separator: " ")
    }
  }

  @Test("DGN-049, DGN-054, DGN-012, FLT-181: a fetch is told on standard error, and the counters at the end")
  func fetch() throws {
    let outcome = try tool.run("fetch", "Employee", "--trace", "fetches,faults,misses", "-f", "ids")
    let plain = try tool.run("fetch", "Employee", "-f", "ids")
    #expect(outcome.output == plain.output && outcome.code == 0)
    let lines = withoutTimes(outcome.errors)
    #expect(
      lines.first == "GraphStore: trace: fetch entity=Employee kind=dictionaries objects=3",
      "\(outcome.errors)")
    #expect(
      lines.last
        == "GraphStore: trace: total fetches=1 objects=3 saves=0 objectFaults=0 relationshipFaults=0 objectMisses=0 "
        + "relationshipMisses=0 statements=1", "\(outcome.errors)")
    #expect(outcome.errors.contains(#/total=\d+\.\d{4}s/#))
    #expect(plain.errors.isEmpty)
  }

  @Test("DGN-050 to DGN-053: saves, faults and misses, before the command's name too")
  func kinds() throws {
    let update = try tool.run("--trace", "saves", "update", "Employee/p2", "name=X")
    #expect(withoutTimes(update.errors).first == "GraphStore: trace: save inserted=0 updated=1 deleted=0")
    let get = try tool.run("get", "Department/p1", "--trace=misses", "--fields", "name,employees")
    #expect(
      withoutTimes(get.errors).dropLast() == [
        "GraphStore: trace: miss object=Department/p1",
        "GraphStore: trace: miss source=Department/p1 relationship=employees members=2",
      ], "\(get.errors)")
  }

  @Test("DGN-055: as JSON, one object a line with the same keys")
  func json() throws {
    let outcome = try tool.run("get", "Employee/p1", "--trace", "misses", "--error-format", "json")
    let lines = try outcome.errors.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.first?["trace"] as? String == "miss" && lines.first?["object"] as? String == "Employee/p1")
    #expect((lines.first?["total"] as? Double ?? -1) >= 0)
    #expect(lines.last?["trace"] as? String == "total" && lines.last?["objectMisses"] as? Int == 1)
  }

  @Test(
    "DGN-003, DGN-005: an unknown kind is refused with 64 and the four named, as an option and in the environment"
  )
  func unknown() throws {
    for outcome in [
      try tool.run("fetch", "Employee", "--trace", "save"),
      try run(["fetch", "Employee"], ["GRAPHSTORE_TRACE": "save"]),
    ] {
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains("fetches, saves, faults, misses"))
      #expect(outcome.output.isEmpty)
    }
  }

  @Test("DGN-003, DGN-008: the environment switches it on and names a file; the option goes first")
  func environment() throws {
    let log = tool.folder.appendingPathComponent("trace.log").path
    let outcome = try run(
      ["count", "Employee"], ["GRAPHSTORE_TRACE": "fetches", "GRAPHSTORE_LOG": log])
    #expect(outcome.errors.isEmpty)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(withoutTimes(text).first == "GraphStore: trace: fetch entity=Employee kind=count objects=3")
    let option = try run(
      ["count", "Employee", "--trace", "saves"], ["GRAPHSTORE_TRACE": "fetches"])
    #expect(!option.errors.contains("fetch entity") && option.errors.contains("trace: total fetches=1"))
    let unwritable = try run(
      ["count", "Employee", "--trace", "fetches"], ["GRAPHSTORE_LOG": "/nowhere/log"])
    #expect(unwritable.errors.hasPrefix("GraphStore: warning: /nowhere/log cannot be written"))
    #expect(unwritable.errors.contains("trace: fetch entity=Employee"))
    #expect(unwritable.code == 0)
  }

  @Test("DGN-008: a log that takes no line is told once, and lines go to standard error")
  func fullLog() throws {
    let outcome = try run(["count", "Employee", "--trace", "fetches"], ["GRAPHSTORE_LOG": "/dev/full"])
    let lines = withoutTimes(outcome.errors)
    #expect(
      lines.first
        == "GraphStore: warning: /dev/full cannot be written: No space left on device. Lines go to standard error."
    )
    #expect(lines.count { $0.contains("warning") } == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("trace: fetch entity=Employee"))
    #expect(outcome.errors.contains("trace: total"))
    #expect(outcome.code == 0)
  }

  @Test("DGN-003: .trace sets, shows and ends it within a session")
  func session() throws {
    let outcome = try tool.run(
      "run", "-",
      input: """
        .trace
        .trace misses
        .trace
        get Employee/p1 --fields name
        .trace off
        get Employee/p2 --fields name

        """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("off\nmisses\n"))
    #expect(
      withoutTimes(outcome.errors).filter { $0.contains("miss ") } == [
        "GraphStore: trace: miss object=Employee/p1"
      ])
    let refused = try tool.run("run", "-", input: ".trace nothing\n")
    #expect(refused.code == 65 && refused.errors.contains("fetches, saves, faults, misses"))
  }

  @Test("FLT-182: between two statements neither objects nor rows are held")
  func heldBetweenStatements() throws {
    let get = "get Department/p1 --fields name,employees\n"
    let outcome = try tool.run(
      "shell", "-X", "--trace", "misses", input: get + "fetch Employee -f ids\n" + get)
    let miss = [
      "GraphStore: trace: miss object=Department/p1",
      "GraphStore: trace: miss source=Department/p1 relationship=employees members=2",
    ]
    #expect(
      withoutTimes(outcome.errors).filter { $0.contains("miss ") } == miss + miss, "\(outcome.errors)")
  }
}
