extension PersistentStoreCoordinator {
  /// Whether a context may be pinned: there is a store that keeps states, or none at all yet.
  var keepsGenerations: Bool {
    let stores = mounts.map(\.store)
    return stores.isEmpty || stores.contains(where: \.keepsGenerations)
  }

  /// The query generation at the present state: one that is alive, where nothing was committed since it
  /// began, or else a new one; nil where no store keeps states.
  ///
  /// - Throws: `query-generation-unavailable` where as many are alive as may be; what beginning to read
  ///   throws.
  func presentGeneration() throws -> QueryGeneration? {
    while true {
      let (changes, mounts) = (mountChangeCount, mounts)
      guard mounts.contains(where: \.store.keepsGenerations) else { return nil }
      if let shared = generations.newest, shared.isPresent(mounts) { return shared }
      do {
        let begun = try SessionOwners.beginningSeveral {
          try QueryGeneration(of: mounts, commitNumber: commitNumber)
        }
        generations.add(begun)
        return begun
      } catch {
        // A store that was moved or removed meanwhile.
        guard mountChangeCount != changes else { throw error }
      }
    }
  }
}
