import GraphStoreFiles
import GraphStoreModel
import GraphStoreSQLite

/// Compaction of a SQLite store: room on the disk that no record needs is given back.
///
/// The log is written into the file, the file is written anew without free pages, and files of external data
/// that no row names are removed.
///
/// ```swift
/// let result = try StoreCompaction(path: "company.db").run()
/// print(result.before.total, "bytes before,", result.after.total, "after")
/// for left in result.unfinished { print(left.message) }
/// ```
public struct StoreCompaction: Sendable {
  /// The store's file.
  public let path: String
  /// The room that the store takes.
  public let before: StoreSize
  /// The bytes of the file's free pages.
  public let freeBytes: Int
  /// The files of external data that no row names; nil where that cannot be known, which
  /// ``Result/unfinished`` of a run says.
  public let unnamedFiles: UnnamedFiles?
  private let model: ManagedObjectModel?
  private let timeout: Duration

  /// Looks at what there is to be given back; the store is left as it is.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - given: The model of a store that carries none; without one its external data stay as they are.
  ///   - timeout: How long a run waits for other processes, all in all.
  /// - Throws: ``GraphStoreError``: what is wrong with the path, from `store-not-found` to `store-corrupt`;
  ///   `incompatible-model` for another model than the store's.
  public init(
    path: String, model given: ManagedObjectModel? = nil, timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    (self.path, model, self.timeout) = (path, given, timeout)
    try StoreType.checkIsSQLite(
      path, for: "Compacting",
      remedy: ServerAddress(path) == nil
        ? "Nothing is to be done: each save writes a document anew, without room that nothing needs."
        : "The server gives room back by itself, by its autovacuum.")
    _ = try SQLiteProbe.probe(path).metadata(path: path)
    before = StoreSize(path: path)
    do {
      let connection = try SQLiteConnection.openForReading(path, busyTimeout: timeout)
      defer { connection.close() }
      let size = try connection.int64("PRAGMA page_size") ?? 0
      freeBytes = Int(try (connection.int64("PRAGMA freelist_count") ?? 0) * size)
      unnamedFiles = try Self.unnamedFiles(connection, path: path, model: given)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// Gives back what can be given back beside others that have the store open.
  ///
  /// It waits for them no longer than the time-out, all in all. Whoever is killed meanwhile leaves the store
  /// with all of its records. While the file is written anew, it needs its size on the disk twice more.
  ///
  /// - Returns: The room before and after, and what others have kept it from doing.
  /// - Throws: `store-corrupt` for a file with damage, which is left as it is; `store-permission`,
  ///   `disk-full`.
  public func run() throws -> Result {
    let deadline = ContinuousClock.now + timeout
    do {
      var unfinished = try rewriteFile(until: deadline)
      let removed = try removeUnnamedFiles(until: deadline, &unfinished)
      return Result(
        before: before, after: StoreSize(path: path), removed: removed, unfinished: unfinished)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  // MARK: The file

  private func rewriteFile(until deadline: ContinuousClock.Instant) throws -> [Unfinished] {
    let (connection, _) = try SQLiteStore.connect(path, StoreOptions(timeout: timeout))
    defer { connection.close() }
    connection.setKeepsLog(false)
    try SQLiteStore.checkWritable(connection, path)
    try SQLiteDialect.install(on: connection)
    try checkIntegrity(connection)
    // Beside a reader of a former state the new content would lie in the log, beside the old file.
    guard try foldLog(connection, until: deadline) else { return [.file, .log] }
    connection.busyTimeout = Self.rest(until: deadline)
    guard try Self.vacuum(connection) else { return [.file] }
    return try foldLog(connection, until: deadline) ? [] : [.log]
  }

  /// Whether the file was written anew, and no other connection kept it from that.
  private static func vacuum(_ connection: SQLiteConnection) throws -> Bool {
    do {
      try connection.execute("VACUUM")
      return true
    } catch {
      guard error.category == .busy else { throw error }
      return false
    }
  }

  /// Whether the log is in the file, and empty.
  private func foldLog(
    _ connection: SQLiteConnection, until deadline: ContinuousClock.Instant
  ) throws -> Bool {
    connection.busyTimeout = Self.rest(until: deadline)
    return try !connection.checkpoint(.truncate).isBlocked
  }

  private static func rest(until deadline: ContinuousClock.Instant) -> Duration {
    max(.zero, deadline - .now)
  }

  /// Damage may be what a person wants to look at: nothing of it is written anew.
  private func checkIntegrity(_ connection: SQLiteConnection) throws {
    let words = try connection.string("PRAGMA quick_check(1)") ?? ""
    guard words != "ok" else { return }
    throw GraphStoreError(
      .storeCorrupt, "\(path) is damaged: \(words).",
      remedy: "Check the store, which says what is damaged, and restore a backup; nothing was changed.")
  }

  // MARK: External data

  /// Removes files that no row names, with the store for itself: nobody saves then, and nobody reads a former
  /// state whose rows may name them.
  private func removeUnnamedFiles(
    until deadline: ContinuousClock.Instant, _ unfinished: inout [Unfinished]
  ) throws -> UnnamedFiles {
    guard let unnamedFiles else {
      unfinished.append(.filesWithoutModel)
      return UnnamedFiles()
    }
    if unnamedFiles.names.isEmpty { return unnamedFiles }
    let connection = try SQLiteConnection(
      path: path, mode: .readWrite, busyTimeout: Self.rest(until: deadline))
    defer { connection.close() }
    guard try Self.hasAlone(connection) else {
      unfinished.append(.files)
      return UnnamedFiles()
    }
    let present = try Self.unnamedFiles(connection, path: path, model: model) ?? UnnamedFiles()
    let folder = ExternalDataFolder(besideStoreAt: path)
    folder.remove(present.names)
    folder.removeIfEmpty()
    try connection.rollback()
    return present
  }

  /// Whether a connection has the store for itself, until it is closed.
  private static func hasAlone(_ connection: SQLiteConnection) throws -> Bool {
    do {
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      try connection.begin(.exclusive)
      return true
    } catch {
      guard error.category == .busy else { throw error }
      return false
    }
  }

  /// The files beside the store that no row names; nil where that cannot be known.
  private static func unnamedFiles(
    _ connection: SQLiteConnection, path: String, model: ManagedObjectModel?
  ) throws -> UnnamedFiles? {
    let folder = ExternalDataFolder(besideStoreAt: path)
    let files = folder.files()
    // Without files the model is not asked for; of a shared folder they may be the other store's.
    if files.isEmpty || folder.isShared { return UnnamedFiles() }
    let inspector: StoreInspector?
    if let model {
      inspector = try StoreCheck.inspector(connection, path: path, model: model)
    } else {
      inspector = try? StoreCheck.inspector(connection, path: path, model: nil)
    }
    guard var inspector else { return nil }
    inspector.findTables()
    guard let named = try inspector.namedFiles() else { return nil }
    let unnamed = files.filter { !named.contains($0.name.description) }
    return UnnamedFiles(names: unnamed.map(\.name), bytes: unnamed.reduce(0) { $0 + $1.size })
  }
}

extension StoreCompaction {
  /// Files of external data that no row names.
  public struct UnnamedFiles: Sendable {
    let names: [ExternalDataName]
    /// Their size.
    public let bytes: Int
    /// Their number.
    public var count: Int { names.count }

    init(names: [ExternalDataName] = [], bytes: Int = 0) { (self.names, self.bytes) = (names, bytes) }
  }

  /// A part of the work that was left, since others have the store open.
  public enum Unfinished: String, Hashable, Sendable {
    /// The file was not written anew: it keeps its free pages.
    case file
    /// The log is not empty, or not all of it is in the file.
    case log
    /// Files of external data that no row names are still there.
    case files
    /// Which files rows name is not known without a model.
    case filesWithoutModel

    /// What is left, and why, as a sentence without full stop.
    public var message: String {
      switch self {
      case .file: "the file was not written anew: another process reads or writes the store"
      case .log: "the log is not all in the file: another process reads or writes the store"
      case .files: "files of external data that no row names were left: another process has the store open"
      case .filesWithoutModel:
        "files of external data were left: without a model that fits, the rows that name them are not known"
      }
    }
  }

  /// Result of a compaction.
  public struct Result: Sendable {
    /// The room that the store took.
    public let before: StoreSize
    /// The room that it takes now.
    public let after: StoreSize
    /// The files of external data that were removed.
    public let removed: UnnamedFiles
    /// What was left.
    public let unfinished: [Unfinished]
  }
}
