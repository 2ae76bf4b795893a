import GraphStoreTestSupport
import Synchronization
import Testing

@testable import GraphStoreSQLite

@Suite("Log of statements")
struct SQLiteStatementLogTests {
  private func values(_ text: String, _ expanded: String, timestamps: Set<Int> = []) -> [SQLiteLoggedValue] {
    SQLiteBoundValues.values(of: Array(text.utf8), in: Array(expanded.utf8), timestamps: timestamps)
  }

  @Test("DGN-043: values are read out of the text with values, by the numbers of their parameters")
  func bound() {
    #expect(
      values("a ?2, ?1, ?2 b", "a 'it''s ?', -5, 'it''s ?' b") == [.integer(-5), .text("it's ?")])
    #expect(
      values("(?,?,?,?)", "(NULL,1.5e-07,x'00ff',zeroblob(3))")
        == [.null, .double(1.5e-07), .blob(2), .blob(3)])
    #expect(values("?1-?2+?3", "5--3+1.0", timestamps: [3]) == [.integer(5), .integer(-3), .timestamp(1)])
    #expect(values("'?' = ?1 AND \"?\" = `?`", "'?' = x'' AND \"?\" = `?`") == [.blob(0)])
    #expect(values("json_each(?1)", "json_each('[1,2]')") == [.list("[1,2]")])
    #expect(values("''''?1", "''''''") == [.text("")])
    #expect(values("SELECT 1", "SELECT 1").isEmpty)
  }

  /// Collects what it is told, while the level is the test's own.
  private final class Collector: SQLiteStatementLog {
    private let told = Mutex<[String]>([])
    var lines: [String] { told.withLock(\.self) }

    private func add(_ text: String) { told.withLock { $0.append(text) } }
    func began(_ statement: SQLiteLoggedStatement) {
      add("began \(statement.text) \(statement.boundValues)")
      for (depth, step) in statement.plan() where step.hasPrefix("SCAN") { add("plan \(depth) \(step)") }
    }
    func returnedRow(of statement: SQLiteLoggedStatement) {
      add("row \(statement.row.map { "\($0.column)=\($0.value)" }.joined(separator: " "))")
    }
    func ended(_ statement: SQLiteLoggedStatement) { add("ended \(statement.changes)") }
    func failed(_ error: SQLiteError) { add("failed \(error.extendedCode.rawValue)") }
  }

  @Test("DGN-034, DGN-043, DGN-046, DGN-047: beginnings, values, plans, rows, ends and failures are reported")
  func events() throws { try ProcessTurn.alone(reportEvents) }

  private func reportEvents() throws {
    let connection = try SQLiteConnection.inMemory()
    let log = Collector()
    connection.log = log
    try connection.execute("CREATE TABLE a (b, c TIMESTAMP UNIQUE)")
    #expect(log.lines.isEmpty)
    let before = connection.statementCount
    SQLiteLogging.level = 3
    defer { SQLiteLogging.level = 0 }
    try connection.withStatement("INSERT INTO a VALUES (?1, ?2)") { statement in
      try statement.bind("x", at: 1)
      try statement.bind(timestamp: 2, at: 2)
      try statement.run()
      #expect(throws: SQLiteError.self) { try statement.run() }
    }
    _ = try connection.string("SELECT b, c FROM a")
    try connection.withoutCounting { try connection.execute("SELECT * FROM a") }
    #expect(throws: SQLiteError.self) { try connection.execute("SELECT * FROM nothing") }
    #expect(connection.statementCount == before + 3)
    let values: [SQLiteLoggedValue] = [.text("x"), .timestamp(2)]
    let insert = "began INSERT INTO a VALUES (?1, ?2) \(values)"
    #expect(
      log.lines == [
        insert, "ended 1", insert, "ended 0", "failed 2067", "began SELECT b, c FROM a []", "plan 0 SCAN a",
        "row b=\(values[0]) c=\(values[1])", "ended 0", "failed 1",
      ])
    SQLiteLogging.level = 0
    try connection.execute("SELECT 1")
    try connection.execute("SELECT 1")
    #expect(log.lines.last == "failed 1")
  }
}
