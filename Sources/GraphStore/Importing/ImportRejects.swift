import GraphStoreSQLite

/// The records that an import leaves out, kept beside memory until they can be reported in the order of the
/// input.
///
/// A record may be found wanting long after it was read, so that its text is added when it is read again.
package final class ImportRejects {
  private let connection: SQLiteConnection

  package init() throws {
    connection = try SQLiteConnection.temporary()
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE reject (record INTEGER PRIMARY KEY, report BLOB, row BLOB);
      BEGIN;
      """)
  }

  /// Keeps what is said of a record; the first report stays.
  package func add(record: Int, report: UnsafeRawBufferPointer, row: [UInt8]) throws {
    try connection.withStatement("INSERT OR IGNORE INTO reject VALUES (?1, ?2, ?3)") { statement in
      try statement.bind(Int64(record), at: 1)
      try unsafe statement.bind(blobCopying: report, at: 2)
      try unsafe row.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 3) }
      try statement.run()
    }
  }

  package func setRow(_ row: [UInt8], ofRecord record: Int) throws {
    try connection.withStatement("UPDATE reject SET row = ?2 WHERE record = ?1") { statement in
      try statement.bind(Int64(record), at: 1)
      try unsafe row.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 2) }
      try statement.run()
    }
  }

  /// Hands over the report and the text of each record, in the order of the input.
  package func forEach(_ receive: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void) throws {
    try connection.withStatement("SELECT report, row FROM reject ORDER BY record") { statement in
      while try statement.step() { try unsafe receive(statement.blob(at: 0), statement.blob(at: 1)) }
    }
  }
}
