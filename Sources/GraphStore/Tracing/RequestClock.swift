import GraphStoreSQLite

/// The times of a request: since when it runs, and how much of that in statements.
struct RequestClock {
  private let start = ContinuousClock.now
  private let statementTime = StatementClock.time

  /// How long the request has taken so far.
  var time: Duration { ContinuousClock.now - start }
  /// How long its statements have, on this thread; never longer than all.
  func sqlTime(within time: Duration) -> Duration { min(time, StatementClock.time - statementTime) }
}
