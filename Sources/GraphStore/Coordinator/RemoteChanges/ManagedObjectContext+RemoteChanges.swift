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
  /// - Note: As long as a context merges, the stores are watched, with a connection and a thread each.
  public var automaticallyMergesRemoteChanges: Bool {
    get { rootContext.delivery.remoteChanges != nil }
    set {
      let root = rootContext
      guard newValue != (root.delivery.remoteChanges != nil) else { return }
      if newValue {
        root.delivery.remoteChanges = RemoteChangeState(token: root.presentHistoryToken())
        coordinator.watches.add(root)
      } else {
        root.delivery.remoteChanges = nil
        coordinator.watches.remove(root)
      }
      coordinator.renewWatches()
      guard newValue else { return }
      // What was committed between the token and the watch.
      for mount in coordinator.mounts { root.enqueue { root.mergeRemoteChanges(of: mount.index) } }
    }
  }

  /// The place that the histories of the stores have reached; of stores without history nothing.
  private func presentHistoryToken() -> PersistentHistoryToken {
    let token = try? coordinator.currentPersistentHistoryToken()
    return (token ?? nil) ?? PersistentHistoryToken([:])
  }

  /// Merges what others have committed to a store.
  func mergeRemoteChanges(of storeIndex: Int32) {
    guard let state = delivery.remoteChanges, let mount = mounts.first(where: { $0.index == storeIndex })
    else { return }
    do {
      let start = state.token.places[mount.scope.uuid].map {
        PersistentHistoryToken(store: mount.scope.uuid, $0)
      }
      var request = PersistentHistoryChangeRequest.fetchHistory(after: start)
      request.affectedStores = [coordinator.reference(mount)]
      let history = try execute(request)
      let foreign = history.transactions.filter { !mount.store.hasWritten(transaction: $0.transactionNumber) }
      try mergeChanges(fromHistory: foreign)
      delivery.remoteChanges?.token = state.token.merging(history.token)
    } catch GraphStoreError.code(.historyNotTracked) {
      mergeUnknownRemoteChanges(in: mount)
    } catch GraphStoreError.code(.historyExpired) {
      delivery.remoteChanges?.token = presentHistoryToken()
      mergeUnknownRemoteChanges(in: mount)
    } catch {
      keepDeferred(error)
    }
  }

  private func mergeUnknownRemoteChanges(in mount: Mount) {
    do { try mergeUnknownChanges(in: mount) } catch { keepDeferred(error) }
  }
}
