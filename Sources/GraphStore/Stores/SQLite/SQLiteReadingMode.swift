import GraphStoreSQLite

extension SQLiteConnection.Mode {
  /// How to open a SQLite file so that reading it briefly leaves no files behind.
  static func reading(_ path: String) -> Self {
    guard let header = SQLiteFileHeader(path: path) else { return .readOnly }
    return reading(header, SQLiteProbe.SideFiles(path))
  }

  static func reading(_ header: SQLiteFileHeader, _ files: SQLiteProbe.SideFiles) -> Self {
    // With a log and a shared index other processes may be at work: their locks count, and no file is added.
    // With a journal the file may hold a part of a change.
    if files.hasUnreadableLog, !files.hasJournal { return .detached }
    guard header.usesWriteAheadLog, !files.hasJournal, !(files.logExists && files.hasSharedIndex) else {
      return .readOnly
    }
    return files.hasLog ? .detached : .immutable
  }
}

extension SQLiteConnection {
  /// Opens a store for reading for as long as one likes, beside writers.
  ///
  /// Where locks and side files are impossible, in a folder that cannot be written, beside a log that is
  /// none, or on a file system without locks, it is read without them.
  ///
  /// - Throws: ``SQLiteError``.
  static func openForReading(_ path: String, busyTimeout: Duration = StoreOptions.defaultTimeout) throws
    -> SQLiteConnection
  {
    let files = SQLiteProbe.SideFiles(path)
    if files.hasUnreadableLog, !files.hasJournal {
      return try SQLiteConnection(path: path, mode: .detached, busyTimeout: busyTimeout)
    }
    let connection = try SQLiteConnection(path: path, mode: .readOnly, busyTimeout: busyTimeout)
    do {
      _ = try connection.int64("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch let failure as SQLiteError where [.cantOpen, .readOnly, .noLocks].contains(failure.category) {
      connection.close()
      let mode = Mode.reading(path)
      return try SQLiteConnection(
        path: path, mode: mode == .readOnly ? .detached : mode, busyTimeout: busyTimeout)
    }
  }
}
