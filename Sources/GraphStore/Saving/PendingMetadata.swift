import GraphStorePredicates

/// Changes of the stores' metadata that wait for a save, by the stores' numbers.
struct PendingMetadata: Sendable {
  /// Changes that a save has written, and that its transaction is going to commit.
  struct Written: Sendable, Equatable {
    let index: Int32
    let changes: [String: Value?]
  }

  private var changes: [Int32: [String: Value?]] = [:]

  /// The metadata that wait for a save of a store: values, or nil for keys to be removed.
  subscript(index: Int32) -> [String: Value?] { changes[index] ?? [:] }

  var isEmpty: Bool { changes.isEmpty }

  /// Adds changes of a store; of a key that waits already the newer value counts.
  mutating func add(_ newer: [String: Value?], _ index: Int32) {
    guard !newer.isEmpty else { return }
    changes[index, default: [:]].merge(newer) { _, newer in newer }
  }

  /// Records that a save was committed; metadata set since remain pending.
  mutating func end(_ written: Written) {
    guard var left = changes[written.index] else { return }
    for (key, value) in written.changes where left[key] == value { left.removeValue(forKey: key) }
    changes[written.index] = left.isEmpty ? nil : left
  }
}

extension PersistentStoreCoordinator {
  /// Writes the metadata that wait for a save of a store, within the save's transaction.
  ///
  /// - Returns: The metadata that were written; nil where nothing waits.
  func writePendingMetadata(
    _ index: Int32, _ session: any WriteSession
  ) throws -> PendingMetadata.Written? {
    let changes = pendingMetadata.withLock { $0[index] }
    guard !changes.isEmpty else { return nil }
    try session.setMetadata(changes)
    return PendingMetadata.Written(index: index, changes: changes)
  }

  /// Records that metadata were committed, and warns of those that have become large.
  func endPendingMetadata(_ written: PendingMetadata.Written?) {
    guard let written else { return }
    pendingMetadata.withLock { $0.end(written) }
    guard let store = store(written.index) else { return }
    let metadata = try? store.read { try $0.metadata() }
    guard let values = metadata else { return }
    StoreWarning.reportLargeMetadata(values, path: store.path)
  }
}
