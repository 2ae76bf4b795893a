/// A store that a coordinator has mounted, with the number that its objects carry.
struct Mount: Sendable {
  /// Never given twice by a coordinator.
  let index: Int32
  let store: any PersistentStore
}

/// The stores of a coordinator, by their numbers.
struct MountTable: Sendable {
  /// What outlasts a store: its objects may be let go of long after it was removed.
  struct Record: Sendable {
    let scope: StoreIdentity
    let cache: RowCache
  }

  /// The stores that are mounted, in the order in which they were added.
  private(set) var mounts: [Mount] = []
  /// By number, also of stores that were removed.
  private(set) var records: [Record] = []

  subscript(index: Int32) -> (any PersistentStore)? {
    // With one store, as mostly, the first.
    mounts.first { $0.index == index }?.store
  }

  mutating func add(_ store: any PersistentStore) {
    mounts.append(Mount(index: Int32(records.count), store: store))
    records.append(Record(scope: store.scope, cache: store.rowCache))
  }

  mutating func remove(_ index: Int32) { mounts.removeAll { $0.index == index } }

  mutating func removeAll() { mounts = [] }
}
