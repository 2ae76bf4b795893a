import GraphStoreModel
import GraphStorePredicates

/// A read session of a store with one connection, for requests during which code of the program runs: it has
/// the connection for each question alone, and hands over what it has read once the connection is free again.
///
/// So the program can use the store meanwhile, and does not wait for itself. Its changes between two
/// statements of one request are seen by the second.
final class SQLiteCollectingSession: ReadSession {
  private let store: SQLiteStore
  private var commitNumber: Int?

  var origin: RowCache.Origin { commitNumber.map { .snapshot($0) } ?? .commit }

  init(_ store: SQLiteStore) {
    self.store = store
  }

  func begin() { commitNumber = store.rowCache.beginSnapshot() }

  func endReading() {
    guard let commitNumber else { return }
    store.rowCache.endSnapshot(commitNumber)
    self.commitNumber = nil
    store.removeRetiredData()
  }

  fileprivate func asking<Result>(_ body: (SQLiteReadSession) throws -> Result) throws -> Result {
    let session = SQLiteReadSession(store, [])
    try session.begin()
    defer { session.endReading() }
    return try body(session)
  }

  func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    CollectingFetch(fetch: try store.statement(of: request), session: self)
  }

  func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) throws {
    try deliver(receive) { session, collect in try session.rows(root, keys: keys, collect) }
  }

  fileprivate func deliver(
    _ receive: (inout RowBatch) throws -> Void,
    _ read: (SQLiteReadSession, (inout RowBatch) -> Void) throws -> Void
  ) throws {
    var batches: [RowBatch] = []
    try asking { session in
      try read(session) { batch in
        batches.append(batch)
        batch = RowBatch()
      }
    }
    for var batch in batches { try receive(&batch) }
  }

  func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) throws
    -> [ConstraintHolder]
  {
    try asking { try $0.holders(of: constraint, rows: rows) }
  }

  func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? { try asking { try $0.row(entity, key) } }

  func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    try asking { try $0.members(relationship, owners: owners) }
  }

  func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    var links: [LinkRow] = []
    try deliver(receive) { session, collect in
      links = try session.memberRows(relationship, in: root, owners: owners, collect)
    }
    return links
  }

  func metadata() throws -> [String: Value] { try asking { try $0.metadata() } }

  func greatestKey(_ root: EntityLayout) throws -> Int64 { try asking { try $0.greatestKey(root) } }
}

/// A request that has the connection for itself, and hands over what it has read once the connection is free.
private struct CollectingFetch: SQLiteFetchPlan {
  let fetch: SQLiteFetchStatement
  let session: SQLiteCollectingSession

  private func asking<Result>(_ body: (SQLiteFetch) throws -> Result) throws -> Result {
    try session.asking { try body(SQLiteFetch(fetch: fetch, session: $0)) }
  }

  func rows(_ receive: (inout RowBatch) throws -> Void) throws {
    try session.deliver(receive) { session, collect in
      try SQLiteFetch(fetch: fetch, session: session).rows(collect)
    }
  }

  func identifiers() throws -> [ObjectKey] { try asking { try $0.identifiers() } }

  func count() throws -> Int { try asking { try $0.count() } }

  func fields(_ receive: (any FieldRow) throws -> Void) throws {
    var rows: [CollectedFieldRow] = []
    let count = fetch.request.output.fieldCount
    try asking { try $0.fields { rows.append(CollectedFieldRow($0, count)) } }
    for row in rows { try receive(row) }
  }

  func explanation() throws -> FetchExplanation { try asking { try $0.explanation() } }
}

extension StoreRequest.Output {
  fileprivate var fieldCount: Int {
    switch self {
    case .fields(let paths): paths.count
    case .results(let query): query.results.count
    case .rows, .partialRows, .identifiers, .count, .resultCount: 0
    }
  }
}
