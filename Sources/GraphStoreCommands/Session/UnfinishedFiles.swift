import CGraphStoreShims
import Synchronization

/// Registry of temporary files and folders that would be left behind if the process ended now.
///
/// They are removed too when a crash ends the process.
enum UnfinishedFiles {
  private static let paths = Mutex<Set<String>>([])

  static func add(_ path: String) {
    paths.withLock {
      if $0.insert(path).inserted { unsafe gs_add_unfinished(path) }
    }
  }

  static func remove(_ path: String) {
    paths.withLock {
      if $0.remove(path) != nil { unsafe gs_remove_unfinished(path) }
    }
  }

  /// Removes them all. For a thread that ends the process because of a signal, not for a signal handler itself.
  static func removeAll() {
    paths.withLock { paths in
      for path in paths { _ = unsafe gs_remove_tree(path) }
      paths.removeAll()
    }
  }
}
