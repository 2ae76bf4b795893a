import Foundation
import GraphStoreModel

/// Histories of stores: beginning and ending them, the place that they have reached, and who reads them.
extension PersistentStoreCoordinator {
  /// The place after the latest transactions of the stores; nil where there is none.
  ///
  /// - Parameter stores: The stores; nil for all that keep a history.
  /// - Throws: `history-not-tracked`, `unknown-store`, and what reading throws.
  public func currentPersistentHistoryToken(
    fromStores stores: [PersistentStoreReference]? = nil
  ) throws -> PersistentHistoryToken? {
    var places: [String: PersistentHistoryToken.Place] = [:]
    for mount in try trackedStores(stores, nil) {
      let bounds = try readingHistory(of: mount, nil) { try $0.historyBounds() }
      if let place = bounds?.place, place.number > 0 { places[mount.scope.uuid] = place }
    }
    return places.isEmpty ? nil : PersistentHistoryToken(places)
  }

  /// Whether a store keeps a history.
  ///
  /// - Throws: `unknown-store`, and what reading throws.
  public func isTrackingHistory(of store: PersistentStoreReference) throws -> Bool {
    try tracksHistory(mounted(store), nil)
  }

  /// Has a store keep a history of its changes from now on, whoever opens it; nothing where it does.
  ///
  /// - Throws: `store-option` for a store of a type that keeps none, `read-only-store`, `unknown-store`,
  ///   and what writing throws.
  public func enableHistoryTracking(of store: PersistentStoreReference) throws {
    let mount = try mounted(store)
    if mount.store.isReadOnly { throw readOnlyStore(mount.store) }
    try mount.store.write { session in
      guard let session = session as? any HistoryWriteSession else { throw Self.keepsNoHistory(mount.store) }
      try session.beginHistory()
    }
  }

  /// Ends the history of a store and removes it, with the names of those who have read it: a part of one
  /// would miss changes. Tokens of before are expired.
  ///
  /// - Throws: `read-only-store`, `unknown-store`, and what writing throws.
  public func disableHistoryTracking(of store: PersistentStoreReference) throws {
    let mount = try mounted(store)
    if mount.store.isReadOnly { throw readOnlyStore(mount.store) }
    try mount.store.write { try ($0 as? any HistoryWriteSession)?.endHistory() }
  }

  /// What the history of a store costs; nil where it keeps none.
  ///
  /// The entries are counted, which reads all of them.
  ///
  /// - Throws: `unknown-store`, and what reading throws.
  public func historyUsage(of store: PersistentStoreReference) throws -> PersistentHistoryUsage? {
    let mount = try mounted(store)
    return try mount.store.read(.severalStatements) { session in
      try (session as? any HistoryReadSession)?.historySize().map(PersistentHistoryUsage.init)
    }
  }

  // MARK: Sessions

  /// The stores of a request that keep a history.
  ///
  /// - Throws: `history-not-tracked` where none does.
  func trackedStores(
    _ stores: [PersistentStoreReference]?, _ transaction: StoreTransaction?
  ) throws -> [Mount] {
    let asked = try stores?.map(mounted) ?? mounts
    if asked.isEmpty, stores == nil { throw noStore() }
    let tracked = try asked.filter { try tracksHistory($0, transaction) }
    if !tracked.isEmpty { return tracked }
    let names = asked.map(\.store.path).joined(separator: ", ")
    let canKeepOne = try asked.contains { mount in
      try mount.store.read(.severalStatements) { $0 is any HistoryReadSession }
    }
    throw GraphStoreError(
      .historyNotTracked, "\(names) \(asked.count == 1 ? "keeps" : "keep") no history.",
      remedy: canKeepOne
        ? "Begin one with enableHistoryTracking, or the option historyTracking."
        : "Stores of the types SQLite and PostgreSQL keep one.")
  }

  private func tracksHistory(_ mount: Mount, _ transaction: StoreTransaction?) throws -> Bool {
    if let session = transaction?.session(mount.index) {
      return try (session as? any HistoryReadSession)?.historyBounds() != nil
    }
    return try mount.store.read(.severalStatements) { session in
      try (session as? any HistoryReadSession)?.historyBounds() != nil
    }
  }

