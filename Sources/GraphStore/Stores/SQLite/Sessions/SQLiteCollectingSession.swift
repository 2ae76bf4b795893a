import GraphStoreModel
import GraphStorePredicates

/// A read session of a store with one connection, for requests during which code of the program runs: it has
/// the connection for each question alone, and hands over what it has read once the connection is free again.
///
/// So the program can use the store meanwhile, and does not wait for itself. What it changes between two
/// questions of one request, the second sees.
final class SQLiteCollectingSession: ReadSession {
  private let store: SQLiteStore
  private let moment: Int

  var origin: RowCache.Origin { .snapshot(moment) }

  init(_ store: SQLiteStore) {
    self.store = store
    moment = store.rowCache.beginSnapshot()
  }

  func endReading() {
    store.rowCache.endSnapshot(moment)
    store.removeRetiredData()
  }

  private func asking<Result>(_ body: (SQLiteReadSession) throws -> Result) throws -> Result {
    let session = try SQLiteReadSession(store, [])
    defer { session.endReading() }
    return try body(session)
  }

  func rows(_ plan: any StoreFetchPlan, _ receive: (inout RowBatch) throws -> Void) throws {
    try deliver(receive) { session, collect in try session.rows(plan, collect) }
  }

  func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) throws {
    try deliver(receive) { session, collect in try session.rows(root, keys: keys, collect) }
  }

  private func deliver(
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

  func fields(_ plan: any StoreFetchPlan, _ receive: (any FieldRow) throws -> Void) throws {
    var rows: [CollectedFieldRow] = []
    let count = plan.output.fieldCount
    try asking { session in try session.fields(plan) { rows.append(CollectedFieldRow($0, count)) } }
    for row in rows { try receive(row) }
  }

  func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) throws
    -> [ConstraintHolder]
  {
    try asking { try $0.holders(of: constraint, rows: rows) }
  }

  func identifiers(_ plan: any StoreFetchPlan) throws -> [ObjectKey] {
    try asking { try $0.identifiers(plan) }
  }

  func count(_ plan: any StoreFetchPlan) throws -> Int { try asking { try $0.count(plan) } }

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

extension FetchOutput {
  fileprivate var fieldCount: Int {
    switch self {
    case .fields(let paths): paths.count
    case .results(let query): query.results.count
    case .rows, .partialRows, .identifiers, .count, .resultCount: 0
    }
  }
}
