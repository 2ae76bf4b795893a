import Foundation
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@Suite struct SQLiteConnectionTests {
  private func error(_ body: () throws -> Void) -> SQLiteError? {
    do {
      try body()
      return nil
    } catch {
      return error as? SQLiteError
    }
  }

  @Test("STO-167: opening a missing file makes none unless asked to")
  func missing() throws {
    let folder = try TemporaryFolder()
    for mode in [SQLiteConnection.Mode.readOnly, .readWrite, .immutable] {
      let failure = error { _ = try SQLiteConnection(path: folder.file("no"), mode: mode) }
      #expect(failure?.category == .cantOpen)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("no")))
  }

  @Test("What the system says of a file that cannot be opened or made larger tells the cause")
  func causes() {
    func category(_ code: SQLiteErrorCode, _ number: Int32) -> SQLiteError.Category {
      SQLiteError(code: code, message: "", systemNumber: number).category
    }
    #expect(category(.cantOpen, 0) == .cantOpen && category(.cantOpen, EACCES) == .cantOpen)
    #expect(category(.cantOpen, EMFILE) == .tooManyFiles && category(.io, ENFILE) == .tooManyFiles)
    #expect(category(.io, ENOSPC) == .full && category(.ioIndexSize, 0) == .full)
    #expect(category(.io, EIO) == .io)
  }

  @Test("A path is taken literally, whatever it looks like", arguments: ["a b%20?x=1#y", ":memory:", "ü\"'"])
  func literalPaths(name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    let writer = try SQLiteConnection(path: path, mode: .create)
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (4)")
    writer.close()
    #expect(FileManager.default.fileExists(atPath: path))
    let reader = try SQLiteConnection(path: path, mode: .immutable)
    #expect(try reader.int64("SELECT a FROM t") == 4)
  }

  @Test("Reading detached applies the log beside the file and leaves everything as it was")
  func detached() throws {
    let folder = try TemporaryFolder()
    let writer = try SQLiteConnection(path: folder.file("x"), mode: .create)
    try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (4)")
    let copy = try TemporaryFolder()
    for name in ["x", "x-wal"] {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
    }
    func state() throws -> [String: Data?] {
      let names = try FileManager.default.contentsOfDirectory(atPath: copy.path)
      return Dictionary(
        uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: copy.file($0))) })
    }
    let before = try state()
    let reader = try SQLiteConnection(path: copy.file("x"), mode: .detached)
    #expect(try reader.int64("SELECT a FROM t") == 4)
    #expect(error { try reader.execute("INSERT INTO t VALUES (5)") }?.category == .readOnly)
    reader.close()
    #expect(try state() == before)
    #expect(error { _ = try SQLiteConnection(path: copy.file("y"), mode: .detached) }?.category == .cantOpen)
  }

  @Test("An empty path and one with NUL are refused", arguments: ["", "a\u{0}b"])
  func badPaths(path: String) {
    #expect(error { _ = try SQLiteConnection(path: path, mode: .create) }?.category == .cantOpen)
  }

  @Test("A file that is no database is told from a damaged one")
  func notADatabase() throws {
    let folder = try TemporaryFolder()
    try String(repeating: "some text ", count: 500).write(
      toFile: folder.file("x"), atomically: true, encoding: .utf8)
    let connection = try SQLiteConnection(path: folder.file("x"), mode: .readOnly)
    #expect(
      error { _ = try connection.int64("SELECT count(*) FROM sqlite_schema") }?.category == .notADatabase)
  }

  @Test("Writing through a read-only connection fails and says so")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    try SQLiteConnection(path: folder.file("x"), mode: .create).execute("CREATE TABLE t (a)")
    let connection = try SQLiteConnection(path: folder.file("x"), mode: .readOnly)
    #expect(connection.isReadOnly)
    #expect(error { try connection.execute("INSERT INTO t VALUES (1)") }?.category == .readOnly)
  }

  @Test("A closed connection throws instead of trapping")
  func closed() throws {
    let connection = try SQLiteConnection.inMemory()
    let statement = try connection.prepare("SELECT 1")
    connection.close()
    connection.close()
    #expect(!connection.isOpen)
    #expect(error { try connection.execute("SELECT 1") }?.code == .misuse)
    #expect(error { _ = try connection.statement("SELECT 1") }?.code == .misuse)
    #expect(try statement.step())
    connection.recycle(statement)
    connection.interrupt()
    #expect(connection.changes == 0)
  }

  @Test("Text without a statement, or with two, is refused by prepare")
  func oneStatement() throws {
    let connection = try SQLiteConnection.inMemory()
    #expect(error { _ = try connection.prepare(" -- nothing") }?.code == .misuse)
    #expect(error { _ = try connection.prepare("SELECT 1; SELECT 2") }?.code == .misuse)
    #expect(error { _ = try connection.prepare("SELECT 1 ;\n ") } == nil)
  }

  @Test("STO-220: an error carries the statement's text and the column, not the values")
  func uniqueColumns() throws {
    let connection = try SQLiteConnection.inMemory()
    try connection.execute("CREATE TABLE T (A, B); CREATE UNIQUE INDEX i ON T (A, B) WHERE A IN (1, 2)")
    let insert = try connection.prepare("INSERT INTO T VALUES (?1, ?2)")
    try insert.bind(Int64(1), at: 1)
    try insert.bind("secret", at: 2)
    try insert.run()
    let failure = try #require(error { try insert.run() })
    #expect(failure.extendedCode == .constraintUnique)
    #expect(failure.category == .unique)
    #expect(failure.constraintColumns == [.init(table: "T", column: "A"), .init(table: "T", column: "B")])
    #expect(failure.sql == "INSERT INTO T VALUES (?1, ?2)")
    #expect(!failure.description.contains("secret"))
    if case .constraint = failure.extendedCode {} else { Issue.record("the primary code does not match") }
    if case .busy = failure.extendedCode { Issue.record("another code matches") }
  }

  @Test("Faulty SQL is an error with its text")
  func invalidSQL() throws {
    let connection = try SQLiteConnection.inMemory()
    let failure = try #require(error { _ = try connection.prepare("SELEC 1") })
    #expect(failure.code == .error)
    #expect(failure.message.contains("SELEC"))
    #expect(failure.category == .other)
  }

  @Test("STO-214: triggers and views of the file are not run, and double quotes are never text")
  func hardened() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(path: folder.file("x"), mode: .create)
    try connection.execute("CREATE TABLE t (a); CREATE TABLE log (a)")
    try connection.execute("CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END")
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(try connection.int64("SELECT count(*) FROM log") == 0)
    try connection.execute("CREATE VIEW v AS SELECT a FROM t")
    #expect(error { _ = try connection.int64("SELECT a FROM v") } != nil)
    #expect(error { _ = try connection.string("SELECT \"nothing\"") } != nil)
    #expect(error { _ = try connection.string("SELECT load_extension('x')") } != nil)
    #expect(error { try connection.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema") } != nil)
  }

  @Test("STO-046: a locked database is waited for as long as asked")
  func busyTimeout() throws {
    let folder = try TemporaryFolder()
    let holder = try SQLiteConnection(path: folder.file("x"), mode: .create)
    try holder.execute("CREATE TABLE t (a)")
    try holder.begin(.exclusive)
    let other = try SQLiteConnection(
      path: folder.file("x"), mode: .readWrite, busyTimeout: .milliseconds(120))
    let clock = ContinuousClock()
    var failure: SQLiteError?
    let waited = clock.measure { failure = error { try other.begin() } }
    #expect(failure?.category == .busy)
    #expect(waited >= .milliseconds(100))
    other.busyTimeout = .zero
    #expect(error { try other.begin() }?.category == .busy)
    try holder.rollback()
    try other.begin()
    #expect(other.isInTransaction)
  }

  @Test("STO-209: a wait ends as soon as the lock is free")
  func waitSucceeds() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x")
    let holder = try SQLiteConnection(path: path, mode: .create)
    try holder.execute("CREATE TABLE t (a)")
    try holder.begin()
    let waiting = Background {
      let other = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: .seconds(60))
      try other.transaction { try other.execute("INSERT INTO t VALUES (2)") }
    }
    Thread.sleep(forTimeInterval: 0.05)
    try holder.commit()
    try waiting.value()
    #expect(try holder.int64("SELECT a FROM t") == 2)
  }

  @Test("STO-277: interruption ends a running statement and leaves the connection usable")
  func interruptStatement() throws {
    let connection = try SQLiteConnection.inMemory()
    let interrupter = connection.interrupter
    try connection.register(function: "stop", argumentCount: 1) { arguments, result in
      if arguments.int64(at: 0) == 1000 { interrupter.interrupt() }
      result.set(arguments.int64(at: 0))
    }
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(stop(i)) FROM n"
    #expect(error { _ = try connection.int64(endless) }?.category == .interrupted)
    #expect(try connection.int64("SELECT 3") == 3)
  }

  @Test("STO-277: a connection that is stopped takes back and does nothing else, until it may work again")
  func stop() throws {
    let connection = try SQLiteConnection.inMemory()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try connection.begin()
    try connection.execute("INSERT INTO t VALUES (2)")
    connection.interrupter.stop()
    #expect(error { try connection.execute("UPDATE t SET a = 3 WHERE rowid = 1") }?.category == .interrupted)
    #expect(error { _ = try connection.int64("SELECT count(*) FROM t") }?.category == .interrupted)
    try connection.rollback()
    #expect(!connection.isInTransaction)
    #expect(error { try connection.execute("INSERT INTO t VALUES (4)") }?.category == .interrupted)
    connection.interrupter.resume()
    #expect(try connection.int64("SELECT sum(a) FROM t") == 1)
  }

  @Test("STO-277: interruption ends a wait for a lock")
  func interruptWait() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x")
    let holder = try SQLiteConnection(path: path, mode: .create)
    try holder.execute("CREATE TABLE t (a)")
    try holder.begin()
    let waiting = Background {
      let other = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: .seconds(60))
      let interrupter = other.interrupter
      let interrupting = Background {
        Thread.sleep(forTimeInterval: 0.05)
        interrupter.interrupt()
      }
      defer { try? interrupting.value() }
      #expect { try other.begin() } throws: { ($0 as? SQLiteError)?.category == .interrupted }
      #expect(try other.int64("SELECT count(*) FROM t") == 0)
      #expect {
        other.busyTimeout = .zero; try other.begin()
      } throws: {
        ($0 as? SQLiteError)?.category == .busy
      }
    }
    try waiting.value()
  }

  @Test("Statements that begin are counted and shown to the observer without values")
  func observer() throws {
    let connection = try SQLiteConnection.inMemory()
    try connection.execute("CREATE TABLE t (a)")
    var seen: [String] = []
    connection.onStatement = { seen.append($0) }
    let before = connection.statementCount
    try connection.transaction {
      try connection.withStatement("INSERT INTO t VALUES (?1)") { insert in
        for value in 1...3 {
          try insert.bind(Int64(value), at: 1)
          try insert.run()
        }
      }
    }
    #expect(connection.statementCount - before == 5)
    let insert = "INSERT INTO t VALUES (?1)"
    #expect(seen == ["BEGIN IMMEDIATE", insert, insert, insert, "COMMIT"])
    connection.onStatement = nil
    #expect(connection.totalChanges == 3)
    #expect(connection.lastInsertRowID == 3)
  }
}
