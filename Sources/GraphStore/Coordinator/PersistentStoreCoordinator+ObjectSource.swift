/// The source of root contexts.
extension PersistentStoreCoordinator: ObjectSource {
  var root: PersistentStoreCoordinator { self }

  func plan(
    _ request: FetchRequest<ManagedObject>, _ output: FetchOutput, on mount: Mount
  ) throws -> any StoreFetchPlan {
    try mount.store.plan(request, output)
  }

  func beginReading(on mount: Mount, _ use: ReadUse) throws -> any ReadSession {
    do {
      return try mount.store.beginReading(use)
    } catch {
      guard let moved = store(mount.index), moved !== mount.store else { throw error }
      return try beginning(mount.index) { try $0.beginReading(use) }
    }
  }

  /// Stores have no objects with temporary keys.
  func storeIndex(ofTemporary key: Int64, _ layout: EntityLayout) -> Int32? { nil }

  /// Writes within transactions of the save's own, or as savepoints of the one that the context takes part in.
  ///
  /// - Throws: what ``PendingSave/parts(of:)`` and beginning to write throw; no store has been written then.
  func save(_ changes: PendingSave, of context: ManagedObjectContext) throws -> SaveOutcome {
    try SessionOwners.beginningSeveral {
      let parts = try changes.parts(of: context)
      let looking = parts.filter { !$0.changes.isPersistent }
      for part in looking { try part.look() }
      guard looking.allSatisfy(\.conflicts.isEmpty) else { return SaveOutcome(attempted: parts) }
      return try write(looking.isEmpty ? parts : parts.filter(\.changes.isPersistent), of: context)
    }
  }

  private func write(_ parts: [SaveRequestBuilder], of context: ManagedObjectContext) throws -> SaveOutcome {
    var sessions = try SaveSessions(for: parts, of: self, in: context.transaction)
    if sessions.steps.isEmpty { return SaveOutcome() }
    do {
      guard try sessions.write() else { return SaveOutcome(attempted: parts) }
    } catch {
      return SaveOutcome(attempted: parts, failure: error)
    }
    let (steps, failure) = sessions.end()
    let written = steps.compactMap(\.part)
    if !written.isEmpty { context.transaction?.recordSave(by: context) }
    guard let failure, !steps.isEmpty else {
      return SaveOutcome(written: written, attempted: parts, failure: failure)
    }
    let unwritten = sessions.steps.dropFirst(steps.count)
    return SaveOutcome(
      written: written,
      failure: incompleteSave(
        written: steps.map(\.mount), unwritten: unwritten.map(\.mount), failure))
  }
}
