import CGraphStoreTestSupport
import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite struct SQLiteFailureTests {
  /// Ways to have SQLite fail, each with the code that a store's user gets.
  static let failures: [(GraphStoreError.Code, @Sendable (LayoutFolder) throws -> Void)] = [
    (
      .storeTimeout,
      { folder in
        let other = try database(in: folder)
        try other.execute("BEGIN EXCLUSIVE")
        defer { try? other.execute("ROLLBACK") }
        let connection = try SQLiteConnection(path: folder.file("a.db"), mode: .readWrite, busyTimeout: .zero)
        try connection.execute("INSERT INTO t VALUES (1, 'x')")
      }
    ),
    (
      .storeCorrupt,
      { folder in
        let connection = try database(in: folder)
        try connection.execute("INSERT INTO t VALUES (1, hex(zeroblob(20000)))")
        connection.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.db")))
        for index in 4096..<bytes.count { bytes[index] = 0xFF }
        try bytes.write(to: URL(fileURLWithPath: folder.file("a.db")))
        let damaged = try SQLiteConnection(path: folder.file("a.db"), mode: .readWrite)
        _ = try damaged.int64("SELECT count(*) FROM t WHERE length(name) > 0")
      }
    ),
    (
      .storeCorrupt,
      { folder in
        try Data(repeating: 0x61, count: 8192).write(to: URL(fileURLWithPath: folder.file("a.db")))
        let connection = try SQLiteConnection(path: folder.file("a.db"), mode: .readWrite)
        _ = try connection.int64("SELECT count(*) FROM sqlite_master")
      }
    ),
    (
      .diskFull,
      { folder in
        let connection = try database(in: folder)
        try connection.execute("PRAGMA max_page_count = 3")
        try connection.execute("INSERT INTO t VALUES (1, hex(zeroblob(20000)))")
      }
    ),
    (
      .readOnlyStore,
      { folder in
        try database(in: folder).close()
        let connection = try SQLiteConnection(path: folder.file("a.db"), mode: .readOnly)
        try connection.execute("INSERT INTO t VALUES (1, 'x')")
      }
    ),
    (.storeOpen, { folder in _ = try SQLiteConnection(path: folder.file("no/where.db"), mode: .create) }),
    (
      .valueTooLarge,
      { folder in
        let connection = try database(in: folder)
        try connection.execute("INSERT INTO t VALUES (1, zeroblob(2147483647))")
      }
    ),
    (
      .constraintConflict,
      { folder in
        let connection = try database(in: folder)
        for id in 1...2 { try connection.execute("INSERT INTO t VALUES (\(id), 'same')") }
      }
    ),
    (
      .constraintConflict,
      { folder in
        let connection = try database(in: folder)
        try connection.execute("INSERT INTO t VALUES (1, NULL)")
      }
    ),
    (.storeCorrupt, { folder in try database(in: folder).execute("SELECT * FROM lost") }),
    (.storeCorrupt, { folder in try database(in: folder).execute("SELECT a.lost FROM t AS a") }),
    (.sqlite, { folder in try database(in: folder).execute("SELECT nosuch()") }),
  ]

  private static func database(in folder: LayoutFolder) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: folder.file("a.db"), mode: .create)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
    return connection
  }

  @Test(
    "DGN-196, DGN-197: a failure of SQLite has a store's code, the path, a remedy, and itself below",
    arguments: failures.indices)
  func codes(index: Int) throws {
    let (code, provoke) = Self.failures[index]
    let folder = try LayoutFolder()
    let failure = try #require(throws: SQLiteError.self) { try provoke(folder) }
    let error = GraphStoreError(failure, path: "/a/b")
    #expect(error.code == code, "\(failure)")
    #expect(error.message.contains("/a/b") && !error.remedy.isEmpty)
    #expect((error.underlying as? SQLiteError) == failure)
  }

  @Test("A disk that is full while a store is made leaves an empty file at most")
  func fullDisk() throws {
    let folder = try LayoutFolder()
    let connection = try SQLiteConnection(path: folder.file("s"), mode: .create)
    try connection.execute("PRAGMA max_page_count = 5")
    let model = try LayoutModels.company()
    #expect {
      try SQLiteLayout.fill(
        connection, schema: SQLSchema(model: model), metadata: StoreMetadata(model: model))
    } throws: {
      ($0 as? SQLiteError)?.category == .full
    }
    #expect(!connection.isInTransaction)
    connection.close()
    let sizes = try folder.state().mapValues(\.count)
    #expect(sizes == ["s": 0])
  }

  @Test("STO-206: a store is opened for reading beside its writer, and sees what is committed")
  func openForReading() throws {
    let folder = try LayoutFolder()
    let writer = try folder.openStore("s")
    let reader = try SQLiteConnection.openForReading(folder.file("s"))
    #expect(try reader.int64("SELECT count(*) FROM ZPROJECT") == 0)
    try writer.transaction {
      try writer.execute("INSERT INTO ZPROJECT (Z_ENT) VALUES (7)")
      #expect(try reader.int64("SELECT count(*) FROM ZPROJECT") == 0)
    }
    #expect(try reader.int64("SELECT count(*) FROM ZPROJECT") == 1)
    #expect(reader.isReadOnly)
    #expect(throws: SQLiteError.self) { try SQLiteConnection.openForReading(folder.file("no")) }
  }

  @Test(
    "STO-207, STO-206: without locks a store is opened for reading alone; writing fails when it is opened")
  func withoutLocks() throws {
    let stack = try TestStack(TestModels.company(), factory: .sqlite)
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    stack.coordinator.close()
    gs_test_refuse_locks(stack.folder.path)
    defer { gs_test_refuse_locks("") }
    #expect {
      try PersistentStoreCoordinator.open(storeAt: stack.path)
    } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .storeOpen && error?.number == 134080
        && error?.message.contains("without locks") == true
    }
    let reader = try PersistentStoreCoordinator.open(
      storeAt: stack.path, options: StoreOptions(isReadOnly: true))
    defer { reader.close() }
    let context = ManagedObjectContext(coordinator: reader)
    #expect(try context.all("Employee")[0].string("name") == "Ada")
  }
}
