import GraphStoreModel

/// One of the two stacks of a migration: a store, and a context of plain objects over it (MIG-211).
struct MigrationSide {
  let coordinator: PersistentStoreCoordinator
  let mount: Mount
  let context: ManagedObjectContext
  let layouts: [EntityLayout]

  /// - Parameter savingMode: The mode of the context's saves.
  init(_ store: any PersistentStore, layout: ModelLayout, savingMode: SavingMode) throws {
    coordinator = PersistentStoreCoordinator(ofPlainObjectsIn: store, layout: layout)
    guard let mount = coordinator.mounts.first else { throw coordinator.noStore() }
    self.mount = mount
    layouts = coordinator.layout.entities
    context = ManagedObjectContext(coordinator: coordinator)
    context.saving.mode = savingMode
  }

  /// A side over the store that a coordinator has open, through its connections.
  init(sharing coordinator: PersistentStoreCoordinator, savingMode: SavingMode) throws {
    guard let mount = coordinator.mounts.first else { throw coordinator.noStore() }
    try self.init(mount.store.sharing(), layout: coordinator.layout, savingMode: savingMode)
  }

  /// The layout of an entity of an equal model.
  func layout(of entity: EntityDescription?) throws -> EntityLayout? {
    try entity.map { try coordinator.layout.entity(named: $0.name) }
  }

  /// The object that a packed key names; a fault where it is not registered.
  func object(_ reference: PackedReference) -> ManagedObject {
    context.fault(layouts[reference.entity], key: reference.key, storeIndex: mount.index)
  }

  /// The identifier of a packed key.
  func identifier(_ reference: PackedReference) -> ManagedObjectID {
    ManagedObjectID(scope: mount.scope, entityIndex: reference.entity, key: reference.key)
  }

  /// The objects of packed keys, with their rows in memory; those that are gone are left out.
  func loadedObjects(_ references: some Sequence<PackedReference>) throws -> [ManagedObject] {
    let objects = references.map(object)
    try context.loadRows(of: objects)
    return objects.filter { $0.currentRow != nil }
  }

  /// Releases everything without another reference; objects that are still referenced become faults.
  func releaseObjects() throws {
    if context.hasChanges { context.rollback() }
    if context.registry.count > 0 { try context.refreshAllObjects() }
  }
}

extension PackedReference {
  /// The packed key of an object.
  init(_ object: ManagedObject) { self.init(entity: object.layout.index, key: object.key) }
}
