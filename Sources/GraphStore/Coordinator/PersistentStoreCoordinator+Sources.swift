import GraphStoreModel

/// The source of root contexts.
extension PersistentStoreCoordinator: ObjectSource {
  var root: PersistentStoreCoordinator { self }
  var sharesRowCache: Bool { true }
  var writesStores: Bool { true }
  /// Stores have no objects with temporary keys.
  var knowsTemporaryKeys: Bool { false }

  func beginReading(on mount: Mount, _ use: ReadUse) throws -> any ReadSession {
    do {
      return try mount.store.beginReading(use)
    } catch {
      guard let moved = store(mount.index), moved !== mount.store else { throw error }
      return try beginning(mount.index) { try $0.beginReading(use) }
    }
  }

  func storeIndex(ofTemporary key: Int64, _ layout: EntityLayout) -> Int32? { nil }

  /// Takes them in a transaction of its own, or in the one that the context takes part in.
  func reserveKeys(
    for objects: [ManagedObject], on mount: Mount, of context: ManagedObjectContext
  ) throws -> PermanentKeyMap {
    let layouts = layout.entities
    guard let transaction = context.transaction else {
      return try mount.store.write { try PermanentKeyMap(reservedFor: objects, layouts, $0) }
    }
    let keys = try PermanentKeyMap(reservedFor: objects, layouts, transaction.writing(mount))
    transaction.recordSave(by: context)
    return keys
  }

  /// Writes within transactions of the save's own, or as savepoints of the one that the context takes part
  /// in.
  ///
  /// - Throws: what ``PendingSave/storeSaves(of:)`` and beginning to write throw; no store has been written
  ///   then.
  func save(_ changes: PendingSave, of context: ManagedObjectContext) throws -> SaveOutcome {
    try SessionOwners.beginningSeveral {
      let saves = try changes.storeSaves(of: context)
      let looking = saves.filter { !$0.changes.isPersistent }
      for save in looking { try save.look() }
      guard looking.allSatisfy(\.conflicts.isEmpty) else { return .conflicts(saves) }
      return try write(looking.isEmpty ? saves : saves.filter(\.changes.isPersistent), of: context)
    }
  }

  private func write(_ saves: [StoreSave], of context: ManagedObjectContext) throws -> SaveOutcome {
    var sessions = try SaveSessions(for: saves, of: self, in: context.transaction)
    if sessions.steps.isEmpty { return .saved([]) }
    do {
      guard try sessions.write() else { return .conflicts(saves) }
    } catch {
      return .refused(saves, error)
    }
    let (steps, failure) = sessions.end()
    let written = steps.compactMap(\.save)
    if !written.isEmpty { context.transaction?.recordSave(by: context) }
    guard let failure else { return .saved(written) }
    if steps.isEmpty { return .refused(saves, failure) }
    let unwritten = sessions.steps.dropFirst(steps.count)
    return .incomplete(
      written,
      incompleteSave(written: steps.map(\.mount), unwritten: unwritten.map(\.mount), failure))
  }
}

extension PersistentStoreCoordinator {
  /// The relationships whose ends no store can hold together, now that a store brings in the second end
  /// (STO-127).
  func separations(
    by added: any PersistentStore, _ others: ArraySlice<any PersistentStore>
  ) -> [ModelProblem] {
    guard !others.isEmpty, added.entities.configuration != nil else { return [] }
    return added.entities.entities.flatMap { entity in
      entity.relationships.filter { isSeparated($0, by: added, others) }.map(separation)
        .filter { !managedObjectModel.silences($0) }
    }
  }

  private func isSeparated(
    _ relationship: RelationshipDescription, by added: any PersistentStore,
    _ others: ArraySlice<any PersistentStore>
  ) -> Bool {
    let destination = relationship.destination
    guard !relationship.isTransient, !added.entities.holds(destination) else { return false }
    return others.contains { $0.entities.holds(destination) }
      && !others.contains { $0.entities.contains(relationship.entity) && $0.entities.holds(destination) }
  }

  private func separation(of relationship: RelationshipDescription) -> ModelProblem {
    let (entity, destination) = (relationship.entity, relationship.destination)
    return .warning(
      "relationship-crosses-configurations",
      at: ModelPath().item("entities", entity.index).key("relationships").key(relationship.name),
      message:
        "\(entity.name).\(relationship.name) leads to \(destination.name), and no open store holds both entities.",
      remedy: "Put both entities into one configuration, or keep the URI of the other object.")
  }
}
