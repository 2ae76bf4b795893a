import CGraphStoreShims
import Foundation
import Glibc
import GraphStoreFiles

/// Store that SQLite cannot open, and that is replaced or removed all the same.
enum DamagedStore {
  /// Runs a body while no connection of any process uses the file.
  ///
  /// It locks the bytes that SQLite locks, since no connection to it can.
  ///
  /// - Throws: `store-timeout`, `store-permission`, and what the body throws.
  static func whileExclusive<Result>(
    _ path: String, timeout: Duration, _ body: () throws -> Result
  ) throws -> Result {
    let file = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw SQLiteLayout.error(.system(errno), path) }
    defer { DatabaseFiles.close(file) }
    let deadline = ContinuousClock.now + timeout
    // A file system without locks has nobody who could have one.
    while gs_lock_database(file) != 0, errno == EAGAIN || errno == EACCES || errno == EINTR {
      guard ContinuousClock.now < deadline else {
        throw GraphStoreError(
          .storeTimeout, "\(path) is in use by another process.",
          remedy: "Try again later, or set a longer timeout.")
      }
      usleep(10_000)
    }
    return try body()
  }
}
