import CGraphStoreSQLite
import Glibc
import Synchronization

/// Ends what a connection is doing, from any thread, as long as the connection is open.
public final class SQLiteInterrupter: Sendable {
  private let address = Mutex<UInt>(0)
  private let flag = Atomic<Bool>(false)
  private let stopped = Atomic<Bool>(false)

  /// Makes the running statement and the running wait for a lock fail with ``SQLiteErrorCode/interrupt``.
  ///
  /// Nothing happens when nothing runs. Any thread may call it.
  public func interrupt() {
    address.withLock { address in
      guard let database = unsafe OpaquePointer(bitPattern: address) else { return }
      flag.store(true, ordering: .sequentiallyConsistent)
      unsafe sqlite3_interrupt(database)
    }
  }

  /// Does what ``interrupt()`` does, and lets no further statement run, except those that roll back, until
  /// ``resume()``.
  ///
  /// Work of many statements ends wherever it is, and can be rolled back. Any thread may call it.
  public func stop() {
    stopped.store(true, ordering: .sequentiallyConsistent)
    interrupt()
  }

  /// Lets statements run again.
  public func resume() {
    stopped.store(false, ordering: .sequentiallyConsistent)
  }

  /// Called as a statement begins: ends it if none may run.
  func began(_ text: UnsafePointer<CChar>) {
    guard stopped.load(ordering: .relaxed), unsafe !Self.rollsBack(text) else { return }
    interrupt()
  }

  /// A savepoint is released behind its rollback.
  private static func rollsBack(_ text: UnsafePointer<CChar>) -> Bool {
    unsafe strncmp(text, "ROLLBACK", 8) == 0 || strncmp(text, "RELEASE", 7) == 0
  }

  /// Whether a wait for a lock that has begun is to end.
  var endsWaits: Bool {
    flag.load(ordering: .sequentiallyConsistent) || stopped.load(ordering: .sequentiallyConsistent)
  }

  func forget() {
    flag.store(false, ordering: .sequentiallyConsistent)
  }

  func attach(_ database: OpaquePointer?) {
    let bits = UInt(bitPattern: database)
    address.withLock { $0 = bits }
  }
}
