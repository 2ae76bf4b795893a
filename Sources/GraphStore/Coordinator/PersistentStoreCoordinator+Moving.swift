import Foundation
import GraphStoreModel

extension PersistentStoreCoordinator {
  /// Reopens a store at another path, to which its file was moved or copied.
  ///
  /// The store is closed, and opened there under the model and with the options that it has; it has to be
  /// there already. Its objects stay, in every context, with what was not saved of them; what they read next
  /// is what the file at the new path holds, and a save finds conflicts with it as with another program's
  /// changes. Any thread may call it; it waits for the requests in progress, as ``performAndWait(_:)`` does.
  ///
  /// - Throws: `unknown-store`; `not-supported` for a store that is kept in no file, or a location that is
  ///   none; `store-not-found`, and whatever else is wrong with the file; `store-open` for another store,
  ///   with a UUID of its own; `store-already-open`; `store-timeout`. The store stays where it is then.
  public func setURL(_ url: URL, for store: PersistentStoreReference) throws {
    try performAndWait {
      let mount = try mounted(store)
      let former = mount.store
      guard former.isInFile, url.isFileURL else {
        throw GraphStoreError.immovable(former, url.isFileURL ? url.path : url.absoluteString)
      }
      if let other = persistentStore(for: url), other != store {
        throw alreadyOpen(url.path, other.mount.store)
      }
      let moved = try former.reopened(at: url.path)
      moved.setExclusiveAccess(exclusiveAccessQueue.ofCaller)
      // Before the former is closed: a request that finds it closed looks for the store at its new path.
      changeMounts { $0.replace(mount.index, by: moved) }
      do {
        try former.closeWhenUnused()
      } catch {
        changeMounts { $0.replace(mount.index, by: former) }
        moved.close()
        throw error
      }
      // Rows that were read before find their data at the new path too.
      moved.didMove()
      moved.rowCache.empty()
      recordSave()
    }
  }

}
