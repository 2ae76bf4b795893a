import CGraphStoreShims
import Dispatch
import Foundation
import GraphStoreFiles
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Synchronization

/// A store in one SQLite file, in the layout of Core Data.
///
/// Nothing outside `Stores/SQLite` sees its connections, which its sessions take from a pool.
final class SQLiteStore: SQLStore {
  /// The location of stores that are private databases in memory (STO-082).
  static let privateLocation = "/dev/null"

  var typeName: String { StoreType.sqlite.rawValue }
  let path: String
  /// Whether it is a database in memory, with one connection, for which everything takes turns.
  let isPrivate: Bool
  let scope: StoreIdentity
  let rowCache: RowCache
  let options: StoreOptions
  let isMadeByCoreData: Bool
  let warnings: [StoreWarning]
  let layout: ModelLayout
  let schema: SQLSchema
  let pool: SQLiteConnectionPool
  let statements: SQLStatements
  let indexedForms: IndexExpressionMatcher
  /// The columns of derived attributes that expressions compute.
  let derivedColumns: [SQLDerivedColumn]
  /// The storage of values with external storage.
  let externalStorage: ExternalStorage
  /// The folder beside the store in which data may be stored, also of a store that writes none there.
  let externalDataFolder: ExternalDataFolder
  /// The location of external data that rows read from the store refer to.
  let externalDataTable: ExternalDataTable
  private let identity: FileIdentity?
  /// When readers have last looked whether the file is still the one that was opened.
  let lastFileCheck = Atomic<Int64>(gs_coarse_nanoseconds())
  /// The number of forks of the process when the store was opened.
  let forkCount = gs_fork_count()
  /// The model that the file is to carry from the first write on, where it carries another one with the same
  /// hashes.
  let modelToCarry: Mutex<StoredEntities?>
  /// Whether the first write has to say that values with external storage have their prefix from now on.
  let beginsPrefixes: Mutex<Bool>
  /// The history that the file has, as of when its schema was looked at last.
  let knownHistory = Mutex(SQLiteHistoryState())
  /// The transactions of the history that were written through this handle.
  let ownTransactions = Mutex(NumberRanges())
  /// The settings of SQLite that its connections have.
  let pragmas: SQLitePragmas
  /// Whether something was committed through this handle: what was only read needs no care when it is closed.
  let hasCommitted = Atomic(false)
  /// Whether it has a write-ahead log, once that was asked for.
  let hasLog = Mutex<Bool?>(nil)
  /// What it tells of its connections and statements.
  let log: SQLiteStoreLog

  /// - Parameters:
  ///   - connection: The connection with which the file was opened.
  ///   - options: How it was opened.
  ///   - externalPrefix: Since when values with external storage have their prefix.
  ///   - modelToCarry: The model that the file is to carry from the first write on.
  ///   - label: What it is called beside others.
  ///   - former: A store whose identity and row cache it keeps, where that has the same UUID.
  ///   - rowCache: The row cache that it takes over from any other; nil for its own.
  ///   - log: The log that the connection has.
  init(
    path: String, identifier: UUID, layout: ModelLayout, schema: SQLSchema, connection: SQLiteConnection,
    _ options: StoreOptions, isMadeByCoreData: Bool = false, externalPrefix: ExternalPrefix = .always,
    warnings: [StoreWarning] = [], modelToCarry: StoredEntities? = nil, label: StoreLabel? = nil,
    continuing former: SQLiteStore? = nil, rowCache: RowCache? = nil, log: SQLiteStoreLog? = nil
  ) throws {
    let path = AbsolutePath.of(path)
    let isPrivate = path == Self.privateLocation
    let identity = isPrivate ? nil : FileIdentity(path)
    self.isPrivate = isPrivate
    self.path = path
    self.identity = identity
    self.layout = layout
    self.schema = schema
    self.options = options
    self.isMadeByCoreData = isMadeByCoreData
    self.warnings = warnings
    self.modelToCarry = Mutex(modelToCarry)
    self.beginsPrefixes = Mutex(externalPrefix == .sinceFirstWrite)
    let same = former?.scope.identifier == identifier ? former : nil
    scope = same?.scope ?? StoreIdentity(identifier, model: layout.model, label: label)
    self.rowCache = same?.rowCache ?? rowCache ?? RowCache(layout)
    externalDataFolder = same?.externalDataFolder ?? ExternalDataFolder(besideStoreAt: path)
    externalDataTable = same?.externalDataTable ?? ExternalDataTable(folder: externalDataFolder)
    externalStorage =
      externalPrefix == .never
      ? .unprefixed
      : isPrivate || options.externalStorageInline
        ? .inline : .files(threshold: options.externalStorageThreshold)
    statements = SQLStatements(schema: schema, layout: layout, dialect: SQLiteDialect())
    indexedForms = IndexExpressionMatcher(schema, SQLiteDialect())
    derivedColumns = layout.derivedAttributes.compactMap { SQLDerivedColumn($0, in: schema, SQLiteDialect()) }
    let log = log ?? SQLiteStoreLog(path)
    log.adopt(scope.uuid, schema)
    self.log = log
    let pragmas = try SQLitePragmas(options.sqlitePragmas, isInFile: !isPrivate)
    try pragmas.apply(to: connection, path: path)
    self.pragmas = pragmas
    let timeout = connection.busyTimeout
    let connections = isPrivate ? 1 : options.connectionPoolMaxSize
    let isReadOnly = options.isReadOnly
    pool = try SQLiteConnectionPool(connection, path: path, capacity: connections) {
      // The database in memory ends with its connection.
      if isPrivate { throw Self.replaced(path, identifier, schema.stored) }
      log.openingAnother()
      let other =
        try isReadOnly
        ? SQLiteConnection.openForReading(path, busyTimeout: timeout)
        : SQLiteConnection(path: path, mode: .readWrite, busyTimeout: timeout)
      other.log = log
      guard FileIdentity(path) == identity else { throw Self.replaced(path, identifier, schema.stored) }
      try pragmas.apply(to: other, path: path)
      return other
    }
  }

