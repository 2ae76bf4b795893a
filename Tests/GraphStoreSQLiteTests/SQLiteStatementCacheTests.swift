import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@Suite struct SQLiteStatementCacheTests {
  @Test("STO-274: one text is prepared once, and comes back with NULL parameters")
  func reuse() throws {
    let connection = try SQLiteConnection.inMemory()
    let first = try connection.statement("SELECT ?1")
    try first.bind(Int64(4), at: 1)
    #expect(try first.step())
    connection.recycle(first)
    #expect(!first.isRunning)
    let second = try connection.statement("SELECT ?1")
    #expect(first === second)
    #expect(try second.step())
    #expect(second.isNull(at: 0))
  }

  @Test("A text that is in use gets a second statement")
  func nested() throws {
    let connection = try SQLiteConnection.inMemory()
    let total = try connection.withStatement("SELECT 1 UNION ALL SELECT 2") { outer in
      var total: Int64 = 0
      while try outer.step() {
        total += try connection.withStatement("SELECT 1 UNION ALL SELECT 2") { inner in
          var sum: Int64 = 0
          while try inner.step() { sum += inner.int64(at: 0) }
          return sum
        }
      }
      return total
    }
    #expect(total == 6)
    #expect(connection.cachedStatementCount == 1)
  }

  @Test("Beyond the bound the least recently used statement goes")
  func bound() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(path: folder.file("x"), mode: .create, cachedStatements: 2)
    let kept = try connection.statement("SELECT 1")
    connection.recycle(kept)
    _ = try connection.int64("SELECT 2")
    _ = try connection.int64("SELECT 1")
    _ = try connection.int64("SELECT 3")
    #expect(connection.cachedStatementCount == 2)
    #expect(try connection.statement("SELECT 1") === kept)
  }

  @Test("A body that throws hands its statement back reset")
  func throwing() throws {
    struct Refusal: Error {}
    let connection = try SQLiteConnection.inMemory()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(throws: Refusal.self) {
      try connection.withStatement("SELECT a FROM t") { statement in
        _ = try statement.step()
        throw Refusal()
      }
    }
    try connection.execute("DROP TABLE t")
  }

  @Test("A kept statement survives a change of the schema")
  func schemaChange() throws {
    let connection = try SQLiteConnection.inMemory()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(try connection.int64("SELECT a FROM t") == 1)
    try connection.execute("ALTER TABLE t ADD COLUMN b; CREATE INDEX i ON t (a)")
    #expect(try connection.int64("SELECT a FROM t") == 1)
  }
}
