extension PersistentStoreCoordinator {
  /// Stops what the stores that are open now are doing, or lets them work again, from any thread at any moment.
  ///
  /// Whatever needs a stopped store fails with `sqlite`, a save and a transaction after it has been taken back.
  package func stoppingStores() -> @Sendable (_ isStopped: Bool) -> Void {
    let stores = mounts.map(\.store)
    return { isStopped in for store in stores { store.setStopped(isStopped) } }
  }
}
