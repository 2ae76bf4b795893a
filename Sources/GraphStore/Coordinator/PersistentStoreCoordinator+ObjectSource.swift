import GraphStoreModel

/// The source of root contexts.
extension PersistentStoreCoordinator: ObjectSource {
  var root: PersistentStoreCoordinator { self }
  var context: ManagedObjectContext? { nil }
  var writesStores: Bool { true }
  /// Stores have no objects with temporary keys.
  var knowsTemporaryKeys: Bool { false }

  func occupied<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  /// Stores have no objects with temporary keys.
  func unsavedRecord(_ layout: EntityLayout, key: Int64, storeIndex: Int32) -> UnsavedRecord {
    key > 0 ? .none : .gone
  }

  func makeSession(on mount: Mount, _ use: ReadUse) -> any ReadSession { mount.store.makeSession(use) }

  func beginReading(on mount: Mount, _ use: ReadUse) throws -> any ReadSession {
    do {
      return try mount.store.beginReading(use)
    } catch {
      guard let moved = store(mount.index), moved !== mount.store else { throw error }
      return try beginning(mount.index) { try $0.beginReading(use) }
    }
  }

  /// Begins a session on a store; where it was closed meanwhile, since it has moved to another path, there.
  ///
  /// - Throws: `no-store` when the store was removed.
  func beginning<Session>(
    _ index: Int32, _ begin: (any PersistentStore) throws -> Session
  ) throws -> Session {
    while true {
      guard let store = store(index) else { throw noStore() }
      do {
        return try begin(store)
      } catch {
        guard let moved = self.store(index), moved !== store else { throw error }
      }
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
    // While the stores are locked, so that places follow each other as the commits do (CTX-276).
    let place = sessions.isNested ? nil : saveRelay.reservePlace(for: context)
    do {
      guard try sessions.write() else { return .conflicts(saves) }
    } catch {
      return .refused(saves, error)
    }
    let (steps, failure) = sessions.end()
    let written = steps.compactMap(\.save)
    if !written.isEmpty { context.transaction?.recordSave(by: context) }
    guard let failure else {
      context.saving.relayPlace = place
      return .saved(written)
    }
    if steps.isEmpty { return .refused(saves, failure) }
    let unwritten = sessions.steps.dropFirst(steps.count)
    return .incomplete(
      written,
      incompleteSave(written: steps.map(\.mount), unwritten: unwritten.map(\.mount), failure))
  }
}
