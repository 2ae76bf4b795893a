import Dispatch
import Foundation
import Synchronization

/// Watches over the stores of a coordinator, as long as their options ask for them or a context merges what
/// others write.
final class StoreWatches: Sendable {
  private struct State {
    /// By the numbers of the stores, each with the handle of the store that it watches: another one has its
    /// file elsewhere.
    var watches: [Int32: (watch: any StoreWatch, store: ObjectIdentifier)] = [:]
    var streams: [UUID: AsyncStream<RemoteStoreChange>.Continuation] = [:]
  }

  private let state = Mutex(State())
  /// Contexts that merge what others write.
  let followers = ContextList()
  private let followerCount = Atomic<Int>(0)
  /// Where changes are announced, one after another.
  let queue = DispatchQueue(label: "GraphStore remote changes", qos: .userInitiated)

  deinit {
    let state = state.withLock { $0 }
    for (watch, _) in state.watches.values { watch.end() }
    for stream in state.streams.values { stream.finish() }
  }

  // MARK: Followers

  var hasFollowers: Bool { followerCount.load(ordering: .acquiring) > 0 }

  func add(_ context: ManagedObjectContext) {
    followers.add(context)
    followerCount.add(1, ordering: .acquiringAndReleasing)
  }

  /// Called from the context's `deinit` too.
  func remove(_ context: ManagedObjectContext) {
    followers.remove(context)
    followerCount.subtract(1, ordering: .acquiringAndReleasing)
  }

  // MARK: Watching

  /// Begins to watch the stores that are to be watched, and ends the watches over all others.
  func renew(_ wanted: [Mount], _ begin: (Mount) -> (any StoreWatch)?) {
    let handles = Dictionary(uniqueKeysWithValues: wanted.map { ($0.index, ObjectIdentifier($0.store)) })
    var ended: [any StoreWatch] = []
    state.withLock { state in
      for (index, (watch, store)) in state.watches where handles[index] != store {
        ended.append(watch)
        state.watches[index] = nil
      }
      for mount in wanted where state.watches[mount.index] == nil {
        state.watches[mount.index] = begin(mount).map { ($0, ObjectIdentifier(mount.store)) }
      }
    }
    for watch in ended { watch.end() }
  }

  // MARK: Streams

  func makeStream() -> AsyncStream<RemoteStoreChange> {
    AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
      let id = UUID()
      state.withLock { $0.streams[id] = continuation }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
      }
    }
  }

  func yield(_ change: RemoteStoreChange) {
    for continuation in state.withLock({ Array($0.streams.values) }) { continuation.yield(change) }
  }
}
