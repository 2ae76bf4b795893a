import Foundation
import GraphStoreSQLite
import Testing

@Suite struct SQLiteStatementTests {
  let connection: SQLiteConnection

  init() throws {
    connection = try SQLiteConnection.inMemory()
    try connection.execute("CREATE TABLE t (a)")
  }

  private func stored(_ bind: (SQLiteStatement) throws -> Void) throws -> SQLiteStatement {
    let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
    try bind(insert)
    try insert.run()
    let select = try connection.prepare("SELECT a FROM t ORDER BY rowid DESC LIMIT 1")
    #expect(try select.step())
    return select
  }

  @Test("Integers come back at both ends of their range", arguments: [0, -1, Int64.min, Int64.max])
  func integers(value: Int64) throws {
    let row = try stored { try $0.bind(value, at: 1) }
    #expect(row.type(at: 0) == .integer)
    #expect(row.int64(at: 0) == value)
  }

  @Test(
    "STO-240: doubles come back bit for bit",
    arguments: [0.1, -0.0, Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity])
  func doubles(value: Double) throws {
    let row = try stored { try $0.bind(value, at: 1) }
    #expect(row.type(at: 0) == .real)
    #expect(row.double(at: 0).bitPattern == value.bitPattern)
  }

  @Test(
    "STO-241: text comes back as given",
    arguments: ["", "a", "a\u{0}b", "\u{0}", "e\u{301}", "\u{e9}", "👩‍👩‍👧", "שלום", "'; DROP TABLE t; --"])
  func texts(value: String) throws {
    for row in [
      try stored { try $0.bind(value, at: 1) },
      try stored { statement in
        var value = value
        try value.withUTF8 { try statement.bind(textCopying: $0, at: 1) }
      },
      try stored { statement in
        var value = value
        try value.withUTF8 {
          try statement.bind(textInPlace: $0, at: 1)
          try statement.run()
        }
        try statement.bind(value, at: 1)
      },
    ] {
      #expect(row.type(at: 0) == .text)
      #expect(row.text(at: 0).elementsEqual(value.utf8))
      #expect(row.string(at: 0).map { Array($0.utf8) } == Array(value.utf8))
      #expect(row.withText(at: 0) { $0.count } == value.utf8.count)
    }
  }

  @Test("STO-321: blobs of 0, 1 and 10 MB come back", arguments: [0, 1, 10 << 20])
  func blobs(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
    let row = try stored { statement in
      try bytes.withUnsafeBytes { try statement.bind(blobCopying: $0, at: 1) }
    }
    #expect(row.type(at: 0) == .blob)
    #expect(row.blob(at: 0).elementsEqual(bytes))
    let again = try stored { statement in
      try bytes.withUnsafeBytes {
        try statement.bind(blobInPlace: $0, at: 1)
        try statement.run()
      }
    }
    #expect(again.blob(at: 0).count == size)
  }

  @Test("NULL is told from empty text and from 0")
  func nulls() throws {
    let row = try stored { try $0.bindNull(at: 1) }
    #expect(row.isNull(at: 0))
    #expect(row.type(at: 0) == .null)
    #expect(row.string(at: 0) == nil)
    #expect(row.text(at: 0).isEmpty)
    #expect(row.blob(at: 0).isEmpty)
    #expect(row.int64(at: 0) == 0)
    let empty = try stored { try $0.bind("", at: 1) }
    #expect(!empty.isNull(at: 0))
  }

  @Test("A parameter that does not exist is an error, not a trap", arguments: [0, 2, -5, Int.max])
  func range(index: Int) throws {
    let statement = try connection.prepare("INSERT INTO t VALUES (?1)")
    #expect { try statement.bind(Int64(1), at: index) } throws: { ($0 as? SQLiteError)?.code == .range }
  }

  @Test("A column that does not exist reads as NULL")
  func absentColumn() throws {
    let row = try stored { try $0.bind(Int64(1), at: 1) }
    #expect(row.isNull(at: 7))
    #expect(row.string(at: -1) == nil)
    #expect(row.columnCount == 1)
    #expect(row.columnName(at: 0) == "a")
    #expect(row.columnName(at: 9) == "")
  }

  @Test("Reset runs again with the same bindings, clearing makes them NULL")
  func resetAndClear() throws {
    let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
    try insert.bind(Int64(5), at: 1)
    try insert.run()
    try insert.run()
    insert.clearBindings()
    try insert.run()
    #expect(try connection.int64("SELECT count(*) FROM t WHERE a = 5") == 2)
    #expect(try connection.int64("SELECT count(*) FROM t WHERE a IS NULL") == 1)
    #expect(insert.parameterCount == 1)
    #expect(!insert.isReadOnly)
  }

  @Test("A failed run leaves the statement ready to run again")
  func failureResets() throws {
    try connection.execute("CREATE TABLE u (a UNIQUE)")
    let insert = try connection.prepare("INSERT INTO u VALUES (?1)")
    try insert.bind(Int64(1), at: 1)
    try insert.run()
    #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(!insert.isRunning)
    try insert.bind(Int64(2), at: 1)
    try insert.run()
    #expect(try connection.int64("SELECT count(*) FROM u") == 2)
  }
}
