import Dispatch
import Foundation
import GraphStoreFiles
import GraphStoreModel
import GraphStoreSQLite

extension PersistentStoreCoordinator {
  /// The stores, in the order in which they were added.
  public var persistentStores: [PersistentStoreReference] { mounts.map(reference) }

  /// The store at a path, or nil; all spellings of one path find the same store.
  public func persistentStore(for path: String) -> PersistentStoreReference? {
    let resolved = ResolvedPath.of(path)
    let place = LocationText.url(path).absoluteString
    return mounts.first {
      $0.store.isInFile
        ? ResolvedPath.of($0.store.path) == resolved : $0.store.url.absoluteString == place
    }.map(reference)
  }

  /// The store at a location, or nil.
  public func persistentStore(for url: URL) -> PersistentStoreReference? {
    if url.isFileURL { return persistentStore(for: url.path) }
    return mounts.first { $0.store.url.absoluteString == url.absoluteString }.map(reference)
  }

  /// The location of a store, with symbolic links resolved.
  ///
  /// - Throws: `unknown-store` for a store that the coordinator does not have.
  public func url(for store: PersistentStoreReference) throws -> URL { try mounted(store).store.url }

  // MARK: Adding

  /// Opens the store at a path under the coordinator's model, or makes it where there is no file.
  ///
  /// Contexts that exist already see its objects from then on. A call that throws leaves the list as it was.
  /// With ``StoreOptions/migratesAutomatically`` a store of another version is migrated first; where that
  /// fails it is as it was, and meanwhile requests to the other stores work. Posts ``storesDidChange``. Any
  /// thread may call it.
  ///
  /// - Parameters:
  ///   - path: The store's file; its folder has to exist. Of a store on a server it is its address, and of a
  ///     type that a program has written it may be a URL, such as `https://example.org/staff`.
  ///   - configuration: The configuration whose entities the store holds; nil for that of the options, which
  ///     for nil holds all.
  ///   - options: How it is opened.
  /// - Throws: `unknown-configuration` before any file is touched; `store-already-open` for a file that is
  ///   open here already, or a copy of one; `not-supported` for a store of Core Data whose objects hold less
  ///   than those of the other stores; and as ``open(storeAt:options:model:classes:)`` and
  ///   ``create(storeAt:model:options:classes:)``.
  @discardableResult
  public func addStore(
    at path: String, configuration: String? = nil, options: StoreOptions = StoreOptions()
  ) throws -> PersistentStoreReference {
    var options = options
    options.configuration = configuration ?? options.configuration
    _ = try StoredEntities(managedObjectModel, configuration: options.configuration)
    guard StoreRegistry.keepsFiles(options.type, at: path) else {
      return try addCustomStore(at: path, options)
    }
    if let open = persistentStore(for: path)?.mount ?? mount(ofFileAt: path) {
      throw alreadyOpen(path, open.store)
    }
    let driver = try StoreRegistry.driver(ofNew: options.type, at: path)
    let isNew = driver.isAlwaysNew(at: path) || !options.isReadOnly && ResolvedPath.isFree(path)
    let store =
      try isNew
      ? driver.create(path, options, managedObjectModel, NewStoreForm(layout: layout))
      : Self.openMigrating(path, options, model: managedObjectModel, StoreUse(layout: layout))
    do {
      return try mount(store)
    } catch {
      store.close()
      throw error
    }
  }

  /// Opens a store whose location is for its type alone, or has it made where there is none.
  private func addCustomStore(at place: String, _ options: StoreOptions) throws -> PersistentStoreReference {
    if let open = persistentStore(for: LocationText.url(place)) {
      throw alreadyOpen(place, open.mount.store)
    }
    let use = StoreUse(layout: layout, makesMissing: true)
    let store = try Self.openMigrating(place, options, model: managedObjectModel, use)
    do {
      return try mount(store)
    } catch {
      store.close()
      throw error
    }
  }

  /// Adds a store that is open and has the coordinator's layouts; where it throws, the store is not mounted
  /// and stays open.
  ///
  /// - Throws: `store-already-open` where a store with its path or its UUID is mounted (STO-026).
  @discardableResult
  func mount(_ store: any PersistentStore) throws -> PersistentStoreReference {
    precondition(store.entities.model === managedObjectModel, "a store has the model of its coordinator")
    let deadline = DispatchTime.now() + max(longestTimeout, store.options.timeout).dispatchInterval
    let (mount, others) = try exclusiveAccessQueue.whenFree(until: deadline) { use in
      store.setExclusiveAccess(use)
      return try enter(store)
    }
    for finding in separations(by: store, others) { ModelWarning.post(finding) }
    store.customStore?.didAdd(to: self)
    let added = reference(mount)
    postChange(added: [added])
    return added
  }

