import Synchronization

/// Passes the saves into one parent on to the contexts that merge them as they happen, in the order of the
/// saves.
///
/// A save is reported by the thread that made it, after the store has been unlocked, so that the reports of
/// two threads may come in the other order. Each save therefore takes a place while the store is locked, and
/// a report waits for those of earlier places.
final class SaveRelay: Sendable {
  /// The place of a save, or of a transaction, among those into one parent; given up when it is released
  /// without a report.
  final class Place: Sendable {
    fileprivate let number: Int
    private let relay: SaveRelay

    fileprivate init(_ number: Int, in relay: SaveRelay) {
      self.number = number
      self.relay = relay
    }

    deinit { relay.settle(number, with: []) }
  }

  private struct Reports {
    /// The number of the place that is taken next.
    var next = 0
    /// The first place that was neither reported nor given up.
    var first = 0
    /// The reports that wait for those of earlier places; empty ones of places that were given up.
    var waiting: [Int: [SavedChanges]] = [:]
  }

  private let reports = Mutex(Reports())
  private let listeners = ContextList()
  private let listenerCount = Atomic<Int>(0)

  // MARK: Listeners

  /// Passes saves on to a context from now on; it is not kept alive.
  func add(_ context: ManagedObjectContext) {
    listeners.add(context)
    listenerCount.add(1, ordering: .releasing)
  }

  /// Called from the context's `deinit` too.
  func remove(_ context: ManagedObjectContext) {
    listeners.remove(context)
    listenerCount.subtract(1, ordering: .releasing)
  }

  /// Whether a save by a context, or by any of several, concerns another one.
  func hasListeners(besides context: ManagedObjectContext? = nil) -> Bool {
    let count = listenerCount.load(ordering: .acquiring)
    return count > (context?.delivery.mergesAutomatically == true ? 1 : 0)
  }

  // MARK: Saves

  /// Takes the next place; nil where a save by the context concerns nobody else.
  func reservePlace(for context: ManagedObjectContext?) -> Place? {
    guard hasListeners(besides: context) else { return nil }
    return reports.withLock { reports in
      defer { reports.next += 1 }
      return Place(reports.next, in: self)
    }
  }

  /// Reports the saves of a place.
  func post(_ changes: [SavedChanges], at place: Place) { settle(place.number, with: changes) }

  private func settle(_ number: Int, with changes: [SavedChanges]) {
    reports.withLock { reports in
      guard number >= reports.first, reports.waiting[number] == nil else { return }
      reports.waiting[number] = changes
      while let changes = reports.waiting.removeValue(forKey: reports.first) {
        reports.first += 1
        if !changes.isEmpty { deliver(changes) }
      }
    }
  }

  /// Appends merges to the queues of the contexts; within the lock, which keeps their order.
  private func deliver(_ changes: [SavedChanges]) {
    for context in listeners.all {
      for saved in changes where saved.origin !== context.queue {
        context.enqueue { context.mergeAutomatically(saved) }
      }
    }
  }
}
