import Foundation
import Testing

@Suite("--sql-log")
struct SQLLogCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws
    -> CommandLineTool.Outcome
  {
    let former = tool.environment
    defer { tool.environment = former }
    tool.environment.merge(environment) { $1 }
    return try tool.run(CommandLineTool.executable.path, arguments, input: nil)
  }

  private func lines(_ outcome: CommandLineTool.Outcome) -> [String] {
    outcome.errors.split(separator: "\n").map { String($0).replacing(/\d+\.\d{4}s/, with: "T") }
  }

  @Test("DGN-002, DGN-010, DGN-012, DGN-016, DGN-017: at level 1 a count is told on standard error alone")
  func count() throws {
    let outcome = try run(["count", "Employee", "--sql-log", "1"])
    #expect(outcome.output == "3\n" && outcome.code == 0)
    let lines = lines(outcome)
    #expect(
      lines.first?.hasPrefix("GraphStore: annotation: Connecting to sqlite database file at \"/") == true)
    #expect(
      lines.last?.hasPrefix("GraphStore: annotation: Disconnecting from sqlite database at \"/") == true)
    #expect(
      lines.dropLast().suffix(2) == [
        "GraphStore: sql: SELECT COUNT(*) FROM ZPERSON AS t0",
        "GraphStore: annotation: total count request execution time: T for count of 3.",
      ], "\(outcome.errors)")
    #expect(
      lines.allSatisfy { $0.hasPrefix("GraphStore: sql: ") || $0.hasPrefix("GraphStore: annotation: ") })
  }

  @Test("DGN-002, DGN-013, DGN-048, DGN-237: each level tells more, and the output stays the same")
  func levels() throws {
    let words = ["fetch", "Employee", "--where", "name == 'Ada'", "--fields", "name,department.name"]
    let plain = try run(words)
    #expect(plain.errors.isEmpty)
    let outcomes = try (0...4).map { try run(words + ["--sql-log", "\($0)"]) }
    for outcome in outcomes { #expect(outcome.output == plain.output && outcome.code == 0) }
    let logs = outcomes.map(lines)
    #expect(logs[0].isEmpty)
    #expect(!logs[1].contains { $0.contains("'Ada'") })
    #expect(logs[2].contains("GraphStore: details: SQLite bind[0] = (text)'Ada'"))
    #expect(!logs[2].contains { $0.contains("row[") } && logs[3].contains { $0.contains("ZNAME: 'Ada'") })
    #expect(
      !logs[3].contains { $0.contains("plan: ") } && logs[4].contains { $0.contains("details: plan: ") })
    for (lower, higher) in zip(logs, logs.dropFirst()) {
      #expect(Set(lower).isSubset(of: higher), "\(lower)")
    }
  }

  @Test("DGN-002, DGN-005: a level that there is not is refused with 64, as an option and in the environment")
  func unknown() throws {
    for outcome in [
      try run(["count", "Employee", "--sql-log", "9"]), try run(["count", "Employee", "--sql-log", "x"]),
      try run(["count", "Employee"], ["GRAPHSTORE_SQL_LOG": "5"]),
    ] {
      #expect(outcome.code == 64 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("there are 0, 1, 2, 3, 4"), "\(outcome.errors)")
    }
  }

  @Test(
    "DGN-002, DGN-008: the environment switches it on, the option goes first, and a file may have the lines")
  func environment() throws {
    let log = tool.path("sql.log")
    let variables = ["GRAPHSTORE_SQL_LOG": "1", "GRAPHSTORE_LOG": log]
    #expect(try run(["count", "Employee"], variables).errors.isEmpty)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(text.contains("GraphStore: sql: SELECT COUNT(*) FROM ZPERSON") && text.hasSuffix("\n"))
    #expect(try run(["count", "Employee", "--sql-log=0"], ["GRAPHSTORE_SQL_LOG": "4"]).errors.isEmpty)
    #expect(try run(["--sql-log", "1", "count", "Employee"]).errors.contains("count of 3."))
  }

  @Test("DGN-035, DGN-040: a change, from its transaction to the time of its save")
  func change() throws {
    let lines = lines(try run(["update", "Employee/p2", "name=X", "--sql-log", "2"]))
    let begin = try #require(lines.firstIndex(of: "GraphStore: sql: BEGIN IMMEDIATE"))
    let update = try #require(lines.firstIndex { $0.hasPrefix("GraphStore: sql: UPDATE ZPERSON SET Z_OPT") })
    let commit = try #require(lines.firstIndex(of: "GraphStore: sql: COMMIT"))
    #expect(begin < update && update < commit)
    #expect(lines[update + 1] == "GraphStore: details: SQLite bind[0] = (text)'X'")
    #expect(
      lines.contains("GraphStore: annotation: save execution time: T for 0 inserted, 1 updated, 0 deleted."))
  }

  @Test("DGN-002: in a session each statement may have a level of its own")
  func session() throws {
    let outcome = try tool.run(
      "run", "-", input: "count Employee\ncount Employee --sql-log 1\ncount Employee\n")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("COUNT(*)") } == 1, "\(outcome.errors)")
  }

  @Test(
    "A command that looks past the store refuses --sql-log",
    arguments: [
      ["check"], ["stats"], ["metadata", "list"], ["compact"], ["backup", "x.db"],
      ["model", "show", "model.json"],
    ])
  func idle(_ words: [String]) throws {
    let outcome = try run(words + ["--sql-log", "1"])
    #expect(outcome.code == 64 && outcome.errors.contains("--sql-log"), "\(outcome.errors)")
  }
}
