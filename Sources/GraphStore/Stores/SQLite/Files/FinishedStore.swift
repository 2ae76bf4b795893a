import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// File of a new store that is written to no more, before it is moved to its path: whole, durable, and
/// without a log (MIG-265, MIG-266).
///
/// A connection that is closed folds the log in, and has no way to report that it could not. So the log is
/// folded in before by a connection that checks, and what is checked is the file as it will be opened.
enum FinishedStore {
  /// Folds the log in, makes the file durable, and checks it.
  ///
  /// No connection has the file open.
  ///
  /// - Throws: `disk-full`, `store-save-failed`, `sqlite`; `migration-failed` for a file that is not whole.
  static func finish(_ path: String) throws {
    do {
      try foldLog(path)
      try flush(path)
      try check(path)
    } catch let failure as SQLiteError where failure.category == .busy {
      throw GraphStoreError(
        .storeSaveFailed, "\(path) is still being written.",
        remedy: "Let contexts and requests of the new store end before its migration goes on.",
        underlying: failure)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  private static func foldLog(_ path: String) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    defer { connection.close() }
    try connection.foldLog(.whole)
  }

  private static func flush(_ path: String) throws {
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw GraphStoreError.unwritten(path, errno) }
    defer { DatabaseFiles.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw GraphStoreError.unwritten(path, errno) }
  }

  private static func check(_ path: String) throws {
    guard !SQLiteProbe.hasLog(path) else {
      throw GraphStoreError.wrongCopy("a part of the new file is in its log")
    }
    let size = RegularFile.size(path) ?? 0
    guard let stated = SQLiteFileHeader(path: path)?.statedLength, stated == size else {
      throw GraphStoreError.wrongCopy("the new file is cut short: \(size) bytes are there")
    }
    let connection = try SQLiteConnection(path: path, mode: .immutable)
    defer { connection.close() }
    try connection.execute("PRAGMA cache_size = -16000")
    let integrity = try connection.string("PRAGMA main.quick_check(1)") ?? ""
    guard integrity == "ok" else {
      throw GraphStoreError.wrongCopy("the new file is damaged: \(integrity)")
    }
  }
}

extension GraphStoreError {
  /// The failure of a migration, or of a copy, whose new file is not what it should be.
  static func wrongCopy(_ reason: String) -> GraphStoreError {
    GraphStoreError(
      .migrationFailed, "The new store is not right: \(reason).",
      remedy: "Check the store, which is as it was, and report this if nothing is found.")
  }
}
