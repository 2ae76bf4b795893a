/// Token of an observation of what a coordinator's contexts do, which ends when it is cancelled or let go of.
public final class TraceObservation: Sendable {
  private let monitor: ActivityMonitor

  init(_ monitor: ActivityMonitor) { self.monitor = monitor }

  deinit { cancel() }

  /// Ends the observation, from any thread; an event that is being told may still arrive.
  public func cancel() { monitor.remove(ObjectIdentifier(self)) }
}

extension PersistentStoreCoordinator {
  /// What contexts and stores have done since the coordinator was made, or since ``resetCounters()``.
  ///
  /// Counting never stops and costs an addition each time; times are summed while ``measuresTime`` is on or events are
  /// observed (DGN-059). May be asked from any thread; what a context is doing at the moment may be counted or not.
  public var counters: ActivityCounters { activity.counters(with: countedStatements) }

  /// Sets all counters to 0.
  public func resetCounters() { activity.reset(with: countedStatements) }

  /// Whether the time that fetches and saves take is summed, which asks a clock twice for each; false at first.
  public var measuresTime: Bool {
    get { activity.measuresTime }
    set { activity.setMeasuresTime(newValue) }
  }

  /// Has events told, as values, until the token is cancelled or let go of (DGN-056).
  ///
  /// ```swift
  /// let trace = coordinator.observe([.misses]) { print($0) }
  /// defer { trace.cancel() }
  /// ```
  ///
  /// - Parameters:
  ///   - kinds: What is told. Of both kinds of faults a miss is told twice, once as each (DGN-053).
  ///   - backtrace: Whether each event has the call stack at its origin, which takes far longer than a fault.
  ///   - receive: Takes an event after the work and outside of all locks, on the thread of the request (DGN-057).
  /// - Returns: The token, which ends the observation when it goes.
  public func observe(
    _ kinds: Set<TraceKind>, backtrace: Bool = false, _ receive: @escaping @Sendable (TraceEvent) -> Void
  ) -> TraceObservation {
    let observation = TraceObservation(activity)
    activity.add(observation, kinds: kinds, backtrace: backtrace, receive)
    return observation
  }
}
