import Foundation

/// Announcement of commits to a store, by this process or another one: which store, and what its history has
/// by now.
///
/// It names no records: these are in the history.
///
/// ```swift
/// let watch = Task {
///   for await change in coordinator.remoteChanges { print(change.url.lastPathComponent, "has changed") }
/// }
/// watch.cancel()
/// ```
public struct RemoteStoreChange: Sendable {
  /// The UUID of the store.
  public let storeIdentifier: UUID
  /// The location of the store.
  public let url: URL
  /// The place after the latest transaction of the store; nil where it keeps no history.
  public let historyToken: PersistentHistoryToken?

  init(storeIdentifier: UUID, url: URL, historyToken: PersistentHistoryToken?) {
    self.storeIdentifier = storeIdentifier
    self.url = url
    self.historyToken = historyToken
  }

  private enum Key {
    static let identifier = "storeUUID"
    static let url = "storeURL"
    static let token = "historyToken"
  }

  /// Reads the payload of a notification named ``PersistentStoreCoordinator/remoteChangeNotification``; nil
  /// for another one.
  public init?(_ notification: Notification) {
    guard notification.name == PersistentStoreCoordinator.remoteChangeNotification,
      let identifier = notification.userInfo?[Key.identifier] as? UUID,
      let url = notification.userInfo?[Key.url] as? URL
    else { return nil }
    self.init(
      storeIdentifier: identifier, url: url,
      historyToken: notification.userInfo?[Key.token] as? PersistentHistoryToken)
  }

  var userInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [Key.identifier: storeIdentifier, Key.url: url]
    if let historyToken { info[Key.token] = historyToken }
    return info
  }
}
