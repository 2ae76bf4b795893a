import Foundation

/// A named reader of a store's history, which the store remembers.
///
/// With readers known, what all of them have read can be removed, and nothing more:
///
/// ```swift
/// try coordinator.enableHistoryTracking(of: archive)
/// let token = try coordinator.registerHistoryConsumer(named: "mirror", of: archive)
/// let history = try context.execute(.fetchHistory(after: token))
/// try coordinator.updateHistoryConsumer(named: "mirror", to: history.token)
/// try coordinator.deleteHistory(readByAllConsumers: true)
/// ```
public struct PersistentHistoryConsumer: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// The place up to which it has read the history.
  public let token: PersistentHistoryToken
  /// The time when it said so.
  public let updated: Date
}

extension PersistentStoreCoordinator {
  /// The readers of the stores' histories that are registered, by store and name.
  ///
  /// - Throws: `history-not-tracked`, and what reading throws.
  public func historyConsumers() throws -> [PersistentHistoryConsumer] {
    try trackedStores(nil, nil).flatMap { mount in
      try readingHistory(of: mount, nil) { session in
        try session.historyConsumers().map { consumer in
          PersistentHistoryConsumer(
            name: consumer.name,
            token: PersistentHistoryToken(store: mount.scope.uuid, consumer.place),
            updated: consumer.date)
        }
      }
    }
  }

  /// Registers a reader of a store's history, unless there is one of the name.
  ///
  /// - Returns: The place up to which it has read. A new one has read nothing, and nothing that it has yet to
  ///   read counts as read by all.
  /// - Throws: `history-not-tracked`, `read-only-store`, `unknown-store`, `invalid-request` for an empty
  ///   name, and what writing throws.
  @discardableResult
  public func registerHistoryConsumer(
    named name: String, of store: PersistentStoreReference
  ) throws -> PersistentHistoryToken {
    try Self.checkConsumerName(name)
    let mount = try trackedStores([store], nil)[0]
    if mount.store.isReadOnly { throw readOnlyStore(mount.store) }
    let place = try writingHistory(of: mount, nil) { session in
      if let known = try session.historyConsumers().first(where: { $0.name == name }) { return known.place }
      let start = try session.historyPlace(after: session.historyNumber(before: .beginning))
      try session.setHistoryConsumer(name, start)
      return start
    }
    return PersistentHistoryToken(store: mount.scope.uuid, place)
  }

  /// Notes up to where a registered reader has read: the stores of the token remember it.
  ///
  /// - Throws: `unknown-store` for a token of other stores; `history-expired` for one of a state of a store
  ///   that another one has replaced; `history-not-tracked`, `read-only-store`, `invalid-request` for an
  ///   empty name, and what writing throws.
  public func updateHistoryConsumer(named name: String, to token: PersistentHistoryToken) throws {
    try Self.checkConsumerName(name)
    let stores = try trackedStores(nil, nil)
    try checkStores(of: token, stores)
    for mount in stores {
      guard let place = token.places[mount.scope.uuid] else { continue }
      if mount.store.isReadOnly { throw readOnlyStore(mount.store) }
      try writingHistory(of: mount, nil) { session in
        try checkHistory(of: place, mount, session)
        try session.setHistoryConsumer(name, place)
      }
    }
  }

  private static func checkConsumerName(_ name: String) throws {
    guard name.isEmpty else { return }
    throw GraphStoreError(
      .invalidRequest, "A reader of a history needs a name.",
      remedy: "Name it by what it does, as \"mirror\".")
  }

  /// Forgets a reader, in all stores: what it has not read does not count any more.
  ///
  /// - Throws: `history-not-tracked`, `read-only-store`, `invalid-request` for an empty name, and what
  ///   writing throws.
  public func removeHistoryConsumer(named name: String) throws {
    try Self.checkConsumerName(name)
    for mount in try trackedStores(nil, nil) {
      if mount.store.isReadOnly { throw readOnlyStore(mount.store) }
      try writingHistory(of: mount, nil) { try $0.setHistoryConsumer(name, nil) }
    }
  }

  /// Removes transactions from the stores' histories that are not needed any more.
  ///
  /// - Parameters:
  ///   - readByAllConsumers: Whether only those are removed that every registered reader of their store has
  ///     read; where none is registered, nothing is.
  ///   - date: Whether only those are removed that are before a time; nil for any.
  /// - Returns: How many were removed.
  /// - Throws: `history-not-tracked`, `read-only-store`, and what writing throws.
  @discardableResult
  public func deleteHistory(readByAllConsumers: Bool, olderThan date: Date? = nil) throws -> Int {
    var count = 0
    for mount in try trackedStores(nil, nil) {
      if mount.store.isReadOnly { throw readOnlyStore(mount.store) }
      count += try writingHistory(of: mount, nil) { session in
        var last = try session.historyBounds()?.newest ?? 0
        if readByAllConsumers {
          last = min(last, try session.historyConsumers().map(\.place.number).min() ?? 0)
        }
        if let date { last = min(last, try session.historyNumber(ofLastBefore: date)) }
        return try session.deleteHistory(through: last)
      }
    }
    return count
  }
}

extension HistoryReadSession {
  /// The number of the last transaction that is earlier than a date; 0 where there is none.
  func historyNumber(ofLastBefore date: Date) throws -> Int64 {
    try historyNumber(
      before: .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextDown)))
  }
}
