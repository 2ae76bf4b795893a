extension ManagedObjectContext {
  /// Invalidates the objects of stores that were removed since it was last called, and drops what was not
  /// saved of them and of links to them.
  ///
  /// The coordinator calls it when it removes a store, and every event of the context, where that could not
  /// wait.
  func forgetRemovedStores() {
    let count = coordinator.removalCount
    guard fetching.knownRemovalCount != count else { return }
    fetching.knownRemovalCount = count
    let mounted = Set(coordinator.mounts.map(\.index))
    let leaving = registry.leaving { !mounted.contains($0) }
    guard !leaving.isEmpty else { return }
    for object in unsaved.objects where object.key < 0 || mounted.contains(object.storeIndex) {
      object.dropLinks { $0.key > 0 && !mounted.contains($0.storeIndex) }
    }
    for object in leaving { object.invalidate() }
    if deliversChanges { unsaved.event.invalidated += leaving }
    removeUnlisted()
    deletions.order.removeAll { $0.state.contains(.invalidated) }
    deletions.pending.removeAll { $0.state.contains(.invalidated) }
  }
}
