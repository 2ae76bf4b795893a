import GraphStoreSQLite
import Synchronization

/// Monitor of the work of a coordinator's contexts: their counters, and the observers of events.
final class ActivityMonitor: Sendable {
  private struct Observer {
    let token: ObjectIdentifier
    let kinds: UInt8
    let wantsBacktrace: Bool
    let receive: @Sendable (TraceEvent) -> Void
  }

  private struct State {
    var contexts: [ObjectIdentifier: ContextActivity] = [:]
    /// The counters of contexts that are gone.
    var ended = ActivityCounters()
    /// The counts when the counters were reset.
    var base = ActivityCounters()
    var observers: [Observer] = []

    func total(_ statements: StatementCounts) -> ActivityCounters {
      var total = ended
      for activity in contexts.values { total += activity.counters }
      total.statements = statements
      return total
    }
  }

  private let state = Monitor(State())
  /// The kinds that have observers.
  private let observed = Atomic<UInt8>(0)
  private let measuring = Atomic<Bool>(false)

  deinit { setMeasuresTime(false) }

  // MARK: Contexts

  func add(_ activity: ContextActivity) {
    state.withState { $0.contexts[ObjectIdentifier(activity)] = activity }
  }

  /// Keeps what a context has done that ends.
  func end(_ activity: ContextActivity) {
    state.withState { state in
      guard state.contexts.removeValue(forKey: ObjectIdentifier(activity)) != nil else { return }
      state.ended += activity.counters
    }
  }

  // MARK: Counters

  func counters(with statements: StatementCounts) -> ActivityCounters {
    state.withState { $0.total(statements) - $0.base }
  }

  func reset(with statements: StatementCounts) {
    state.withState { $0.base = $0.total(statements) }
  }

  // MARK: Times

  var measuresTime: Bool { measuring.load(ordering: .relaxed) }

  func setMeasuresTime(_ measuresTime: Bool) {
    guard measuring.exchange(measuresTime, ordering: .relaxed) != measuresTime else { return }
    if measuresTime { StatementClock.start() } else { StatementClock.stop() }
  }

  // MARK: Observers

  /// The kinds of events that are delivered, to observers or to the process's own trace, as bits.
  @inline(__always)
  var tracedKinds: UInt8 { observed.load(ordering: .relaxed) | Diagnostics.tracedBits }

  func add(
    _ token: TraceObservation, kinds: Set<TraceKind>, backtrace: Bool,
    _ receive: @escaping @Sendable (TraceEvent) -> Void
  ) {
    let observer = Observer(
      token: ObjectIdentifier(token), kinds: kinds.mask, wantsBacktrace: backtrace, receive: receive)
    change { $0.append(observer) }
    StatementClock.start()
  }

  func remove(_ token: ObjectIdentifier) {
    let isFound = change { observers in
      let count = observers.count
      observers.removeAll { $0.token == token }
      return observers.count < count
    }
    if isFound { StatementClock.stop() }
  }

  private func change<Result>(_ body: (inout [Observer]) -> Result) -> Result {
    state.withState { state in
      defer { observed.store(state.observers.reduce(0) { $0 | $1.kinds }, ordering: .relaxed) }
      return body(&state.observers)
    }
  }

  /// Delivers an event, outside of the lock: an observer may do what it wants (DGN-057).
  func deliver(_ event: TraceEvent) {
    Diagnostics.trace(event)
    let observers = state.withState { $0.observers.filter { $0.kinds & event.kind.bit != 0 } }
    guard !observers.isEmpty else { return }
    var withBacktrace: TraceEvent?
    for observer in observers {
      guard observer.wantsBacktrace else {
        observer.receive(event)
        continue
      }
      let complete = withBacktrace ?? event.withBacktrace
      withBacktrace = complete
      observer.receive(complete)
    }
  }
}
