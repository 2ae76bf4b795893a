import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// A SQLite store seen through one connection: what reading and writing have in common.
class SQLiteSession: SQLSession {
  let store: SQLiteStore
  /// The connection; nil for a session that has not begun.
  @safe @exclusivity(unchecked) final fileprivate(set) var begun: PooledConnection?

  init(_ store: SQLiteStore, _ pooled: PooledConnection?) {
    self.store = store
    begun = pooled
  }

  /// The origin of rows that the session reads.
  var origin: RowCache.Origin { .commit }

  final var pooled: PooledConnection {
    guard let begun else { preconditionFailure("a session reads before it has begun") }
    return begun
  }
  final var connection: SQLiteConnection { pooled.connection }

  /// Runs a body and turns what SQLite says into an error of the store's.
  final func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError {
      if let failure = connection.takeFunctionFailure() { throw failure }
      throw GraphStoreError(error, path: path)
    }
  }

  /// Runs a statement with its values bound, and turns failures into the store's errors.
  final func run(_ sql: String, _ bindings: [SQLBinding], _ body: (SQLiteStatement) throws -> Void) throws {
    try reporting {
      try connection.withStatement(sql) { statement in
        for (position, binding) in bindings.enumerated() { try statement.bind(binding, at: position + 1) }
        try body(statement)
      }
    }
  }

  /// Runs the statement of a fetch, which ends as soon as the task is cancelled that runs it (CTX-321).
  ///
  /// - Throws: `cancelled` then.
  final func runFetch(
    _ sql: String, _ bindings: [SQLBinding], _ body: (SQLiteStatement) throws -> Void
  ) throws {
    guard RequestCancellation.isPossible else {
      return try run(sql, bindings, body)
    }
    do {
      try connection.endingStatements(when: { RequestCancellation.isRequested }) {
        try run(sql, bindings, body)
      }
    } catch let error as GraphStoreError where error.isInterruption && RequestCancellation.isRequested {
      throw GraphStoreError.cancelledRequest
    }
  }

  final func metadata() throws -> [String: Value] {
    try reporting { try SQLiteLayout.readWhatIsThere(connection).metadata.all }
  }

  final func journalMode() throws -> String? {
    try reporting { try connection.string("PRAGMA journal_mode") }
  }

  final func greatestKey(_ root: EntityLayout) throws -> Int64 {
    guard store.entities.holds(root.entity) else { return 0 }
    let entity = schema.entities[root.index]
    var greatest: Int64 = 0
    try run(statements.greatestKeys(entity.table), [.integer(Int64(entity.namingNumber))]) { statement in
      // A missing value is read as 0.
      if try statement.step() { greatest = max(statement.int64(at: 0), statement.int64(at: 1), 0) }
    }
    return greatest
  }

  /// The last key that an entity tree was given, by the counter alone: where the table cannot be read.
  final func countedKey(_ root: EntityLayout) throws -> Int64 {
    var counted: Int64 = 0
    let number = Int64(schema.entities[root.index].namingNumber)
    try run(statements.countedKey, [.integer(number)]) { statement in
      if try statement.step() { counted = max(statement.int64(at: 0), 0) }
    }
    return counted
  }

  /// The changes that bring the indexes into line with the model.
  final func indexDifference() throws -> IndexChanges {
    try reporting {
      let comparison = try SQLiteIndexComparison(connection, schema)
      return IndexChanges(made: comparison.missing.map(\.name), removed: comparison.surplus)
    }
  }

  /// Keys as the one parameter of a list of any length (PRD-236).
  static func list(_ keys: some Collection<Int64>) -> String {
    // A sign, nineteen digits and a comma.
    unsafe String(unsafeUninitializedCapacity: 2 + 21 * keys.count) { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      var end = unsafe start
      for key in keys {
        unsafe end.pointee = unsafe UInt8(ascii: end == start ? "[" : ",")
        unsafe end += 1
        if key < 0 {
          unsafe end.pointee = UInt8(ascii: "-")
          unsafe end += 1
        }
        unsafe end += WholeNumberText.write(key.magnitude, to: end)
        unsafe assert(end < start + buffer.count)
      }
      if keys.isEmpty {
        unsafe end.pointee = UInt8(ascii: "[")
        unsafe end += 1
      }
      unsafe end.pointee = UInt8(ascii: "]")
      return unsafe end - start + 1
    }
  }
}

/// A connection that reads, inside one read transaction.
final class SQLiteReadSession: SQLiteSession, ReadSession, ExplainingSession, IndexReadingSession {
  private let use: ReadUse
  private var commitNumber = 0

  override var origin: RowCache.Origin {
    use.contains(.oneRecord) ? .record(commitNumber) : .snapshot(commitNumber)
  }

  /// A session that has yet to begin.
  init(_ store: SQLiteStore, _ use: ReadUse) {
    self.use = use
    super.init(store, nil)
  }

  /// A single statement is a read transaction by itself.
  func begin() throws {
    assert(begun == nil, "a session begins once")
    try store.checkProcess()
    begun = try store.reporting { try store.pool.takeReader(takesReaderSlot: use.takesReaderSlot) }
    do {
      try store.checkFileNowAndThen(connection)
    } catch {
      store.pool.giveBackReader(pooled, takesReaderSlot: use.takesReaderSlot)
      begun = nil
      throw error
    }
    // Before the first statement, with which the snapshot begins.
    commitNumber = use.contains(.oneRecord) ? rowCache.commitCount : rowCache.beginSnapshot()
    guard use.contains(.severalStatements) else { return }
    do {
      try reporting { try connection.withoutCounting { try connection.execute("BEGIN") } }
    } catch {
      endReading()
      throw error
    }
  }

  func endReading() {
    guard let pooled = begun else { return }
    // Nothing was written, so that a failure has nothing to say.
    if use.contains(.severalStatements) { connection.withoutCounting { try? connection.rollback() } }
    if !use.contains(.oneRecord) { rowCache.endSnapshot(commitNumber) }
    begun = nil
    store.pool.giveBackReader(pooled, takesReaderSlot: use.takesReaderSlot)
    store.removeRetiredData()
  }
}

extension ReadUse {
  /// Whether others wait for the connection.
  fileprivate var takesReaderSlot: Bool { !contains(.runsCallbacks) }
}

extension SQLiteStatement {
  func bind(_ binding: SQLBinding, at index: Int) throws {
    switch binding {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .double(let value): try bind(value, at: index)
    case .timestamp(let seconds): try bind(timestamp: seconds, at: index)
    case .text(let value): try bind(value, at: index)
    case .blob(let bytes): try unsafe bytes.withUnsafeBytes { try unsafe bind(blobCopying: $0, at: index) }
    }
  }
}
