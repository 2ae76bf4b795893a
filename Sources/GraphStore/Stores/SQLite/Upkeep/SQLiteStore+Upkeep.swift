import CGraphStoreShims
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteStore: MaintainedStore {
  func effectivePragmas() throws -> [String: Value] {
    try checkProcess()
    return try reporting { try pool.askingQuietly { try SQLitePragmas.effective(on: $0) } }
  }

  func checkpoint(_ mode: CheckpointMode) throws -> CheckpointResult {
    try checkUpkeep()
    // SQLite itself waits for the writer, where that is asked for.
    return try reporting {
      try pool.askingQuietly { connection in
        try checkFile(connection)
        return try connection.checkpoint(mode)
      }
    }
  }

  func vacuum() throws {
    try withWriter { connection in
      try withFileForm(connection) { try connection.execute("VACUUM") }
      // The new content is in the log: only in the file it takes less room than the old one.
      _ = try? connection.checkpoint(.truncate)
    }
    pool.noteCommit()
  }

  func analyze() throws {
    try withWriter { try $0.execute("ANALYZE") }
    // Connections read the statistics with the schema.
    pool.closeFree()
  }

  /// Sets what a full vacuum changes of the file's form, which runs in a body.
  private func withFileForm(_ connection: SQLiteConnection, _ body: () throws -> Void) throws {
    if let mode = pragmas[.autoVacuum] { try connection.execute("PRAGMA auto_vacuum = \(mode.number)") }
    guard let size = pragmas[.pageSize], try connection.int64("PRAGMA page_size") != size.number else {
      return try body()
    }
    let usesLog = try connection.usesLog()
    if usesLog {
      // With a log beside it a file keeps the size of its pages.
      pool.closeFree()
      guard try connection.string("PRAGMA journal_mode = DELETE") == "delete" else {
        throw SQLiteError(code: .busy, message: "the database is locked")
      }
    }
    defer { if usesLog { _ = try? connection.string("PRAGMA journal_mode = WAL") } }
    try connection.execute("PRAGMA page_size = \(size.number)")
    try body()
  }

  /// Runs a body with the one connection that may write, outside of a transaction.
  private func withWriter(_ body: (SQLiteConnection) throws -> Void) throws {
    try checkUpkeep()
    let pooled = try reporting { try pool.takeWriter() }
    defer { pool.giveBackWriter(pooled) }
    try checkFile(pooled.connection)
    try reporting { try body(pooled.connection) }
  }

  /// - Throws: `read-only-store`, `store-forked`.
  private func checkUpkeep() throws {
    try checkProcess()
    guard isReadOnly else { return }
    throw GraphStoreError(
      .readOnlyStore, "\(path) is open for reading only.", remedy: "Open it for writing to take care of it.")
  }
}

/// Free pages and statistics, seen to by the way.
extension SQLiteStore {
  /// How many free pages a save may leave, and how many are given back at a time (STO-199).
  static let freePageLimit = 1000
  /// How many rows of an index the statistics go by that are renewed when a store is closed.
  private static let analyzedRows = 400

  /// The number of free pages of the file.
  ///
  /// Within a transaction that writes the first page is in memory, so that it costs neither a lock nor a
  /// read.
  func freePageCount(_ connection: SQLiteConnection) -> Int {
    Int((try? connection.withoutCounting { try connection.int64("PRAGMA freelist_count") }) ?? 0)
  }

  /// Gives free pages back to the file system, a limited number of them, where nobody else writes.
  func giveBackFreePages(_ connection: SQLiteConnection) {
    let timeout = connection.busyTimeout
    connection.busyTimeout = .zero
    defer { connection.busyTimeout = timeout }
    connection.withoutCounting {
      try? connection.execute("PRAGMA incremental_vacuum(\(Self.freePageLimit))")
    }
  }

  /// Does what is due when a store is closed that was written to: statistics that have grown old are renewed,
  /// free pages given back. What cannot be done is left to the next one.
  func tidyUp(_ connection: SQLiteConnection) {
    guard hasCommitted.load(ordering: .relaxed), isInFile, gs_fork_count() == forkCount,
      !connection.hasFileMoved
    else { return }
    connection.busyTimeout = .zero
    connection.withoutCounting {
      try? connection.execute("PRAGMA analysis_limit = \(Self.analyzedRows); PRAGMA optimize")
    }
    if freePageCount(connection) > 0 { giveBackFreePages(connection) }
  }
}

extension SQLiteConnection {
  /// Writes the log beside the database into it, as far as other connections let it.
  func checkpoint(_ mode: CheckpointMode) throws -> CheckpointResult {
    try withStatement("PRAGMA wal_checkpoint(\(mode.rawValue))") { row in
      guard try row.step() else { return CheckpointResult(pagesInLog: 0, pagesMoved: 0, isBlocked: false) }
      // Without a log SQLite says -1.
      return CheckpointResult(
        pagesInLog: max(0, Int(row.int64(at: 1))), pagesMoved: max(0, Int(row.int64(at: 2))),
        isBlocked: row.int64(at: 0) != 0)
    }
  }
}
