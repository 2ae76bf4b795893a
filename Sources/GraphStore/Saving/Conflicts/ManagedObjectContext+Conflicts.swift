import GraphStoreModel

extension ManagedObjectContext {
  /// Makes the next save check an unchanged object: where its record has changed or is gone, that is a
  /// conflict like any other.
  ///
  /// It lasts until a save has succeeded, or ``rollback()`` or ``reset()``. A fault fires, since there is
  /// nothing to compare without its values.
  ///
  /// - Throws: `context-mismatch` for an object of another context; what firing a fault throws.
  public func detectConflicts(for object: ManagedObject) throws {
    checkQueue()
    try checkOwnership(of: object, before: "watched")
    try object.realize()
    if !object.isInserted { saving.lockedObjects.append(object) }
  }

  static let maximumConflictRounds = 10

  /// Hands the conflicts of a save that was not made to the merge policy.
  ///
  /// - Throws: What the policy throws; `merge-conflict` for conflicts that it has left unresolved.
  func resolveConflicts(of outcome: SaveOutcome) throws -> ConflictResolution {
    let (saves, failure) = outcome.attempt
    let conflicts = saves.flatMap { mergeConflicts($0.conflicts, $0.mount) }
    if !conflicts.isEmpty { return .retry(after: try resolve(conflicts)) }
    guard let error = failure as? GraphStoreError else { return .fail }
    switch error.code {
    case .constraintConflict: try resolveConstraints(of: saves)
    case .mergeConflict where mergePolicy.type != .error: try reloadPhantoms(error)
    case .objectNotFound where mergePolicy.type != .error:
      return try resolveChangedRecords(of: saves).map { .retry(after: $0) } ?? .fail
    default: return .fail
    }
    return .retry(after: error)
  }

  /// Runs the work of a policy, which cannot be undone (CTX-213).
  func resolving(_ body: () throws -> Void) throws {
    saving.eventsOfRefresh = .mergePolicy
    defer { saving.eventsOfRefresh = .refresh }
    try unrecorded(body)
    try processPendingChanges()
  }

  // MARK: Optimistic locking

  private func mergeConflicts(_ found: [RowConflict], _ mount: Mount) -> [MergeConflict] {
    found.compactMap { conflict in object(of: conflict, mount).map { MergeConflict(conflict, of: $0) } }
  }

  private func object(of conflict: RowConflict, _ mount: Mount) -> ManagedObject? {
    registry.object(conflict.committed.layout, key: conflict.key, store: mount.index)
  }

  /// - Returns: The error of the conflicts, which are resolved.
  private func resolve(_ conflicts: [MergeConflict]) throws -> GraphStoreError {
    try resolving { try resolveByPolicy(conflicts) }
    return MergeConflict.error(conflicts)
  }

  private func resolveByPolicy(_ conflicts: [MergeConflict]) throws {
    if mergePolicy.type == .error {
      try mergePolicy.resolve(optimisticLockingConflicts: conflicts)
    } else {
      for level in [true, false] {
        let conflicts = conflicts.filter { $0.isKnownToCache == level }
        if !conflicts.isEmpty { try mergePolicy.resolve(optimisticLockingConflicts: conflicts) }
      }
    }
    let unresolved = conflicts.filter { !isResolved($0) }
    if !unresolved.isEmpty { throw MergeConflict.error(unresolved) }
  }

  /// Whether a save would not meet the same conflict again.
  private func isResolved(_ conflict: MergeConflict) -> Bool {
    let object = conflict.sourceObject
    guard object.context === self, !object.state.contains(.inaccessible), !object.isFault else { return true }
    if !object.hasChanges, !saving.lockedObjects.contains(object) { return true }
    if conflict.isGone { return object.isInserted || object.isDeleted }
    return object.committedRow.map { Int($0.version) >= conflict.newVersionNumber } ?? true
  }

  /// Applies delete rules anew, and reads the objects that others have linked to deleted ones, and the
  /// partners they have changed, which a save has not known. It can then be tried again.
  private func reloadPhantoms(_ error: GraphStoreError) throws {
    try resolving {
      let objects = try error.relatedObjects.map { try object(with: $0) }
        .filter { $0.isPresent && !$0.isInserted }
      for object in objects { try refresh(object, mergeChanges: object.hasChanges) }
      try loadRows(of: objects.filter(\.isFault))
      for object in objects where object.isPresent { try resolvePartners(of: object) }
      renewPropagation()
    }
  }

  // MARK: Uniqueness

  private func resolveConstraints(of saves: [StoreSave]) throws {
    // Uniqueness is checked once conflicts with other writers are resolved (CTX-234).
    if try resolveChangedRecords(of: saves) != nil { return }
    let checks = saves.map { UniquenessCheck($0, in: self) }
    var conflicts = checks.flatMap { $0.conflictsInContext() }
    if conflicts.isEmpty || mergePolicy.type == .error {
      conflicts += try checks.flatMap { try $0.conflictsWithStore() }
    }
    // The conflicting object may be gone by now.
    if !conflicts.isEmpty { try resolving { try mergePolicy.resolve(constraintConflicts: conflicts) } }
  }

  /// Resolves the conflicts that a save has not reached; nil where there are none.
  private func resolveChangedRecords(of saves: [StoreSave]) throws -> GraphStoreError? {
    let conflicts = try saves.flatMap { try mergeConflicts(changedRecords(of: $0), $0.mount) }
    return conflicts.isEmpty ? nil : try resolve(conflicts)
  }

  /// The conflicts of a save whose store has refused something else first.
  private func changedRecords(of save: StoreSave) throws -> [RowConflict] {
    let changes = save.changes
    let deleted = Set(changes.deleted.filter { !$0.state.contains(.inaccessible) })
    let written = Set(save.written)
    let objects = deleted.union(changes.updated).union(changes.locked)
    let locked = SaveRequest.Locked.grouping(objects, coordinator.layout.entities)
    let found = try readingOnce(from: save.mount.index) { session in
      try locked.flatMap {
        try session.conflicts(among: $0, save.mount.store.rowCache, in: rowView)
      }
    }
    return found.filter { conflict in
      guard let object = object(of: conflict, save.mount) else { return false }
      // A record that is gone already can be deleted, and members alone make no conflict (CTX-175, CTX-177).
      if conflict.stored == nil { return !deleted.contains(object) }
      return !object.state.isUpdate || written.contains(object) || object.isSetInRow
    }
  }
}
