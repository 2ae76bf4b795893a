import CGraphStoreShims
import CGraphStoreSQLite

extension SQLiteConnection {
  /// The version of SQLite, such as `3.45.1`.
  public static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }

  /// Rows changed by the last INSERT, UPDATE or DELETE.
  public var changes: Int { unsafe handle.map { unsafe Int(sqlite3_changes64($0)) } ?? 0 }

  /// Rows changed since the connection was opened.
  public var totalChanges: Int { unsafe handle.map { unsafe Int(sqlite3_total_changes64($0)) } ?? 0 }

  /// The row id of the last INSERT.
  public var lastInsertRowID: Int64 { unsafe handle.map(sqlite3_last_insert_rowid) ?? 0 }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { unsafe handle.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Whether nothing can be written, by mode or because the file refuses it.
  public var isReadOnly: Bool {
    guard let handle = unsafe handle, mode == .readWrite || mode == .create else { return true }
    return unsafe sqlite3_db_readonly(handle, "main") != 0
  }

  /// Whether the file of the database was moved, removed, or replaced by another one since it was opened.
  public var hasFileMoved: Bool {
    guard let handle = unsafe handle else { return false }
    var hasMoved: Int32 = 0
    guard unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK else {
      return false
    }
    return hasMoved != 0
  }

  /// Whether the log beside the database stays as it is when the last connection is closed, instead of being
  /// written into the database.
  public func setKeepsLog(_ keepsLog: Bool) {
    guard let handle = unsafe handle else { return }
    _ = unsafe gs_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keepsLog ? 1 : 0)
  }

  /// Whether the connection can still be used.
  public var isOpen: Bool { unsafe handle != nil }

  /// How long a statement waits for a lock held by another connection.
  public var busyTimeout: Duration {
    get { monitor.busyWait.timeout }
    set { monitor.busyWait.timeout = newValue }
  }

  /// The number of statements that began to run, BEGIN and COMMIT included.
  public var statementCount: Int { statementCounts.total }

  /// The number of statements by their kinds.
  public var statementCounts: StatementCounts { monitor.statements.counts }

  /// Called with the text, without values, of each statement that begins to run.
  public var onStatement: ((String) -> Void)? {
    get { monitor.observer }
    set { monitor.observer = newValue }
  }

  /// Runs a body whose statements are neither counted nor observed: those that only examine other statements.
  public func withoutCounting<Result>(_ body: () throws -> Result) rethrows -> Result {
    let wasSilent = monitor.isSilent
    monitor.isSilent = true
    defer { monitor.isSilent = wasSilent }
    return try body()
  }

  /// Ends what the connection is doing, from any thread.
  public var interrupter: SQLiteInterrupter { monitor.interrupter }

  /// The number of instructions of SQLite's machine between two checks: some microseconds.
  private static let checkInterval: Int32 = 1000

  /// Runs a body, a statement of which fails with ``SQLiteErrorCode/interrupt`` as soon as a check says that
  /// it is to end.
  ///
  /// The check is called again and again while a statement runs, on the thread that runs it.
  public func endingStatements<Result>(
    when check: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let handle = unsafe handle else { return try body() }
    let outer = monitor.endsStatements
    monitor.endsStatements = check
    let monitor = unsafe Unmanaged.passUnretained(monitor).toOpaque()
    unsafe sqlite3_progress_handler(
      handle, Self.checkInterval,
      { monitor in
        guard let monitor = unsafe monitor else { return 0 }
        let check = unsafe Unmanaged<SQLiteMonitor>.fromOpaque(monitor).takeUnretainedValue().endsStatements
        return check?() == true ? 1 : 0
      }, unsafe monitor)
    defer {
      self.monitor.endsStatements = outer
      if outer == nil, let handle = unsafe self.handle {
        unsafe sqlite3_progress_handler(handle, 0, nil, nil)
      }
    }
    return try body()
  }

  /// Ends what the connection is doing: see ``SQLiteInterrupter/interrupt()``.
  public func interrupt() {
    monitor.interrupter.interrupt()
  }
}

extension SQLiteConnection {
  /// The whole database as the bytes of a file, the transaction that is open included.
  public func image() throws(SQLiteError) -> [UInt8] {
    let database = try unsafe openHandle()
    var length: sqlite3_int64 = 0
    guard let bytes = unsafe sqlite3_serialize(database, "main", &length, 0) else {
      throw SQLiteError(code: .noMemory, message: "there is no memory for an image of the database")
    }
    defer { unsafe sqlite3_free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
  }

  /// Writes the whole database over another one, page for page.
  ///
  /// - Parameter other: An open database without a transaction.
  public func copy(into other: SQLiteConnection) throws(SQLiteError) {
    let source = try unsafe openHandle()
    let destination = try unsafe other.openHandle()
    guard let backup = unsafe sqlite3_backup_init(destination, "main", source, "main") else {
      throw unsafe SQLiteError(code: sqlite3_errcode(destination), database: destination, sql: nil)
    }
    let step = unsafe sqlite3_backup_step(backup, -1)
    let code = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, database: destination, sql: nil) }
    // A lock that could not be had is no failure to SQLite, which takes it that the step is repeated.
    guard step == SQLITE_DONE else {
      throw SQLiteError(code: SQLiteErrorCode(rawValue: step), message: "the database is locked")
    }
  }

  /// The most columns that a table can have.
  public var columnLimit: Int {
    unsafe handle.map { unsafe Int(sqlite3_limit($0, SQLITE_LIMIT_COLUMN, -1)) } ?? 0
  }
}
