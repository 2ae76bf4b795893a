import Foundation

/// Announcing what anybody commits to the stores.
extension PersistentStoreCoordinator {
  /// Posted by a coordinator, on a queue of its own, after commits to a store that was opened with
  /// ``StoreOptions/remoteChangeNotifications``, by this process or another one.
  ///
  /// Several commits may be one announcement, which comes within a tenth of a second where files can be
  /// watched, and within a second elsewhere. The payload is a ``RemoteStoreChange``: an observer reads the
  /// history after the token that it had, and merges what concerns it.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: PersistentStoreCoordinator.remoteChangeNotification, object: coordinator, queue: nil
  /// ) { notification in
  ///   if let change = RemoteStoreChange(notification) { print(change.url.path) }
  /// }
  /// NotificationCenter.default.removeObserver(observer)
  /// ```
  public static let remoteChangeNotification = Notification.Name("GraphStoreRemoteChange")

  /// The announcements of ``remoteChangeNotification``, from now on.
  public var remoteChanges: AsyncStream<RemoteStoreChange> { watches.makeStream() }

  /// Watches for commits to the stores that are open now, until what is returned is released.
  ///
  /// - Parameter onCommit: Called on a thread of a watch's own.
  package func watchCommits(_ onCommit: @escaping @Sendable () -> Void) throws -> CommitWatch {
    CommitWatch(
      try mounts.compactMap { mount in
        if let watch = try mount.store.watch(onCommit) { return watch }
        // Nobody else writes what is in memory alone.
        guard mount.store.isInFile || ServerAddress(mount.store.path) != nil else { return nil }
        throw GraphStoreError(
          .notSupported, "\(mount.store.path) is of type \(mount.store.typeName), which nobody watches.",
          remedy: "Watch a store of type SQLite or PostgreSQL.")
      })
  }

  /// Begins and ends the watches, as the stores and contexts ask for it.
  func renewWatches() {
    let hasFollowers = watches.hasFollowers
    let wanted = mounts.filter { hasFollowers || $0.store.options.remoteChangeNotifications }
    watches.renew(wanted) { mount in
      do {
        return try mount.store.watch { [weak self] in self?.announceLater(mount.index) }
      } catch {
        Diagnostics.reportDeferred(error)
        return nil
      }
    }
  }

  private func announceLater(_ index: Int32) {
    watches.queue.async { [weak self] in self?.announce(index) }
  }

  private func announce(_ index: Int32) {
    guard let mount = mounts.first(where: { $0.index == index }) else { return }
    for context in watches.followers.all { context.enqueue { context.mergeRemoteChanges(of: index) } }
    guard mount.store.options.remoteChangeNotifications else { return }
    let bounds = try? mount.store.read(.severalStatements) { session in
      try (session as? any HistoryReadSession)?.historyBounds()
    }
    let token = (bounds ?? nil).map { PersistentHistoryToken(store: mount.scope.uuid, $0.place) }
    let change = RemoteStoreChange(
      storeIdentifier: mount.scope.identifier, url: mount.store.url, historyToken: token)
    watches.yield(change)
    NotificationCenter.default.post(
      name: Self.remoteChangeNotification, object: self, userInfo: change.userInfo)
  }
}

/// Watches over several stores, which end with it.
package final class CommitWatch: Sendable {
  private let watches: [any StoreWatch]

  init(_ watches: [any StoreWatch]) { self.watches = watches }

  deinit { for watch in watches { watch.end() } }
}