  /// Enters a store in the table, and returns those already there.
  private func enter(_ store: any PersistentStore) throws -> (Mount, others: ArraySlice<any PersistentStore>)
  {
    let isFile = store.isInFile
    let path = isFile ? ResolvedPath.of(store.path) : store.path
    return try changeMounts { table in
      for other in table.mounts.map(\.store) {
        let isSamePlace = isFile && ResolvedPath.of(other.path) == path
        if isSamePlace || other.scope.uuid == store.scope.uuid { throw alreadyOpen(store.path, other) }
      }
      return (table.add(store), table.mounts.map(\.store).dropLast())
    }
  }

  /// The store whose file is the one at a path under another name: a hard link, for which SQLite would have a
  /// second log.
  private func mount(ofFileAt path: String) -> Mount? {
    guard let identity = FileIdentity(path) else { return nil }
    return mounts.first { $0.store.isInFile && FileIdentity($0.store.path) == identity }
  }

  func reference(_ mount: Mount) -> PersistentStoreReference {
    PersistentStoreReference(mount: mount, owner: self)
  }

  /// A store of this coordinator.
  ///
  /// - Throws: `unknown-store` for one of another coordinator, or that was removed.
  func mounted(_ reference: PersistentStoreReference) throws -> Mount {
    if reference.owner === self,
      let mount = mounts.first(where: {
        $0.index == reference.mount.index && $0.scope === reference.mount.scope
      })
    {
      return mount
    }
    throw GraphStoreError(
      .unknownStore,
      reference.owner === self
        ? "The \(reference.typeName) store \(reference.path) was removed from the coordinator."
        : "The \(reference.typeName) store \(reference.path) belongs to another coordinator.",
      remedy: "Take a store from the coordinator's persistentStores.")
  }

  func alreadyOpen(_ path: String, _ store: any PersistentStore) -> GraphStoreError {
    let isCopy =
      store.customStore != nil
      ? LocationText.url(path).absoluteString != store.url.absoluteString
      : ResolvedPath.of(path) != ResolvedPath.of(store.path) && FileIdentity(path) != FileIdentity(store.path)
    return GraphStoreError(
      .storeAlreadyOpen,
      isCopy
        ? "\(path) is a copy of \(store.path), which is open under the coordinator: both have the UUID "
          + "\(store.scope.uuid)."
        : "\(path) is open under the coordinator already, as \(store.path).",
      remedy: isCopy
        ? "Open the copy under a coordinator of its own." : "Use the store that is open.")
  }

  // MARK: Removing

  /// Takes a store out and closes it; the file stays.
  ///
  /// It waits for the requests in progress on the store. In every context of the coordinator its objects are
  /// invalidated then, each context's within its ``ManagedObjectContext/performAndWait(_:)``, and what was
  /// not saved of them is dropped: using one throws `object-invalidated`, also after the store was added
  /// again. Links to them that were not saved are dropped too. Posts ``storesDidChange``. Any thread may call
  /// it that does not hold up a context's queue meanwhile.
  ///
  /// - Throws: `unknown-store` for a store that the coordinator does not have; `store-timeout` where a
  ///   request or a transaction, perhaps one of the caller's own, holds it for longer than its time-out: it
  ///   then stays mounted.
  public func remove(_ store: PersistentStoreReference) throws {
    let mount = try mounted(store)
    try mount.store.closeWhenUnused()
    mount.store.customStore?.willRemove(from: self)
    guard changeMounts({ $0.remove(mount.index) }) else { return }
    recordRemoval()
    tellContexts { $0.forgetRemovedStores() }
    postChange(removed: [store])
  }

  /// Has every context do something on its queue.
  ///
  /// The main queue may never be served, and a queue may wait for the block that the caller is in: such
  /// contexts find out at their next request (STO-015).
  func tellContexts(_ body: @escaping @Sendable (ManagedObjectContext) -> Void) {
    for context in contexts.all {
      if context.queue.isMain || exclusiveAccessQueue.ofCaller != nil, !context.queue.isCurrent {
        context.enqueue { body(context) }
      } else {
        context.performAndWait { body(context) }
      }
    }
  }

  // MARK: Announcing

  /// Posted by a coordinator after it has added, removed or migrated a store, on the thread that did so.
  ///
  /// The user information has arrays of ``PersistentStoreReference`` under ``addedStoresKey`` and
  /// ``removedStoresKey``, and of ``MigratedPersistentStore`` under ``migratedStoresKey``. The store that a
  /// coordinator is opened with is not announced, nor what ``close()`` removes.
  public static let storesDidChange = Notification.Name("GraphStoreStoresDidChange")

  /// The key of the stores that were added.
  public static let addedStoresKey = "added"

  /// The key of the stores that were removed.
  public static let removedStoresKey = "removed"

  /// The key of the stores that were migrated to another place, each of which is among the removed ones, and
  /// the one in its stead among the added ones.
  public static let migratedStoresKey = "migrated"

  func postChange(
    added: [PersistentStoreReference] = [], removed: [PersistentStoreReference] = [],
    migrated: [MigratedPersistentStore] = []
  ) {
    NotificationCenter.default.post(
      name: Self.storesDidChange, object: self,
      userInfo: [
        Self.addedStoresKey: added, Self.removedStoresKey: removed, Self.migratedStoresKey: migrated,
      ])
  }
}