  /// - Throws: `unknown-store` for a token that covers none of some stores.
  func checkStores(of token: PersistentHistoryToken, _ stores: [Mount]) throws {
    let known = stores.contains { token.places[$0.scope.uuid] != nil }
    if known || token.places.isEmpty { return }
    throw GraphStoreError(
      .unknownStore,
      "The token \(token) is of other stores than \(stores.map(\.store.path).joined(separator: ", ")).",
      remedy:
        "Where the store was replaced by another one, what was derived from it has to be made anew: read the "
        + "history without a token.")
  }

  /// - Throws: `history-expired` where something is missing after a place, or it is one of another history.
  func checkKept(
    after place: PersistentHistoryToken.Place, _ mount: Mount, _ session: any HistoryReadSession
  ) throws {
    guard let bounds = try session.historyBounds() else { return }
    try checkHistory(of: place, mount, session)
    guard bounds.isMissing(after: place.number) else { return }
    let path = mount.store.path
    throw Self.historyExpired(
      bounds.oldest.map {
        "The history of \(path) begins with transaction \($0): what came right after \(place.number) was removed."
      } ?? "The history of \(path) after transaction \(place.number) was removed.")
  }

  /// - Throws: `history-expired` for a place of another history than the store has: an older state of the
  ///   store has taken its place.
  func checkHistory(
    of place: PersistentHistoryToken.Place, _ mount: Mount, _ session: any HistoryReadSession
  ) throws {
    guard let bounds = try session.historyBounds() else { return }
    let (path, number) = (mount.store.path, place.number)
    if number > bounds.newest {
      throw Self.historyExpired(
        "The history of \(path) ends with transaction \(bounds.newest), before \(number): an older state of the "
          + "store has taken its place.")
    }
    if let stamp = place.stamp, let present = try session.historyPlace(after: number).stamp, stamp != present
    {
      throw Self.historyExpired(
        "The history of \(path) has another transaction \(number): an older state of the store has taken its "
          + "place, and was written to since.")
    }
  }

  private static func historyExpired(_ message: String) -> GraphStoreError {
    GraphStoreError(
      .historyExpired, message,
      remedy:
        "Changes were missed: fetch anew what was derived from the store, and go on from the current token.")
  }

  func readingHistory<Result>(
    of mount: Mount, _ transaction: StoreTransaction?, _ body: (any HistoryReadSession) throws -> Result
  ) throws -> Result {
    if let session = transaction?.session(mount.index) as? any HistoryReadSession { return try body(session) }
    return try mount.store.read(.severalStatements) { session in
      guard let session = session as? any HistoryReadSession else { throw Self.keepsNoHistory(mount.store) }
      return try body(session)
    }
  }

  func writingHistory<Result>(
    of mount: Mount, _ transaction: StoreTransaction?,
    _ body: (any HistoryReadSession & HistoryWriteSession) throws -> Result
  ) throws -> Result {
    typealias Session = any HistoryReadSession & HistoryWriteSession
    if let session = transaction?.session(mount.index) as? Session { return try body(session) }
    return try mount.store.write { session in
      guard let session = session as? Session else { throw Self.keepsNoHistory(mount.store) }
      return try body(session)
    }
  }

  private static func keepsNoHistory(_ store: any PersistentStore) -> GraphStoreError {
    GraphStoreError(
      .storeOption, "\(store.path) is a store of type \(store.typeName), which keeps no history.",
      remedy: "Stores of the types SQLite and PostgreSQL keep one.")
  }
}

/// What the history of a store costs.
///
/// ```swift
/// if let usage = try coordinator.historyUsage(of: archive) {
///   print(usage.changes, "changes in", usage.bytes ?? 0, "bytes")
/// }
/// ```
public struct PersistentHistoryUsage: Sendable {
  /// The number of its transactions.
  public let transactions: Int
  /// The number of their changes.
  public let changes: Int
  /// The bytes of its tables and indexes; nil where the database cannot tell.
  public let bytes: Int?
  /// The time of the oldest transaction; nil where there is none.
  public let oldest: Date?

  init(_ size: HistorySize) {
    (transactions, changes, bytes, oldest) = (size.transactions, size.changes, size.bytes, size.oldest)
  }
}
