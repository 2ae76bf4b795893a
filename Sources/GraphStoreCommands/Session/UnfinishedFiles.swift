import CGraphStoreShims
import Synchronization

/// Registry of temporary files and folders that would be left behind if the process ended now.
///
/// They are removed too when a crash ends the process. The library adds the stores that it fills beside
/// others.
enum UnfinishedFiles {
  /// Those of a store in which nothing is saved yet.
  private static let unsaved = Mutex<[String]>([])

  static func add(_ path: String) { unsafe gs_add_unfinished(path) }

  static func remove(_ path: String) { unsafe gs_remove_unfinished(path) }

  /// Adds the files of a store that is made for what is going to be saved in it.
  static func add(_ store: StoreFiles) {
    store.all.forEach(add)
    unsaved.withLock { $0 += store.all }
  }

  /// Keeps the store that was made: something is saved in it, or it is removed already.
  static func keepStore() {
    unsaved.withLock { paths in
      paths.forEach(remove)
      paths = []
    }
  }

  /// Removes them all: for whoever ends the process because of a signal.
  static func removeAll() { gs_remove_all_unfinished() }
}
