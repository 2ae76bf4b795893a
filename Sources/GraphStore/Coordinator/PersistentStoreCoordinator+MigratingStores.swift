import Foundation
import GraphStoreModel

extension PersistentStoreCoordinator {
  /// Writes everything that a store holds into a new one, at another place, of another type, or both, and
  /// mounts the new one in its stead.
  ///
  /// Objects keep their keys, values, links and places, and stay in every context with what was not saved of
  /// them; only their identifiers are those of the new store, which has a UUID of its own:
  /// ``MigratedPersistentStore``, of which ``storesDidChange`` tells, has the new identifier for each old
  /// one. A context of the main queue, or one that is busy, gets them with its next request. Versions of rows
  /// begin at 1 anew, and the metadata of programs and external data come along; a history does not. The
  /// former file stays where it is, and data that objects have not read yet are read from the files beside it
  /// until the objects are refreshed.
  ///
  /// ```swift
  /// let coordinator = try PersistentStoreCoordinator.inMemory(model: CompanyModel.model)
  /// let draft = coordinator.persistentStores[0]
  /// // …
  /// let store = try coordinator.migratePersistentStore(draft, to: URL(fileURLWithPath: "plan.db"))
  /// ```
  ///
  /// Any thread may call it; it has the coordinator to itself, as ``performAndWait(_:)`` does, until all is
  /// written. It costs the time of reading and writing every object once; memory does not grow with their
  /// number where both stores are in files.
  ///
  /// - Parameters:
  ///   - store: The store, which is useless afterwards.
  ///   - url: Where to make the new one: nothing is there, or an empty file. Nil for one in memory.
  ///   - options: How it is opened; without a configuration it has that of the former. The type among them
  ///     does not count.
  ///   - type: Its type.
  /// - Returns: The new store.
  /// - Throws: `unknown-store`; `store-exists`, `migration-destination`, `not-supported` for a location that
  ///   is none for the type, `store-type-unknown`; `constraint-conflict` for objects that break a constraint
  ///   of the model; what reading the former and writing the new store throws, such as `store-corrupt`,
  ///   `disk-full`, `store-permission` and `store-timeout`. Nothing is left of the new store then, and the
  ///   former stays mounted. Where it is the former store that cannot be closed, `store-timeout` says so, and
  ///   both are mounted.
  @discardableResult
  public func migratePersistentStore(
    _ store: PersistentStoreReference, to url: URL?, options: StoreOptions = StoreOptions(),
    type: StoreType = .sqlite
  ) throws -> PersistentStoreReference {
    let path = try Self.path(url, type)
    let new = try performAndWait {
      let mount = try mounted(store)
      let new = try filledCopy(of: mount.store, at: path, options, type)
      return try replace(mount, by: new)
    }
    tellContexts { $0.renewMounts() }
    let migrated = reference(new)
    postChange(
      added: [migrated], removed: [store], migrated: [MigratedPersistentStore(former: store, store: migrated)]
    )
    return migrated
  }

  /// The path of a file; nil for a store in memory.
  private static func path(_ url: URL?, _ type: StoreType) throws -> String? {
    if type == .inMemory { return nil }
    if let url, url.isFileURL || !StoreRegistry.keepsFiles(type, at: LocationText.of(url)) {
      return LocationText.of(url)
    }
    throw GraphStoreError(
      .notSupported, "\(url.map(LocationText.of) ?? "No location") is no file for a store of type \(type).",
      remedy: "Give the file that is to be made.")
  }

  // MARK: Filling

  /// Makes a store with everything that another holds; nothing of it is left where that fails.
  private func filledCopy(
    of former: any PersistentStore, at path: String?, _ options: StoreOptions, _ type: StoreType
  ) throws -> any PersistentStore {
    var options = options
    options.type = type
    options.isReadOnly = false
    options.configuration = options.configuration ?? former.entities.configuration
    let new = try emptyStore(inSteadOf: former, at: path, options)
    do {
      try former.read([.severalStatements, .wholeStore]) { source in
        try new.write { target in
          try StoreTransfer(
            source: source, target: target, layouts: layout.entities, entities: former.entities
          ).run()
        }
      }
      return new
    } catch {
      new.close()
      if let path, new.isInFile || ServerAddress(path) != nil {
        try? StoreRegistry.asking(type, at: path) {
          try $0.destroy(path, isForced: true, timeout: options.timeout)
        }
      }
      throw error
    }
  }

  private func emptyStore(
    inSteadOf former: any PersistentStore, at path: String?, _ options: StoreOptions
  ) throws -> any PersistentStore {
    guard let path else {
      let entities = try StoredEntities(managedObjectModel, configuration: options.configuration)
      return StoreRegistry.makeInMemory(entities, layout: layout, options, rowCache: former.rowCache)
    }
    let driver = try StoreRegistry.driver(ofNew: options.type, at: path)
    try driver.checkCopying(from: former, to: path)
    var form = NewStoreForm(layout: layout)
    form.rowCache = former.rowCache
    form.paired = try former.relationshipsWithSharedMembers()
    let new = try driver.create(path, options, managedObjectModel, form)
    precondition(new.rowCache === former.rowCache, "a new store takes over the row cache that it is given")
    return new
  }

  // MARK: Replacing

  /// Mounts a store in the stead of another one, which is closed.
  ///
  /// - Throws: `store-timeout` where the other cannot be closed; both are mounted then.
  private func replace(_ mount: Mount, by new: any PersistentStore) throws -> Mount {
    let former = mount.store
    new.setExclusiveAccess(exclusiveAccessQueue.ofCaller)
    // Before the former is closed: a request that finds it closed looks for the store that is there now.
    changeMounts { $0.replace(mount.index, by: new) }
    do {
      try former.closeWhenUnused()
    } catch {
      changeMounts { $0.replace(mount.index, by: former) }
      throw try mountingBoth(new, former, error)
    }
    former.customStore?.willRemove(from: self)
    new.customStore?.didAdd(to: self)
    new.rowCache.setMeasuresAges(new.isInFile)
    new.rowCache.empty()
    recordSave()
    return Mount(index: mount.index, store: new, scope: new.scope)
  }

  /// Mounts the new store beside the former, with a row cache of its own, and returns the error that says so.
  private func mountingBoth(
    _ new: any PersistentStore, _ former: any PersistentStore, _ cause: any Error
  ) throws -> GraphStoreError {
    let added = try self.mount(new.sharing())
    return GraphStoreError(
      .storeTimeout,
      "\(former.path) was written to \(added.path), and could not be closed: both are open under the coordinator.",
      remedy: "Let requests, transactions and query generations end, and remove one of them.",
      underlying: cause)
  }
}
