#if PostgreSQL
import CGraphStoreShims
import Dispatch
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Synchronization

/// A store in one schema of a database on a PostgreSQL server.
///
/// Nothing outside of this target sees its connections, which its sessions take from a pool.
final class PostgreSQLStore: SQLStore {
  let address: PostgreSQLAddress
  let scope: StoreIdentity
  let rowCache: RowCache
  let options: StoreOptions
  let layout: ModelLayout
  let schema: SQLSchema
  let dialect: PostgreSQLDialect
  let pool: PostgreSQLPool
  let statements: SQLStatements
  let tables: PostgreSQLTables
  let keys: PostgreSQLKeys
  let history: PostgreSQLHistoryTables
  let commits: PostgreSQLCommitSignal
  /// What a transaction has to know before it writes: whether a history is kept, the number of the table with
  /// the metadata, its own number, and when the server was started.
  ///
  /// The metadata are read, and so locked until the end: nobody exchanges the store any more.
  let beginning: String
  /// The transactions of the history that were written through this handle.
  let ownTransactions = Mutex(NumberRanges())
  private let historyState: Mutex<Bool>
  let isReadOnly: Bool
  /// The server's number of the table with the metadata: another one is that of a store that has taken the
  /// place of this one.
  let tableNumber: Int64
  /// The columns of derived attributes that the server computes exactly.
  private let derivedColumns: [SQLDerivedColumn]
  private let indexedForms: IndexExpressionMatcher
  /// The number of forks of the process when the store was opened.
  private let forkCount = gs_fork_count()

  /// - Parameters:
  ///   - connection: The connection with which it was opened.
  ///   - isReadOnly: Whether it cannot be written, by its options or since the server is a standby.
  ///   - keepsHistory: Whether it keeps a history.
  init(
    _ address: PostgreSQLAddress, _ connection: PostgreSQLConnection, identifier: UUID,
    schema: PostgreSQLSchema,
    layout: ModelLayout, _ options: StoreOptions, isReadOnly: Bool, keepsHistory: Bool,
    label: StoreLabel?, rowCache: RowCache?, tableNumber: Int64, stop: StopFlag
  ) {
    self.address = address
    self.tableNumber = tableNumber
    self.options = options
    self.layout = layout
    self.schema = schema.tables
    dialect = schema.dialect
    self.isReadOnly = isReadOnly
    scope = StoreIdentity(identifier, model: layout.model, label: label)
    self.rowCache = rowCache ?? RowCache(layout)
    statements = SQLStatements(schema: schema.tables, layout: layout, dialect: schema.dialect)
    tables = PostgreSQLTables(schema: schema.tables, dialect: schema.dialect)
    keys = PostgreSQLKeys(schema.tables, path: address.text)
    history = PostgreSQLHistoryTables(schema.dialect)
    commits = PostgreSQLCommitSignal(identifier, schema: address.schema)
    beginning = history.isKept(with: [
      "(\(tables.identity))", "pg_current_xact_id()::text", PostgreSQLCommitInquiry.serverStart,
    ])
    historyState = Mutex(keepsHistory)
    derivedColumns = layout.derivedAttributes.compactMap {
      SQLDerivedColumn($0, in: schema.tables, schema.dialect)
    }
    indexedForms = IndexExpressionMatcher(schema.tables, schema.dialect)
    pool = PostgreSQLPool(
      address, first: connection, timeout: options.timeout, capacity: options.connectionPoolMaxSize,
      stop: stop)
  }

  /// Works on what another store holds, through its connections and with a row cache of its own, as another
  /// process does.
  private init(sharing other: PostgreSQLStore) {
    address = other.address
    options = other.options
    layout = other.layout
    schema = other.schema
    dialect = other.dialect
    isReadOnly = other.isReadOnly
    tableNumber = other.tableNumber
    scope = other.scope
    rowCache = RowCache(other.layout)
    statements = other.statements
    tables = other.tables
    keys = other.keys
    history = other.history
    commits = other.commits
    beginning = other.beginning
    historyState = Mutex(other.wasKeepingHistory)
    derivedColumns = other.derivedColumns
    indexedForms = other.indexedForms
    pool = other.pool
  }

  /// Whether a history was kept when that was looked at last.
  var wasKeepingHistory: Bool {
    get { historyState.withLock(\.self) }
    set { historyState.withLock { $0 = newValue } }
  }

  var typeName: String { StoreType.postgreSQL.rawValue }
  var path: String { address.text }
  var url: URL { URL(string: path) ?? URL(fileURLWithPath: "/") }
  var isInFile: Bool { false }
  var isMadeByCoreData: Bool { false }
  var warnings: [StoreWarning] { [] }
  var entities: StoredEntities { schema.stored }

  /// The size of its tables with their indexes.
  func byteCount() throws -> Int {
    try reportingPostgreSQL(path) {
      try withConnection { connection in
        let cursor = try connection.run(tables.sizes())
        var bytes = 0
        while try cursor.step() { bytes += Int(cursor.int64(at: 1)) }
        return bytes
      }
    }
  }

  /// Statements by their kinds are not counted apart.
  var statementCounts: StatementCounts {
    var counts = StatementCounts()
    counts.other = pool.counts.statements
    return counts
  }

  func sharing() -> any PersistentStore { PostgreSQLStore(sharing: self) }

  /// Connections cannot be used by two processes.
  ///
  /// - Throws: `store-forked`.
  func checkProcess() throws {
    guard gs_fork_count() != forkCount else { return }
    throw GraphStoreError(
      .storeForked, "\(path) was opened before the process was forked.",
      remedy: "Open the store in the new process; the connections of the old one stay its own.")
  }

  func planner(for request: StoreRequest) -> SQLPlanner {
    SQLPlanner(schema: schema, dialect: dialect, storeUUID: scope.uuid, indexedForms: indexedForms)
  }

  /// The statement that computes a derived attribute; nil where memory does.
  func derivedColumn(of derived: DerivedAttribute) -> SQLDerivedColumn? {
    derivedColumns.first { $0.derived.attribute === derived.attribute }
  }

  /// Runs a body with a connection beside that of a transaction.
  func withConnection<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    let connection = try pool.takeReader(takesSlot: false)
    defer { pool.giveBackReader(connection, takesSlot: false) }
    return try body(connection)
  }

  // MARK: Sessions

  func makeSession(_ use: ReadUse) -> any ReadSession { PostgreSQLReadSession(self, use) }

  func beginWriting(isShared: Bool) throws -> any WriteSession {
    if isReadOnly { throw GraphStoreError.standby(path, remedy: "Write to the primary.") }
    return try PostgreSQLWriteSession(self, isShared: isShared)
  }

  func setStopped(_ isStopped: Bool) { pool.setStopped(isStopped) }

  func close() { pool.close() }

  func closeWhenUnused() throws { try pool.closeWhenUnused() }

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
    sessions.count { ($0 as? PostgreSQLSession)?.store.pool === pool }
  }
}
#endif
