import Foundation
import GraphStoreModel

extension PersistentStoreCoordinator {
  /// Adds a store of a type of the program's own that answers requests.
  ///
  /// The store is asked for its metadata, and then, as contexts need them, for its records. It stays the
  /// program's object; the coordinator keeps it until the store is removed.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - configuration: The configuration whose entities the store holds; nil for that of the options, which
  ///     for nil holds all.
  ///   - options: How it is opened: for reading only, and with which time-out. The others mean nothing to it.
  /// - Throws: `unknown-configuration`; `store-open` for metadata without type or UUID; `incompatible-model`
  ///   where they have hashes of another model; `store-already-open` for a store with the UUID of another;
  ///   what the store throws, below `store-open`.
  @discardableResult
  public func addStore(
    _ store: some IncrementalStore, configuration: String? = nil, options: StoreOptions = StoreOptions()
  ) throws -> PersistentStoreReference {
    var options = options
    options.configuration = configuration ?? options.configuration
    let entities = try StoredEntities(managedObjectModel, configuration: options.configuration)
    let opened = try IncrementalPersistentStore.open(store, entities, layout: layout, options)
    do {
      return try mount(opened)
    } catch {
      opened.close()
      throw error
    }
  }

  /// The identifier of a record by the name that its store has for it; nil for an entity that the model does
  /// not have. Whether the record is there is not checked.
  ///
  /// - Throws: `unknown-store` for a store that the coordinator does not have.
  public func managedObjectID(
    for identifier: NodeIdentifier, in store: PersistentStoreReference
  ) throws -> ManagedObjectID? {
    let scope = try mounted(store).store.scope
    guard let entity = managedObjectModel.entitiesByName[identifier.entity] else { return nil }
    let key: Int64
    switch (scope.references, identifier.reference) {
    case (let references?, let reference): key = references.key(of: reference, in: entity.rootEntity.name)
    case (nil, .integer(let number)) where StoredKey.keys.contains(number): key = number
    case (nil, _): return nil
    }
    return ManagedObjectID(scope: scope, entityIndex: entity.index, key: key)
  }

  /// Registers a type of stores that answer requests, for the whole process; one of the same name is replaced
  /// for stores that are added later.
  ///
  /// Stores of the type are added by their locations, as those of the library's own types; nothing is looked
  /// for there.
  ///
  /// - Parameters:
  ///   - type: The name by which stores are opened, and which their metadata have.
  ///   - make: Makes the store of a location.
  /// - Throws: `invalid-request` for the name of a type of the library's own, and for none.
  public static func registerStoreType(
    _ type: StoreType, making make: @escaping @Sendable (StoreOpening) throws -> any IncrementalStore
  ) throws {
    try StoreRegistry.register(custom: IncrementalStoreDriver(type: type, make: make))
  }
}
