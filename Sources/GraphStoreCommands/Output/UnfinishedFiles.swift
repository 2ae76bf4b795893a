import Foundation
import Synchronization

/// The temporary files and folders that would be left behind if the process ended now.
enum UnfinishedFiles {
  private static let paths = Mutex<Set<String>>([])

  static func add(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  static func remove(_ path: String) {
    paths.withLock { _ = $0.remove(path) }
  }

  /// Removes them all. For a thread that ends the process because of a signal, not for a signal handler itself.
  static func removeAll() {
    paths.withLock { paths in
      for path in paths where unlink(path) != 0 { try? FileManager.default.removeItem(atPath: path) }
      paths.removeAll()
    }
  }
}
