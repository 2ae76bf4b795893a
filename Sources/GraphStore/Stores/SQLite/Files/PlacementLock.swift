import Foundation
import Glibc
import GraphStoreFiles

/// Advisory lock of a folder in which a store is moved to its path: of several processes, and threads, that
/// choose one free name, one finds it free, and none touches what another has put there.
///
/// It is taken for some renames only, and by nobody who reads or writes a store.
enum PlacementLock {
  /// Runs a body while the folder of a path is locked.
  ///
  /// A folder that cannot be read, or whose file system has no such locks, is used without.
  ///
  /// - Throws: `store-timeout`, and what the body throws.
  static func whileHeld<Result>(
    beside path: String, timeout: Duration, _ body: () throws -> Result
  ) throws -> Result {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return try body() }
    // Closing it unlocks it.
    defer { close(descriptor) }
    let deadline = ContinuousClock.now + timeout
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard ContinuousClock.now < deadline else {
        throw GraphStoreError(
          .storeTimeout, "\(folder) is in use by another process that puts a store there.",
          remedy: "Try again, or wait longer.")
      }
      usleep(2_000)
    }
    return try body()
  }
}
