import Foundation
import GraphStoreSQLite

/// Copy of a store, page for page, at a free path beside it: what repairs make, and migrations leave of the old store.
public enum StoreBackup {
  /// Copies the store that a connection has open, with its external data, and makes the copy durable.
  ///
  /// The copy appears when it is whole.
  ///
  /// - Returns: The copy's path.
  /// - Throws: `disk-full`, `store-permission`; ``SQLiteError``.
  static func make(of connection: SQLiteConnection, path: String) throws -> String {
    var (copy, number) = ("\(path).backup", 1)
    while try RegularFile.isTaken(copy) || !place(connection, path, at: copy) {
      number += 1
      copy = "\(path).backup-\(number)"
    }
    return copy
  }

  /// - Returns: Whether the path was still free.
  private static func place(_ connection: SQLiteConnection, _ path: String, at copy: String) throws -> Bool {
    do {
      let file = try NewFile(for: copy)
      let destination = try SQLiteConnection(path: file.temporaryPath, mode: .readWrite)
      do {
        defer { destination.close() }
        try connection.copy(into: destination)
      }
      // Who may not read the store may not read its copy.
      var status = stat()
      if unsafe stat(path, &status) == 0 { unsafe chmod(file.temporaryPath, status.st_mode & 0o777) }
      try ExternalDataFolder(besideStoreAt: path).link(into: ExternalDataFolder(besideStoreAt: copy))
      try file.place()
      return true
    } catch NewFile.Failure.isTaken {
      return false
    } catch let failure as NewFile.Failure {
      throw SQLiteLayout.error(failure, copy)
    }
  }
}
