import Foundation

/// Store of type SQLite that is migrated.
final class MigratedSQLiteStore: MigratedStore {
  private let store: LockedStore
  /// The path beside which files are made.
  private let place: String
  private let timeout: Duration
  private var file: TemporaryStore?
  /// The state of the new store before others could write to it.
  private var placedState: FileState?

  /// Locks a store.
  ///
  /// - Parameters:
  ///   - isReplaced: Whether it is going to be replaced.
  ///   - place: The path of the migrated store.
  ///   - isCancelled: Asked while locks are waited for.
  /// - Throws: As ``LockedStore/init(_:isReplaced:mindsObstacles:beside:timeout:isCancelled:)``.
  init(
    _ path: String, isReplaced: Bool, beside place: String, timeout: Duration,
    isCancelled: @escaping () -> Bool
  ) throws {
    (self.place, self.timeout) = (place, timeout)
    store = try Self.locked(
      path, isReplaced: isReplaced, beside: place, timeout: timeout, isCancelled: isCancelled)
  }

  private static func locked(
    _ path: String, isReplaced: Bool, beside place: String, timeout: Duration,
    isCancelled: @escaping () -> Bool
  ) throws -> LockedStore {
    while true {
      do {
        return try LockedStore(
          path, isReplaced: isReplaced, beside: place, timeout: timeout, isCancelled: isCancelled)
      } catch is LockedStore.Replaced {
        // Another process has migrated it meanwhile (MIG-285); what it is now is compared with the plan.
        continue
      }
    }
  }

  var path: String { store.path }
  var metadata: StoreMetadata { store.header.metadata }

  func readingPath() -> String { store.readingPath }

  func makeCopy() throws -> TemporaryStore {
    let copy = try TemporaryStore(beside: place)
    try store.copy(to: copy, newIdentifier: nil)
    return copy
  }

  func endReading() {}

  func complete(_ result: TemporaryStore, identifier: UUID) { file = result }

  func completeCopy(identifier: UUID?) throws {
    let copy = try TemporaryStore(beside: place)
    try store.copy(to: copy, newIdentifier: identifier)
    file = copy
  }

  // MARK: Placing

  func replace(keepingOldAs name: StoreReplacement.KeptName) throws -> String? {
    guard let file else { throw GraphStoreError.changedSincePlanned(path) }
    placedState = FileState(file.path)
    do {
      return try store.whileExclusive {
        try StoreReplacement(path: path).replace(by: file, keepingOldAs: name, timeout: timeout)
      }
    } catch is LockedStore.Replaced {
      throw ReplacedMeanwhile(failure: .changedSincePlanned(path))
    }
  }

  func place(at target: StoreDestination, removesSource: Bool) throws {
    guard let file else { return }
    if removesSource { try store.lockForRemoval() }
    file.adoptAttributes(of: path)
    try target.place(file)
    if !removesSource { store.release() }
  }

  func putBack(_ backup: String) throws {
    let migrated = try LockedStore(path, isReplaced: true, beside: path, timeout: timeout)
    try migrated.whileExclusive {
      guard let placedState, FileState(path) == placedState else { throw WrittenMeanwhile() }
      try StoreReplacement(path: path).putBack(backup)
    }
  }

  func removeBackup(_ backup: String) { StoreReplacement(path: path).removeBackup(backup) }

  func remove() {
    TemporaryStore.remove(path)
    store.release()
  }

  func release() { store.release() }
}

extension GraphStoreError {
  /// The failure of a migration whose store has not the version any more that it was planned for.
  static func changedSincePlanned(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .migrationFailed, "\(path) has got another version since its migration was planned.",
      remedy: "Plan the migration again; another process has migrated it meanwhile.")
  }
}
