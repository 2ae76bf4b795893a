import GraphStoreSQLite
import Testing

@Suite struct SQLiteTransactionTests {
  struct Refusal: Error {}

  let connection: SQLiteConnection

  init() throws {
    connection = try SQLiteConnection.inMemory()
    try connection.execute("CREATE TABLE t (a UNIQUE)")
  }

  private func count() throws -> Int64? { try connection.int64("SELECT count(*) FROM t") }

  @Test("A transaction whose body throws leaves nothing behind")
  func rollback() throws {
    #expect(throws: Refusal.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        throw Refusal()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try count() == 0)
  }

  @Test(
    "A transaction gives its body's result",
    arguments: [SQLiteConnection.TransactionKind.deferred, .immediate])
  func commit(kind: SQLiteConnection.TransactionKind) throws {
    let result = try connection.transaction(kind) {
      try connection.execute("INSERT INTO t VALUES (1)")
      return connection.isInTransaction
    }
    #expect(result)
    #expect(try count() == 1)
  }

  @Test("A transaction within a transaction is refused; the outer one goes on")
  func nested() throws {
    try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (1)")
      #expect(throws: SQLiteError.self) { try connection.transaction {} }
      #expect(connection.isInTransaction)
    }
    #expect(try count() == 1)
  }

  @Test("A savepoint that throws undoes only what it did, at any depth")
  func savepoints() throws {
    try connection.transaction {
      try connection.savepoint {
        try connection.execute("INSERT INTO t VALUES (1)")
        #expect(throws: Refusal.self) {
          try connection.savepoint {
            try connection.execute("INSERT INTO t VALUES (2)")
            throw Refusal()
          }
        }
        try connection.savepoint { try connection.execute("INSERT INTO t VALUES (3)") }
      }
    }
    #expect(try connection.string("SELECT group_concat(a) FROM t") == "1,3")
  }

  @Test("A reader that is still open does not keep a failed transaction from rolling back")
  func rollbackWithReader() throws {
    try connection.execute("INSERT INTO t VALUES (1), (2)")
    let reader = try connection.prepare("SELECT a FROM t")
    #expect(try reader.step())
    #expect(throws: SQLiteError.self) {
      try connection.transaction { try connection.execute("INSERT INTO t VALUES (3), (1)") }
    }
    #expect(!connection.isInTransaction)
    reader.reset()
    #expect(try count() == 2)
  }
}
