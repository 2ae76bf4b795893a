import GraphStoreModel
import GraphStorePredicates

/// An in-memory store seen in one state: what reading and writing have in common.
class InMemorySession {
  let store: InMemoryStore
  /// The state that it sees; a write session changes it. Nil for a session that has not begun.
  final var state: InMemoryState!

  init(_ store: InMemoryStore, _ state: InMemoryState?) {
    self.store = store
    self.state = state
  }

  /// The origin of rows that the session reads.
  var origin: RowCache.Origin { .commit }

  final var layout: ModelLayout { store.layout }
  final var scope: StoreIdentity { store.scope }
  final var rowCache: RowCache { store.rowCache }

  final func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    try InMemoryFetch(request, in: self)
  }

  final func deliver(
    _ matches: [InMemorySearch.Match], _ receive: (inout RowBatch) throws -> Void
  ) throws {
    var batch = RowBatch()
    for (key, row) in matches {
      if batch.isFull {
        try receive(&batch)
        batch.removeAll()
      }
      batch.append(key, row.block, row.index)
    }
    if batch.count > 0 { try receive(&batch) }
  }

  final func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? { state.row(entity.rootIndex, key) }

  final func rows(
    _ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void
  ) throws {
    let rows = Set(keys).sorted().compactMap { key in
      state.row(root.rootIndex, key).map { (key: key, row: $0) }
    }
    try deliver(rows, receive)
  }

  final func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    owners.flatMap { owner in
      state.members(of: relationship, owner: owner).map { key, order, row in
        LinkRow(owner: owner, member: ObjectKey(entity: row.layout.index, key: key), order: order ?? 0)
      }
    }
  }

  final func metadata() throws -> [String: Value] { state.metadata.all }

  final func greatestKey(_ root: EntityLayout) throws -> Int64 { store.database.lastKey(root.index) }
}

/// A snapshot of an in-memory store.
final class InMemoryReadSession: InMemorySession, ReadSession {
  private var commitNumber: Int?

  override var origin: RowCache.Origin { commitNumber.map { .snapshot($0) } ?? .commit }

  /// A session that has yet to begin.
  init(_ store: InMemoryStore) { super.init(store, nil) }

  func begin() throws {
    // Before the state is taken: a commit in between is one that the snapshot may have missed.
    let number = rowCache.beginSnapshot()
    do { state = try store.database.snapshot() } catch {
      rowCache.endSnapshot(number)
      throw error
    }
    commitNumber = number
  }

  func endReading() {
    guard let commitNumber else { return }
    rowCache.endSnapshot(commitNumber)
    self.commitNumber = nil
  }
}
