import Foundation
import GraphStoreSQLite

/// Records of an import that wait for others, kept beside memory, in the order of the input.
final class WaitingRecords {
  private let reader: RecordReader
  private var opened: SQLiteConnection?

  init(_ reader: RecordReader) { self.reader = reader }

  var isEmpty: Bool { opened == nil }

  private func connection() throws -> SQLiteConnection {
    if let opened { return opened }
    let connection = try SQLiteConnection.temporary()
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE waiting (position INTEGER PRIMARY KEY, record BLOB);
      BEGIN;
      """)
    opened = connection
    return connection
  }

  func add(_ record: ImportRecord, at position: Int) throws {
    let data = try reader.archive(record)
    try connection().withStatement("INSERT INTO waiting VALUES (?1, ?2)") { statement in
      try statement.bind(Int64(position), at: 1)
      try unsafe data.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 2) }
      try statement.run()
    }
  }

  /// Hands over each record with its position.
  func forEach(_ receive: (Int, ImportRecord) throws -> Void) throws {
    guard let opened else { return }
    try opened.withStatement("SELECT position, record FROM waiting ORDER BY position") { statement in
      while try statement.step() {
        let data = unsafe Data(statement.blob(at: 1))
        try receive(Int(statement.int64(at: 0)), try reader.unarchived(data))
      }
    }
  }
}
