import CGraphStoreShims

/// Registry of temporary files and folders that would be left behind if the process ended now.
///
/// They are removed too when a crash ends the process. The library adds the stores that it fills beside others.
enum UnfinishedFiles {
  static func add(_ path: String) { unsafe gs_add_unfinished(path) }

  static func remove(_ path: String) { unsafe gs_remove_unfinished(path) }

  /// Removes them all: for whoever ends the process because of a signal.
  static func removeAll() { gs_remove_all_unfinished() }
}
