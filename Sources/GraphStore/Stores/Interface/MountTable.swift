import GraphStoreSQLite

/// A store that a coordinator has mounted, with the number that its objects carry.
package struct Mount: Sendable {
  /// The store's number, never assigned twice by a coordinator.
  package let index: Int32
  package let store: any PersistentStore
  /// The scope of its objects' identifiers: the store's.
  package let scope: StoreIdentity
}

/// The stores of a coordinator, by their numbers.
package struct MountTable: Sendable {
  /// Parts that outlast a store: its objects may be released long after it was removed.
  package struct Record: Sendable {
    package let scope: StoreIdentity
    package let cache: RowCache
    /// The log of the records that contexts use; nil where the store does not want to know.
    package let registrations: RegistrationLog?

    package init(_ store: any PersistentStore) {
      scope = store.scope
      cache = store.rowCache
      registrations = store.registrations
    }
  }

  /// The stores that are mounted, in the order in which they were added.
  package private(set) var mounts: [Mount] = []
  /// By number, also of stores that were removed.
  package private(set) var records: [Record] = []
  /// The statements of stores that are not mounted any more.
  private var endedStatements = StatementCounts()

  /// The number of statements that the stores have run, removed ones included.
  package var statementCounts: StatementCounts {
    mounts.reduce(into: endedStatements) { $0.add($1.store.statementCounts) }
  }

  package subscript(index: Int32) -> (any PersistentStore)? { mounts.first { $0.index == index }?.store }

  @discardableResult
  package mutating func add(_ store: any PersistentStore) -> Mount {
    let mount = Mount(index: Int32(records.count), store: store, scope: store.scope)
    mounts.append(mount)
    records.append(Record(store))
    return mount
  }

  /// Replaces a store by another, which adopts its row cache, and perhaps its identity.
  package mutating func replace(_ index: Int32, by store: any PersistentStore) {
    guard let place = mounts.firstIndex(where: { $0.index == index }) else { return }
    endedStatements.add(mounts[place].store.statementCounts)
    mounts[place] = Mount(index: index, store: store, scope: store.scope)
    records[Int(index)] = Record(store)
  }

  /// False where it was not mounted any more.
  package mutating func remove(_ index: Int32) -> Bool {
    guard let place = mounts.firstIndex(where: { $0.index == index }) else { return false }
    endedStatements.add(mounts.remove(at: place).store.statementCounts)
    return true
  }

  package mutating func removeAll() {
    endedStatements = statementCounts
    mounts = []
  }
}
