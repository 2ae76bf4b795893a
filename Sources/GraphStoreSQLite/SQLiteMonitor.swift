import CGraphStoreSQLite
import Glibc
import Synchronization

/// What SQLite's callbacks share with a connection and its statements: counters, the observer, the patience
/// with locks, and the way to interrupt.
@usableFromInline
final class SQLiteMonitor {
  /// Read by other threads too.
  let statementCount = Atomic<Int>(0)
  var isSilent = false
  var observer: ((String) -> Void)?
  var busyTimeout: Duration
  private var waitingSince = ContinuousClock.now
  private var endedWait = false
  let interrupter = SQLiteInterrupter()

  init(busyTimeout: Duration) {
    self.busyTimeout = busyTimeout
  }

  /// Called by SQLite when a statement begins to run.
  func began(_ text: UnsafePointer<CChar>) {
    unsafe interrupter.began(text)
    // Programs of triggers announce themselves by a comment.
    if unsafe isSilent || (text[0] == 0x2d && text[1] == 0x2d) { return }
    statementCount.add(1, ordering: .relaxed)
    if let observer { unsafe observer(String(cString: text)) }
  }

  /// Called by SQLite at each failed attempt to take a lock; true means try again.
  func waitsLonger(attempt: Int32) -> Bool {
    let now = ContinuousClock.now
    if attempt == 0 {
      waitingSince = now
      interrupter.forget()
    }
    let left = busyTimeout - (now - waitingSince)
    guard left > .zero else { return false }
    let pause = min(left, .milliseconds(min(1 << min(attempt, 5), 25)))
    usleep(UInt32(clamping: pause.components.attoseconds / 1_000_000_000_000))
    endedWait = interrupter.endsWaits
    return !endedWait
  }

  /// The failure with which a call ended; a wait for a lock that was interrupted counts as interrupted.
  @usableFromInline
  func failure(_ code: Int32, database: OpaquePointer?, sql: String?) -> SQLiteError {
    defer { endedWait = false }
    if code & 0xff == SQLITE_BUSY && endedWait {
      return SQLiteError(code: .interrupt, message: "interrupted", sql: sql)
    }
    return unsafe SQLiteError(code: code, database: database, sql: sql)
  }
}
