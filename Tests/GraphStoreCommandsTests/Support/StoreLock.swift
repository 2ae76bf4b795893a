import Foundation
import GraphStoreSQLite

/// Holds a store's write lock.
final class StoreLock {
  private let connection: SQLiteConnection

  init(_ path: String) throws {
    connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.begin(.immediate)
  }

  func release() {
    try? connection.rollback()
    connection.close()
  }
}

extension CommandLineTool {
  /// Runs SQL behind the store's back.
  func sqlite(_ sql: String, _ name: String) throws {
    let connection = try SQLiteConnection(path: path(name), mode: .create)
    defer { connection.close() }
    try connection.execute(sql)
  }

  func damage(_ sql: String) throws { try sqlite(sql, "hr.db") }
}
