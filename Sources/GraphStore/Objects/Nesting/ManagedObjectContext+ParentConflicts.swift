extension ManagedObjectContext {
  /// The conflicts between unsaved changes of this context and what a context above has by now, before they
  /// are saved.
  ///
  /// A save into a parent asks no merge policy: what was changed here replaces what the parent has. This says
  /// what that would be: each object with a property that was changed here and has become another one there
  /// since it was read here, by unsaved changes of the contexts above or by what others have stored; and each
  /// object that was changed here and is deleted there. It costs a statement for each entity tree of which
  /// objects have changed, and changes nothing.
  ///
  /// ```swift
  /// let pad = ManagedObjectContext(parent: context, concurrencyType: .mainQueue)
  /// try pad.existingObject(with: employee.objectID).setValue(1, forKey: "salary")
  /// for difference in try pad.conflicts(with: context).flatMap(\.differences) {
  ///   print(difference.property, "here:", difference.inMemory, "there:", difference.stored)
  /// }
  /// ```
  ///
  /// - Parameter parent: The context's parent.
  /// - Throws: `invalid-request` where it is not; what reading throws.
  public func conflicts(with parent: ManagedObjectContext) throws -> [MergeConflict] {
    checkQueue()
    guard parent === self.parent else {
      throw GraphStoreError(
        .invalidRequest, "\(parent.nameForMessages) is not the parent of \(nameForMessages).",
        remedy: "Pass the context that this one was made with as its parent.")
    }
    try processPendingChanges()
    let changed = (updatedObjects + deletedObjects).filter { !$0.state.contains(.inaccessible) }
    let rows = try rowsInParent(of: changed.filter { $0.committedRow != nil })
    return changed.compactMap { object in
      guard let committed = object.committedRow else { return nil }
      let conflict = RowConflict(
        key: object.key, committed: committed, cached: nil, stored: rows[ObjectIdentifier(object)])
      return object.conflicts(by: conflict) ? MergeConflict(conflict, of: object) : nil
    }
  }

  /// Resolves conflicts with a context above by the merge policy of this one, before its changes are saved;
  /// the policy takes what is there for what is stored.
  ///
  /// A changed object that is gone there stays as it is by a policy that prefers the object: the save drops
  /// its changes, or fails (CTX-494).
  package func resolveConflicts(_ conflicts: [MergeConflict], with parent: ManagedObjectContext) throws {
    checkQueue()
    let policy = mergePolicy
    let resolvable = conflicts.filter { !policy.type.prefersObject || !$0.isGone }
    guard !resolvable.isEmpty else { return }
    try readAnew(resolvable.map(\.sourceObject), above: parent)
    try resolving { try policy.resolve(optimisticLockingConflicts: resolvable) }
  }

  /// Has contexts above read objects anew that are unchanged there, and the row cache forget them.
  private func readAnew(_ objects: [ManagedObject], above parent: ManagedObjectContext) throws {
    var context: ManagedObjectContext? = parent
    while let ancestor = context {
      let known = objects.compactMap { object in
        ancestor.registry.object(object.layout, key: object.key, store: object.storeIndex)
      }
      try ancestor.queue.sync {
        try ancestor.refreshFromStores(known.filter { !$0.hasChanges && !$0.isFault })
      }
      context = ancestor.parent
    }
    forgetRows(of: objects.filter { $0.key > 0 })
  }

  /// The rows with which saves would compare objects: as contexts above have changed them, else as they are
  /// stored by now, whatever these have read or are pinned to.
  private func rowsInParent(of objects: [ManagedObject]) throws -> [ObjectIdentifier: Row] {
    var found: [ObjectIdentifier: Row] = [:]
    func receive(_ object: ManagedObject, _ row: Row, _: RowCache.Origin) {
      if row.layout === object.layout { found[ObjectIdentifier(object)] = row }
    }
    try reading { reader in
      let objects = Dictionary(grouping: objects, by: isChangedAbove)
      try readRows(of: objects[true] ?? [], with: reader, receive)
      for (tree, unchanged) in Dictionary(grouping: objects[false] ?? [], by: \.tree) {
        try rootContext.readStoredRows(of: unchanged, in: tree, receive)
      }
    }
    return found
  }

  /// Whether a context above has unsaved changes of an object, or alone has it.
  private func isChangedAbove(_ object: ManagedObject) -> Bool {
    if object.key < 0 { return true }
    var next = parent
    while let context = next {
      let known = context.registry.object(object.layout, key: object.key, store: object.storeIndex)
      if known?.hasChanges == true { return true }
      next = context.parent
    }
    return false
  }

  /// Reads rows as the stores have them, or the transaction that the context takes part in.
  private func readStoredRows(
    of objects: [ManagedObject], in tree: EntityTree,
    _ receive: (ManagedObject, Row, RowCache.Origin) -> Void
  ) throws {
    if let session = transaction?.session(tree.storeIndex) {
      return try readRows(of: objects, in: tree, from: session, receive)
    }
    let session = try coordinator.beginReading(on: mount(at: tree.storeIndex), [])
    defer { session.endReading() }
    try readRows(of: objects, in: tree, from: session, receive)
  }
}

extension ManagedObject {
  /// Whether a save of the object would overwrite what a row of others has.
  fileprivate final func conflicts(by conflict: RowConflict) -> Bool {
    guard conflict.isReal, let stored = conflict.stored else { return conflict.isReal }
    if isDeleted { return true }
    guard let row = currentRow else { return false }
    return conflict.committed.properties(differingFrom: stored).contains { property in
      !row.isEqual(conflict.committed, property) && !row.isEqual(stored, property)
    }
  }
}
