import Glibc

/// Busy handler of a connection: how long a statement waits for a lock that another connection holds.
@usableFromInline
struct SQLiteBusyWait {
  var timeout: Duration
  private var start = ContinuousClock.now
  /// Whether the last wait was ended by an interrupt.
  private(set) var wasInterrupted = false

  init(timeout: Duration) { self.timeout = timeout }

  /// Called at each failed attempt to take the lock; true means try again, after a pause that has passed.
  mutating func waitsLonger(attempt: Int32, _ interrupter: SQLiteInterrupter) -> Bool {
    let now = ContinuousClock.now
    if attempt == 0 {
      start = now
      interrupter.forget()
    }
    let left = timeout - (now - start)
    guard left > .zero else { return false }
    let pause = min(left, .milliseconds(min(1 << min(attempt, 5), 25)))
    usleep(UInt32(clamping: pause.components.attoseconds / 1_000_000_000_000))
    wasInterrupted = interrupter.endsWaits
    return !wasInterrupted
  }

  /// Ends the call that waited.
  mutating func end() { wasInterrupted = false }
}
