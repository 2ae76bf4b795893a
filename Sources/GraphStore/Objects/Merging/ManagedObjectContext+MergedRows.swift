extension ManagedObjectContext {
  /// The rows that objects of one entity and store have by now: in the row cache, for a child as the contexts
  /// above have them; those that changed objects need, and that nobody has cached, are read by one statement.
  func cachedRows(of objects: [ManagedObject]) throws -> [Row?] {
    if parent != nil { return try objects.map { try rowInMemory(of: $0) } }
    let rows = registry.cachedRows(of: objects, in: rowView)
    let unread = zip(objects, rows).filter { $1 == nil && $0.hasChanges && $0.block != nil }.map(\.0)
    if unread.isEmpty { return rows }
    guard fetching.isPinned else {
      try readAnew(unread)
      return registry.cachedRows(of: objects, in: rowView)
    }
    // Rows of a generation do not enter the row cache.
    var read: [ObjectIdentifier: Row] = [:]
    try readRows(of: unread.filter { $0.key > 0 }) { object, row, _ in read[ObjectIdentifier(object)] = row }
    return zip(objects, rows).map { $1 ?? read[ObjectIdentifier($0)] }
  }

  /// Reads the rows of objects from the stores, whatever the row cache has of them, by a statement an entity
  /// tree; the objects stay as they are.
  ///
  /// - Returns: Those whose records are gone.
  @discardableResult
  func readAnew(_ objects: [ManagedObject]) throws -> [ManagedObject] {
    var missing = Set(objects.filter { $0.key > 0 })
    if missing.isEmpty { return [] }
    let saved = objects.filter { $0.key > 0 }
    forgetRows(of: saved)
    try readRows(of: saved) { object, row, origin in
      missing.remove(object)
      holdRow(row, for: object, from: origin)
    }
    // Faults have rows from before at hand.
    coordinator.recordSave()
    return missing.isEmpty ? [] : saved.filter(missing.contains)
  }

  /// Has the row cache forget the rows of objects, so that what is read next is what is stored.
  func forgetRows(of objects: [ManagedObject]) {
    for (tree, objects) in Dictionary(grouping: objects, by: \.tree) {
      registry.caches[Int(tree.storeIndex)].forget(tree.rootIndex, objects.map(\.key), in: rowView)
    }
  }

  /// Has the row cache forget records that another coordinator has saved.
  func forgetRows(of group: RecordGroup) {
    registry.caches[Int(group.storeIndex)].forget(group.layout.rootIndex, group.keys, in: rowView)
  }
}

extension ObjectRegistry {
  /// The cached rows of objects of one entity and store, which are counted among their holders, under one
  /// lock.
  func cachedRows(of objects: [ManagedObject], in view: RowCache.View) -> [Row?] {
    guard let first = objects.first else { return [] }
    let (cache, root) = (caches[Int(first.storeIndex)], first.layout.rootIndex)
    cache.drainReleases()
    return cache.lock.withLock {
      let rows = cache.lockedTable(root)
      return objects.map { object in
        if !object.state.contains(.holdsRow), rows.addHolderIfKnown(object.key) {
          object.changeState(adding: .holdsRow)
        }
        return cache.lockedRow(root, object.key, in: view)
      }
    }
  }
}
