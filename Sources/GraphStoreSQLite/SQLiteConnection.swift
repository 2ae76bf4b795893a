import CGraphStoreShims
import CGraphStoreSQLite
import Glibc
import GraphStoreFiles

/// A connection to one SQLite database.
///
/// It has no lock of its own: its owner ensures that one thread at a time uses it and its statements. Only
/// its ``interrupter`` may be used from anywhere.
///
/// Every connection runs with an untrusted schema: defensive mode is on, extensions cannot be loaded,
/// triggers and views found in the file are not run, and double-quoted text is never a string.
@safe public final class SQLiteConnection {
  /// Mode in which a file is opened.
  public enum Mode: Hashable, Sendable {
    /// For reading only; the file must exist.
    case readOnly
    /// For reading only, without locks and side files, on the promise that no process changes the file
    /// meanwhile.
    case immutable
    /// For reading only, without locks and new side files, a log beside the file applied in memory, on the
    /// promise that no process changes the file meanwhile.
    case detached
    /// For reading and writing; the file must exist.
    case readWrite
    /// For reading and writing; a file that does not exist is made.
    case create
  }

  /// The file's path as it was passed; nil for a database in memory.
  public let path: String?
  /// The mode in which the file was opened.
  public let mode: Mode
  let monitor: SQLiteMonitor
  var handle: OpaquePointer?
  var cache: SQLiteStatementCache
  var savepointDepth = 0
  /// Keeps what makes collations alive as long as SQLite may ask it.
  var collationSource: AnyObject?
  /// The files that the path led to before and after opening, one of which it is: the process records both as
  /// open while the connection is.
  private var files: (former: FileIdentity?, present: FileIdentity?)
  /// Whether a log and its index that the connection makes are removed with it: SQLite removes them with a
  /// connection that may write only.
  private let removesLog: Bool

  /// Opens a file; a read-only file or folder opened for writing shows at the first write, not here.
  ///
  /// - Parameters:
  ///   - path: A path in the file system; `:memory:` and `file:` have no special meaning.
  ///   - mode: For reading, writing, or making it.
  ///   - busyTimeout: How long a statement waits for a lock held by another connection.
  ///   - cachedStatements: How many prepared statements ``statement(_:)`` keeps.
  public convenience init(
    path: String, mode: Mode, busyTimeout: Duration = .seconds(5), cachedStatements: Int = 128
  ) throws(SQLiteError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(code: .cantOpen, message: "a path must have at least one character and no NUL")
    }
    let name = mode == .immutable ? Self.immutableName(path) : Self.plainName(path)
    try self.init(
      name: name, path: path, mode: mode, busyTimeout: busyTimeout, cachedStatements: cachedStatements)
  }

  /// Opens a new database in memory.
  public static func inMemory() throws(SQLiteError) -> SQLiteConnection {
    try SQLiteConnection(
      name: ":memory:", path: nil, mode: .create, busyTimeout: .zero, cachedStatements: 128)
  }

  /// Opens a new database that is kept in memory while it is small and in a private file when it grows.
  public static func temporary() throws(SQLiteError) -> SQLiteConnection {
    try SQLiteConnection(name: "", path: nil, mode: .create, busyTimeout: .zero, cachedStatements: 128)
  }

  private init(name: String, path: String?, mode: Mode, busyTimeout: Duration, cachedStatements: Int)
    throws(SQLiteError)
  {
    self.path = path
    self.mode = mode
    self.monitor = SQLiteMonitor(busyTimeout: busyTimeout)
    self.cache = SQLiteStatementCache(bound: cachedStatements)
    removesLog = mode == .readOnly && path.map(Self.isAlone) == true
    let access: Int32 =
      switch mode {
      case .readOnly: removesLog ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
      case .detached: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let former = path.flatMap { FileIdentity($0) }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      name, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      mode == .detached ? gs_detached_vfs() : nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let error = unsafe SQLiteError(code: code, database: opened, sql: nil)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = unsafe opened
    files = (former, path.flatMap { FileIdentity($0) })
    if let former = files.former { DatabaseFiles.enter(former) }
    if let present = files.present { DatabaseFiles.enter(present) }
    if removesLog { unsafe sqlite3_exec(opened, "PRAGMA query_only = 1", nil, nil, nil) }
    unsafe harden(opened)
    if mode == .detached {
      // In exclusive mode the index of the log lives in memory; without a checkpoint at the end nothing is
      // written.
      unsafe sqlite3_exec(opened, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
      _ = unsafe gs_sqlite3_db_config_flag(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    unsafe monitor.listen(to: opened, for: SQLITE_TRACE_STMT)
    let context = unsafe Unmanaged.passUnretained(monitor).toOpaque()
    unsafe sqlite3_busy_handler(
      opened,
      { context, attempt in
        guard let context = unsafe context else { return 0 }
        let monitor = unsafe Unmanaged<SQLiteMonitor>.fromOpaque(context).takeUnretainedValue()
        return monitor.busyWait.waitsLonger(attempt: attempt, monitor.interrupter) ? 1 : 0
      }, unsafe context)
    unsafe monitor.interrupter.attach(opened)
  }

  deinit {
    close()
  }

  /// Closes kept statements and the file; calling it again does nothing.
  ///
  /// Every later use throws ``SQLiteErrorCode/misuse``. Statements that are still held keep the file until
  /// they are released.
  public func close() {
    guard let closing = unsafe handle else { return }
    unsafe handle = nil
    unsafe monitor.interrupter.attach(nil)
    cache.removeAll()
    unsafe sqlite3_trace_v2(closing, 0, nil, nil)
    unsafe sqlite3_busy_handler(closing, nil, nil)
    // Pages that others have written are theirs to write into the file.
    if removesLog, unsafe Self.hasLog(closing) {
      _ = unsafe gs_sqlite3_db_config_flag(closing, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    unsafe sqlite3_close_v2(closing)
    if let former = files.former { DatabaseFiles.leave(former) }
    if let present = files.present { DatabaseFiles.leave(present) }
  }

  /// Whether a file has none of SQLite's own files beside it: no log of others, and no journal that would be
  /// rolled back.
  private static func isAlone(_ path: String) -> Bool {
    guard let resolved = unsafe realpath(path, nil) else { return false }
    defer { unsafe free(resolved) }
    let path = unsafe String(cString: resolved)
    return ["-wal", "-shm", "-journal"].allSatisfy { FileIdentity(path + $0) == nil }
  }

  /// Whether there is a log with content beside a database.
  private static func hasLog(_ database: OpaquePointer) -> Bool {
    guard let name = unsafe sqlite3_db_filename(database, "main") else { return false }
    var status = stat()
    return unsafe stat(String(cString: name) + "-wal", &status) == 0 && status.st_size > 0
  }

  private func harden(_ database: OpaquePointer) {
    let settings: [(Int32, Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0),
    ]
    for (option, value) in settings { _ = unsafe gs_sqlite3_db_config_flag(database, option, value) }
  }

  /// SQLite may be built to read `file:` as a URI and always reads `:memory:` specially; a path is neither.
  private static func plainName(_ path: String) -> String {
    path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
  }

  private static func immutableName(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes = Array("file:".utf8)
    for byte in path.utf8 {
      switch byte {
      case 0x2d...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f, 0x7e: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    // `file://host/…` would name a host: an empty one keeps a path that begins with two slashes a path.
    if path.hasPrefix("/") { bytes.insert(contentsOf: Array("//".utf8), at: 5) }
    return String(decoding: bytes, as: UTF8.self) + "?immutable=1"
  }
}
