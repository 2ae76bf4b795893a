extension ManagedObjectContext {
  /// Whether what other processes and coordinators commit to the stores is merged into the context, false at
  /// first.
  ///
  /// The merges run on the context's queue, soon after the commits, as
  /// ``mergeChanges(fromHistory:)`` does; unsaved changes stay. They go by the histories of the stores: of a
  /// store that keeps none, and where transactions were removed before they were merged, the rows of all
  /// registered objects are read anew instead, with their unsaved changes kept. What contexts of the same
  /// coordinator save is not merged: see ``automaticallyMergesChangesFromParent``. An error is reported to
  /// ``Diagnostics/onDeferredError``, and thrown by the context's next save. In a child it is that of the
  /// topmost context of its chain.
  ///
  /// It may be set from any thread.
  ///
  /// - Note: As long as a context merges, the stores are watched, with a connection and a thread each.
  public var automaticallyMergesRemoteChanges: Bool {
    get { rootContext.followedHistories.withLock { $0 != nil } }
    set {
      let root = rootContext
      let token = newValue ? root.coordinator.presentHistoryPlaces() : nil
      let hasChanged = root.followedHistories.withLock { followed in
        if (followed != nil) == newValue { return false }
        followed = token
        if newValue { coordinator.watches.add(root) } else { coordinator.watches.remove(root) }
        return true
      }
      guard hasChanged else { return }
      coordinator.renewWatches()
      guard newValue else { return }
      // What was committed between the token and the watch.
      for mount in coordinator.mounts { root.enqueue { root.mergeRemoteChanges(of: mount.index) } }
    }
  }

  /// Merges what others have committed to a store.
  func mergeRemoteChanges(of storeIndex: Int32) {
    guard let token = followedHistories.withLock({ $0 }),
      let mount = mounts.first(where: { $0.index == storeIndex })
    else { return }
    do {
      // A history that was begun later does not say what was before.
      guard let place = token.places[mount.scope.uuid] else {
        return try mergeUnknownRemoteChanges(in: mount)
      }
      var request = PersistentHistoryChangeRequest.fetchHistory(
        after: PersistentHistoryToken(store: mount.scope.uuid, place))
      request.affectedStores = [coordinator.reference(mount)]
      let history = try execute(request)
      try merge(foreign: history.transactions, of: mount)
      noteMerged(history.token.places[mount.scope.uuid] ?? place, of: mount)
    } catch let error as GraphStoreError where [.historyNotTracked, .historyExpired].contains(error.code) {
      do { try mergeUnknownRemoteChanges(in: mount) } catch { keepDeferred(error) }
    } catch {
      keepDeferred(error)
    }
  }

  /// Merges the records that others have changed: as transactions have left them in the end, those of this
  /// coordinator too, which may have written a record again that others had deleted.
  private func merge(foreign transactions: [PersistentHistoryTransaction], of mount: Mount) throws {
    let foreign = transactions.filter { !mount.store.hasWritten(transaction: $0.transactionNumber) }
    let concerned = Set(foreign.flatMap { ($0.changes ?? []).map(\.changedObjectID) })
    if concerned.isEmpty { return }
    let changes = SavedChanges(transactions, in: mount.scope) { concerned.contains($0.changedObjectID) }
    try mergeChanges(fromContextDidSave: changes)
  }

  private func mergeUnknownRemoteChanges(in mount: Mount) throws {
    noteMerged(coordinator.presentHistoryPlace(of: mount), of: mount)
    try mergeUnknownChanges(in: mount)
  }

  /// - Parameter place: The place up to which the history was merged; nil where the store keeps none.
  private func noteMerged(_ place: PersistentHistoryToken.Place?, of mount: Mount) {
    followedHistories.withLock { $0 = $0?.replacing(place, of: mount.scope.uuid) }
  }
}

extension PersistentStoreCoordinator {
  /// The places that the histories of the stores have reached; of stores without history none.
  fileprivate func presentHistoryPlaces() -> PersistentHistoryToken {
    var places: [String: PersistentHistoryToken.Place] = [:]
    for mount in mounts { places[mount.scope.uuid] = presentHistoryPlace(of: mount) }
    return PersistentHistoryToken(places)
  }

  fileprivate func presentHistoryPlace(of mount: Mount) -> PersistentHistoryToken.Place? {
    let bounds = try? mount.store.read(.severalStatements) { session in
      try (session as? any HistoryReadSession)?.historyBounds()
    }
    return (bounds ?? nil)?.place
  }
}
