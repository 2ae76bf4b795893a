import Foundation
import GraphStoreModel

extension PersistentStoreCoordinator {
  /// The stores, in the order in which they were added (STO-024).
  public var persistentStores: [PersistentStoreReference] { mounts.map(reference) }

  /// Opens the store at a path under the coordinator's model, or makes it where there is no file (STO-019).
  @discardableResult
  func addStore(
    at path: String, configuration: String? = nil, options: StoreOptions = StoreOptions()
  ) throws -> PersistentStoreReference {
    var options = options
    options.configuration = configuration ?? options.configuration
    let isNew = !options.isReadOnly && !RegularFile.isTaken(path)
    let store =
      try isNew
      ? SQLiteStore.create(path, options, model: managedObjectModel, layout: layout)
      : SQLiteStore.open(path, options, model: managedObjectModel, layout: layout)
    add(store)
    guard let mount = mounts.first(where: { $0.store === store }) else { throw noStore() }
    return reference(mount)
  }

  func reference(_ mount: Mount) -> PersistentStoreReference {
    PersistentStoreReference(mount: mount, owner: self)
  }

  /// A store of this coordinator.
  ///
  /// - Throws: `no-store` for one of another coordinator, or that was removed.
  func mounted(_ reference: PersistentStoreReference) throws -> Mount {
    if reference.owner === self, store(reference.mount.index) != nil { return reference.mount }
    throw noStore()
  }
}
