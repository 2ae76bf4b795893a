extension PersistentStoreReference {
  /// Reads the file of a store in one document anew where another program has changed it since it was opened,
  /// saved or read; requests are answered from what it holds then.
  ///
  /// What contexts have in memory stays as it is, until they merge the changes, each with its unsaved changes
  /// kept, property by property; a save that overlooks them finds a conflict. Contexts that merge remote
  /// changes (``ManagedObjectContext/automaticallyMergesRemoteChanges``) do so by themselves. Other stores
  /// read what others commit without that: nothing is to be done for them.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as GraphStoreError where error.code == .fileChanged {
  ///   for store in coordinator.persistentStores {
  ///     let changes = try store.reload()
  ///     try await ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
  ///   }
  ///   try context.save()
  /// }
  /// ```
  ///
  /// - Returns: The identifiers of the records that are new, changed and gone; nothing where nobody has
  ///   changed the file.
  /// - Throws: `store-corrupt` and whatever else may be wrong with the file; `file-changed` where it is
  ///   another store now, or one of another model. The store holds what it held then. `unknown-store` once
  ///   it was removed, `store-timeout` while a save goes on.
  @discardableResult
  public func reload() throws -> [ManagedObjectContext.NotificationKey: [ManagedObjectID]] {
    guard let document = try owner.mounted(self).store as? DocumentStore,
      let difference = try document.reload()
    else { return [:] }
    let identifiers: ([DocumentDifference.Record]) -> [ManagedObjectID] = { records in
      records.map { ManagedObjectID(scope: mount.scope, entityIndex: $0.layout.index, key: $0.key) }
    }
    let changes: [ManagedObjectContext.NotificationKey: [ManagedObjectID]] = [
      .insertedObjectIDs: identifiers(difference.inserted),
      .updatedObjectIDs: identifiers(difference.updated),
      .deletedObjectIDs: identifiers(difference.deleted),
    ].filter { !$0.value.isEmpty }
    for context in owner.watches.followers.all { context.enqueue { context.mergeReloaded(changes) } }
    return changes
  }
}

extension ManagedObjectContext {
  fileprivate func mergeReloaded(_ changes: [NotificationKey: [ManagedObjectID]]) {
    do { try Self.mergeChanges(fromRemoteContextSave: changes, into: [self]) } catch { keepDeferred(error) }
  }
}
