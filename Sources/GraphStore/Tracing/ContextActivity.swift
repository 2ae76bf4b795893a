import Synchronization

/// The counters of one context: its queue alone writes them, other threads read them.
///
/// They are plain words, so that a fault that fires from the row cache pays an addition for being counted (DGN-059); but for
/// fetches, of which each takes a lock that nobody else wants.
final class ContextActivity: Sendable {
  private let fetches = Mutex<[String: ActivityCounters.Fetches]>([:])
  private let saves = Atomic<Int>(0)
  private let saveNanoseconds = Atomic<Int>(0)
  private let objectFaults = Atomic<Int>(0)
  private let objectMisses = Atomic<Int>(0)
  private let relationshipFaults = Atomic<Int>(0)
  private let prefetches = Atomic<Int>(0)

  @inline(__always)
  private func add(_ more: Int, to counter: borrowing Atomic<Int>) {
    counter.store(counter.load(ordering: .relaxed) &+ more, ordering: .relaxed)
  }

  func countFetch(of entity: String, objects: Int, time: Duration?) {
    let fetch = ActivityCounters.Fetches(count: 1, objects: objects, time: time ?? .zero)
    fetches.withLock { $0[entity, default: ActivityCounters.Fetches()].add(fetch, times: 1) }
  }

  func countSave(time: Duration?) {
    add(1, to: saves)
    if let time { add(time.wholeNanoseconds, to: saveNanoseconds) }
  }

  @inline(__always)
  func countObjectFault(isCached: Bool) {
    add(1, to: objectFaults)
    if !isCached { add(1, to: objectMisses) }
  }

  func countRelationshipFaults(_ count: Int) { add(count, to: relationshipFaults) }

  func countPrefetch() { add(1, to: prefetches) }

  /// What the context has done. Misses are read before the faults that they belong to, so that they are never more.
  var counters: ActivityCounters {
    var counters = ActivityCounters()
    counters.objectMisses = objectMisses.load(ordering: .relaxed)
    counters.objectFaults = objectFaults.load(ordering: .relaxed)
    counters.relationshipFaults = relationshipFaults.load(ordering: .relaxed)
    counters.relationshipMisses = counters.relationshipFaults
    counters.fetchesByEntity = fetches.withLock { $0 }
    counters.saves = saves.load(ordering: .relaxed)
    counters.saveTime = .nanoseconds(saveNanoseconds.load(ordering: .relaxed))
    counters.prefetches = prefetches.load(ordering: .relaxed)
    return counters
  }
}

extension Duration {
  fileprivate var wholeNanoseconds: Int { Int(self / .nanoseconds(1)) }
}
