import CGraphStoreSQLite
import Synchronization

/// Ends what a connection is doing, from any thread, as long as the connection is open.
public final class SQLiteInterrupter: Sendable {
  private let address = Mutex<UInt>(0)
  private let flag = Atomic<Bool>(false)

  /// Makes the running statement and the running wait for a lock fail with ``SQLiteErrorCode/interrupt``.
  ///
  /// Nothing happens when nothing runs. Any thread may call it.
  public func interrupt() {
    address.withLock { address in
      guard let database = OpaquePointer(bitPattern: address) else { return }
      flag.store(true, ordering: .sequentiallyConsistent)
      sqlite3_interrupt(database)
    }
  }

  var wasInterrupted: Bool { flag.load(ordering: .sequentiallyConsistent) }

  func forget() {
    flag.store(false, ordering: .sequentiallyConsistent)
  }

  func attach(_ database: OpaquePointer?) {
    let bits = UInt(bitPattern: database)
    address.withLock { $0 = bits }
  }
}
