import OrderedCollections

/// Renewal of the row caches of a coordinator by what its stores have now of some records, which contexts are
/// about to merge (CTX-279).
///
/// It holds the rows until it is released, since no object may.
struct RowRenewal: @unchecked Sendable {
  /// The changes with identifiers of the coordinator's own, without inserted records that do not exist.
  private(set) var changes = SavedIdentifiers()
  private let held = HeldRows()

  /// Reads the inserted records, and those of the others that are cached or registered, by one statement an
  /// entity tree.
  ///
  /// - Throws: what reading throws.
  init(
    of changes: SavedIdentifiers, in coordinator: PersistentStoreCoordinator,
    for contexts: [ManagedObjectContext]
  ) throws {
    let (inserted, updated, deleted) = (
      coordinator.records(changes.inserted), coordinator.records(changes.updated),
      coordinator.records(changes.deleted)
    )
    self.changes.updated = Set(updated.map(\.id))
    self.changes.deleted = Set(deleted.map(\.id))
    let derived = coordinator.records(changes.derived)
    self.changes.derived = Set(derived.map(\.id))
    var asked: OrderedDictionary<EntityTree, OrderedSet<Int64>> = [:]
    for record in inserted { asked[record.tree, default: []].append(record.id.key) }
    for (tree, records) in OrderedDictionary(grouping: updated + derived, by: \.tree) {
      let known = coordinator.keysInMemory(among: records.map(\.id.key), of: tree, in: contexts)
      if !known.isEmpty { asked[tree, default: []].formUnion(known) }
    }
    var present: [EntityTree: Set<Int64>] = [:]
    for (tree, keys) in asked { present[tree] = try read(Array(keys), of: tree, in: coordinator) }
    self.changes.inserted = Set(
      inserted.lazy.filter { present[$0.tree]?.contains($0.id.key) == true }.map(\.id))
    for (tree, records) in OrderedDictionary(grouping: deleted, by: \.tree) {
      coordinator.mountRecords[Int(tree.storeIndex)].cache.forget(tree.rootIndex, records.map(\.id.key))
    }
    coordinator.recordSave()
  }

  /// Reads the rows of one entity tree into the row cache; those that are not there are forgotten.
  ///
  /// - Returns: The keys that are there.
  private func read(
    _ keys: [Int64], of tree: EntityTree, in coordinator: PersistentStoreCoordinator
  ) throws -> Set<Int64> {
    let root = coordinator.layout.entities[tree.rootIndex]
    let cache = coordinator.mountRecords[Int(tree.storeIndex)].cache
    guard let mount = coordinator.mounts.first(where: { $0.index == tree.storeIndex }) else { return [] }
    cache.forget(root.rootIndex, keys)
    let session = try coordinator.beginReading(on: mount, [])
    defer { session.endReading() }
    var present: Set<Int64> = []
    try session.rows(root, keys: keys) { batch in
      batch.forEach { key, row in
        present.insert(key)
        held.hold(row, key: key, in: cache, from: session.origin)
      }
    }
    return present
  }
}

extension PersistentStoreCoordinator {
  /// A record of a store that is open, with an identifier of the coordinator's own.
  fileprivate struct ListedRecord {
    let id: ManagedObjectID
    let tree: EntityTree
  }

  /// The records that identifiers name here, by ascending identifier; those of stores that are not open are
  /// left out.
  fileprivate func records(_ ids: Set<ManagedObjectID>) -> [ListedRecord] {
    let mounts = mounts
    let records = ids.compactMap { id -> ListedRecord? in
      guard !id.isTemporaryID, let mount = mounts.first(where: { $0.scope.uuid == id.scope.uuid }),
        let entity = mount.scope === id.scope
          ? layout.entities[id.entityIndex].entity : managedObjectModel.entitiesByName[id.entity.name]
      else { return nil }
      return ListedRecord(
        id: ManagedObjectID(scope: mount.scope, entityIndex: entity.index, key: id.key),
        tree: EntityTree(of: layout.entities[entity.index], in: mount.index))
    }
    return records.sorted { $0.id < $1.id }
  }

  /// Those of some keys of an entity tree whose rows are cached, or whose objects are registered.
  fileprivate func keysInMemory(
    among keys: [Int64], of tree: EntityTree, in contexts: [ManagedObjectContext]
  ) -> [Int64] {
    var known = Set(mountRecords[Int(tree.storeIndex)].cache.heldKeys(tree.rootIndex, among: keys))
    for context in contexts { known.formUnion(context.registry.registeredKeys(of: tree, among: keys)) }
    return keys.filter(known.contains)
  }
}

extension RowCache {
  /// Those of some keys whose rows somebody holds.
  fileprivate func heldKeys(_ root: Int, among keys: [Int64]) -> [Int64] {
    drainReleases()
    return lock.withLock { keys.filter { tables[root].hasHolder($0) } }
  }
}

extension ObjectRegistry {
  /// Those of some keys of an entity tree whose objects are registered; callable from any thread.
  fileprivate func registeredKeys(of tree: EntityTree, among keys: [Int64]) -> [Int64] {
    lock.withLock {
      let index = Int(tree.storeIndex) * rootCount + tree.rootIndex
      guard unsafe index < tables.count else { return [] }
      return keys.filter { unsafe tables[index].find($0) != nil }
    }
  }
}
