extension PersistentStoreCoordinator {
  /// Stops what the stores that are open now are doing, or lets them work again, from any thread at any time.
  ///
  /// Whatever needs a stopped store fails with `sqlite`, a save and a transaction after it has been rolled
  /// back.
  package func stoppingStores() -> @Sendable (_ isStopped: Bool) -> Void {
    let stores = mounts.map(\.store)
    return { [self] isStopped in
      stopFlag.store(isStopped, ordering: .relaxed)
      for store in stores { store.setStopped(isStopped) }
    }
  }
}
