import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite struct SQLiteFailureTests {
  @Test("A failure of SQLite has a store's code, the path and a remedy")
  func codes() throws {
    let expected: [(SQLiteErrorCode, GraphStoreError.Code)] = [
      (.busy, .storeTimeout), (.locked, .storeTimeout), (.corrupt, .storeCorrupt),
      (.notADatabase, .storeCorrupt),
      (.full, .diskFull), (.readOnly, .readOnlyStore), (.permission, .storePermission),
      (.cantOpen, .storeOpen),
      (.tooBig, .valueTooLarge), (.constraintUnique, .constraintConflict), (.io, .sqlite), (.error, .sqlite),
    ]
    for (code, word) in expected {
      let error = GraphStoreError(SQLiteError(code: code, message: "m"), path: "/a/b")
      #expect(error.code == word)
      #expect(error.message.contains("/a/b") && !error.remedy.isEmpty)
      #expect((error.underlying as? SQLiteError)?.code == code.primary)
    }
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
    let reader = try SQLiteLayout.openForReading(folder.file("s"))
    #expect(try reader.int64("SELECT count(*) FROM ZPROJECT") == 0)
    try writer.transaction {
      try writer.execute("INSERT INTO ZPROJECT (Z_ENT) VALUES (7)")
      #expect(try reader.int64("SELECT count(*) FROM ZPROJECT") == 0)
    }
    #expect(try reader.int64("SELECT count(*) FROM ZPROJECT") == 1)
    #expect(reader.isReadOnly)
    #expect(throws: SQLiteError.self) { try SQLiteLayout.openForReading(folder.file("no")) }
  }
}
