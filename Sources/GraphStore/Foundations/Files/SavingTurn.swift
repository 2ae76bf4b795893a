import Dispatch
import Foundation
import Glibc
import GraphStoreFiles

/// Turn of one process, or of one store within it, to replace the file at a path; it lasts as long as this
/// lives.
///
/// It is a lock of the file itself. Whoever waited for it while the file was replaced has the lock of a file
/// that is gone, and takes that of the new one. A migration has it from reading the file to replacing it.
final class SavingTurn {
  private let descriptor: Int32

  /// Waits for the turn; on a file system without such locks, and without a file, there is nothing to wait
  /// for.
  ///
  /// - Parameter isCancelled: Asked while others are waited for.
  /// - Returns: Nil where it took too long, or was cancelled.
  init?(at path: String, timeout: Duration, isCancelled: () -> Bool = { false }) {
    let deadline = ContinuousClock.now + timeout
    while true {
      let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else {
        descriptor = -1
        return
      }
      while flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
        guard ContinuousClock.now < deadline, !isCancelled() else {
          DatabaseFiles.close(file)
          return nil
        }
        usleep(2_000)
      }
      if FileStamp(descriptor: file) == FileStamp(path) {
        descriptor = file
        return
      }
      DatabaseFiles.close(file)
    }
  }

  /// Whether it is the turn to replace the file of some state, and not one that was there before.
  func isOf(_ stamp: FileStamp) -> Bool {
    descriptor < 0 || FileStamp(descriptor: descriptor) == stamp
  }

  deinit {
    if descriptor >= 0 { DatabaseFiles.close(descriptor) }
  }
}
