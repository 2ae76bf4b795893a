import Synchronization

/// Log of which records of a store the contexts of a coordinator use, for a store that wants to know.
///
/// Contexts note what they begin and end to use as it happens, on any thread; what has changed on the whole
/// is taken from the log from time to time.
package final class RegistrationLog: Sendable {
  private struct State {
    /// The number of contexts that use a record.
    var counts: [RecordKey: Int] = [:]
    var told: Set<RecordKey> = []
    var changed: Set<RecordKey> = []
    var isAnnounced = false
  }

  private let state = Mutex(State())
  /// Called when there is something to be taken, once until it is.
  private let announce: @Sendable () -> Void

  package init(announcing announce: @escaping @Sendable () -> Void) { self.announce = announce }

  package func register(_ root: Int, _ keys: some Sequence<Int64>) { note(root, keys, 1) }

  package func unregister(_ root: Int, _ key: Int64) { note(root, CollectionOfOne(key), -1) }

  private func note(_ root: Int, _ keys: some Sequence<Int64>, _ change: Int) {
    let isNew = state.withLock { state in
      for key in keys {
        let record = RecordKey(root: root, key: key)
        let count = (state.counts[record] ?? 0) + change
        state.counts[record] = count > 0 ? count : nil
        state.changed.insert(record)
      }
      defer { state.isAnnounced = true }
      return !state.isAnnounced
    }
    if isNew { announce() }
  }

  /// The records that have come into use and gone out of it since this was called last.
  package func take() -> (registered: [RecordKey], unregistered: [RecordKey]) {
    state.withLock { state in
      let registered = state.changed.filter { state.counts[$0] != nil && !state.told.contains($0) }
      let unregistered = state.changed.filter { state.counts[$0] == nil && state.told.contains($0) }
      state.told.formUnion(registered)
      state.told.subtract(unregistered)
      state.changed = []
      state.isAnnounced = false
      return (Array(registered), Array(unregistered))
    }
  }
}
