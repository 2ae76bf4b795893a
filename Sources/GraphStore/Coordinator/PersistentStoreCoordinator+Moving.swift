extension PersistentStoreCoordinator {
  /// Begins a session on a store; where it was closed meanwhile, since it lies at another place now, there.
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
}