  var isReadOnly: Bool { options.isReadOnly }

  var isInFile: Bool { !isPrivate }

  /// Works on what another store holds, through its connections and with a row cache of its own, as another
  /// process does with a file.
  init(sharing other: SQLiteStore) {
    path = other.path
    isPrivate = other.isPrivate
    identity = other.identity
    layout = other.layout
    schema = other.schema
    options = other.options
    pragmas = other.pragmas
    isMadeByCoreData = other.isMadeByCoreData
    warnings = other.warnings
    modelToCarry = Mutex(nil)
    beginsPrefixes = Mutex(false)
    scope = other.scope
    rowCache = RowCache(other.layout)
    externalStorage = other.externalStorage
    externalDataFolder = other.externalDataFolder
    externalDataTable = other.externalDataTable
    statements = other.statements
    indexedForms = other.indexedForms
    derivedColumns = other.derivedColumns
    pool = other.pool
    log = other.log
  }

  var entities: StoredEntities { schema.stored }

  var statementCounts: StatementCounts { pool.statementCounts }

  func setStopped(_ isStopped: Bool) { pool.setStopped(isStopped) }

  func close() {
    let request = SQLLogRequest.begin()
    defer { request?.end() }
    pool.close(after: tidyUp)
    log.disconnecting()
    externalDataFolder.removeRetired { nil }
  }

  func closeWhenUnused() throws {
    let request = SQLLogRequest.begin()
    defer { request?.end() }
    try pool.closeWhenUnused(after: tidyUp)
    log.disconnecting()
    externalDataFolder.removeRetired { nil }
  }

  /// Removes files of replaced values that no open read transaction can name any more.
  func removeRetiredData() {
    guard layout.hasExternalData, externalDataFolder.hasRetired else { return }
    externalDataFolder.removeRetired { rowCache.oldestSnapshot }
  }

  // MARK: Exclusive use

  func setExclusiveAccess(_ use: ExclusiveAccess?) { pool.setExclusiveAccess(use) }

  func waitUntilUnused(but own: [any ReadSession], until deadline: DispatchTime) throws {
    try pool.waitUntilUnused(but: connections(of: own), until: deadline)
  }

  func isUnused(but own: [any ReadSession], and condition: () -> Bool) -> Bool {
    pool.isUnused(but: connections(of: own), and: condition)
  }

  /// The number of the store's connections that sessions have.
  private func connections(of sessions: [any ReadSession]) -> Int {
    sessions.count { ($0 as? SQLiteSession)?.store.pool === pool }
  }

  // MARK: Sessions

  func makeSession(_ use: ReadUse) -> any ReadSession {
    if isPrivate, use.contains(.runsCallbacks) { return SQLiteCollectingSession(self) }
    return SQLiteReadSession(self, use)
  }

  func beginWriting(isShared: Bool) throws -> any WriteSession {
    try SQLiteWriteSession(self, isShared: isShared)
  }

  /// Runs a body and turns what SQLite says into an error of the store's.
  func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError { throw GraphStoreError(error, path: path) }
  }
}
