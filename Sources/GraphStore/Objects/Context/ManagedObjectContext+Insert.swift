import CGraphStoreShims
import GraphStoreModel

extension ManagedObjectContext {
  /// Makes a new object of an entity, with a temporary identifier and the model's defaults; no statement
  /// runs.
  ///
  /// - Throws: `unknown-entity` with near names; `abstract-entity` with its concrete sub-entities;
  ///   `class-not-found` where the model requires the class that the entity names and it is not registered.
  @discardableResult
  public func insert(entityNamed name: String) throws -> ManagedObject {
    checkQueue()
    return insert(try insertedLayout(named: name))
  }

  /// The layout of a concrete entity; that of the entity last inserted costs no look-up.
  func insertedLayout(named name: String) throws -> EntityLayout {
    if let last = unsaved.lastInserted, last.entity.name == name { return last }
    let layout = try concreteLayout(layout(named: name))
    unsaved.lastInserted = layout
    return layout
  }

  /// Makes a new object of the entity that a class represents.
  ///
  /// - Throws: `class-mismatch` when the entity is represented by another class; and as
  ///   ``insert(entityNamed:)``.
  public func insert<Object: ManagedObject>(_ type: Object.Type, entityNamed name: String) throws -> Object {
    checkQueue()
    let layout = try insertedLayout(named: name)
    guard coordinator.objectClass(layout) is Object.Type else { throw mismatch(of: type, layout) }
    return unsafe unsafeDowncast(insert(layout), to: type)
  }

  /// The error of a class that is to make an object of an entity that another one represents.
  func mismatch(of type: ManagedObject.Type, _ layout: EntityLayout) -> GraphStoreError {
    let name = layout.entity.name
    return GraphStoreError(
      .classMismatch, "Entity \(name) is represented by \(coordinator.objectClass(layout)), not by \(type).",
      remedy: "Name \(type) as the entity's className and give it to the coordinator.", entity: name)
  }

  /// Makes a new object of the entity that a class represents: of several the one that the others descend
  /// from.
  ///
  /// - Throws: `class-mismatch` when the class represents no entity, or several that are not of one family;
  ///   and as ``insert(entityNamed:)``.
  public func insert<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
    checkQueue()
    let object = insert(try concreteLayout(try coordinator.layout(representedBy: type)))
    return unsafe unsafeDowncast(object, to: type)
  }

  func concreteLayout(_ layout: EntityLayout) throws -> EntityLayout {
    guard layout.entity.isAbstract else {
      try checkClass(layout.index)
      return layout
    }
    let concrete = layout.entity.family.filter { !$0.isAbstract }.map(\.name)
    throw GraphStoreError(
      .abstractEntity, "\(layout.entity.name) is abstract and has no objects of its own.",
      remedy: concrete.isEmpty
        ? "Add a concrete sub-entity to the model." : "Insert one of \(concrete.joined(separator: ", ")).",
      entity: layout.entity.name)
  }

  func insert(_ layout: EntityLayout) -> ManagedObject {
    let object = coordinator.objectClass(layout).init(originOfInsertion(layout))
    register(inserted: object)
    return object
  }

  /// The origin of a new object, which ``register(inserted:)`` completes.
  func originOfInsertion(_ layout: EntityLayout) -> ManagedObject.Origin {
    origin(
      of: layout, key: coordinator.nextTemporaryKey(),
      state: [.inserted, .ownsRow, .listed, .inEvent, .insertedInEvent, .awakening], storeIndex: 0)
  }

  /// Sets the defaults of a new instance, registers it as inserted and runs its hook.
  func register(inserted object: ManagedObject) {
    let block = workingBlock(for: object.layout)
    object.setRow(block, block.appendDefaults())
    registry.register(object)
    unsaved.objects.append(object)
    countSetter()
    validation.unstableChanges?.note(object)
    if object.hasOwnClass { awakeFromInsert(object) }
    object.changeState(removing: .awakening)
  }

  private func awakeFromInsert(_ object: ManagedObject) {
    let setters = setterCount
    unsaved.awakenings += 1
    object.awakeFromInsert()
    unsaved.awakenings -= 1
    if setterCount != setters || object.extra != nil { object.keepInsertionSnapshot() }
  }

  func make(_ layout: EntityLayout, key: Int64, state: ObjectState, storeIndex: Int32) -> ManagedObject {
    coordinator.objectClass(layout).init(origin(of: layout, key: key, state: state, storeIndex: storeIndex))
  }

  /// Makes a fault for the member of each link; their references to the registry are counted together.
  func makeFaults(of links: ArraySlice<LinkRow>, storeIndex: Int32) -> [ManagedObject] {
    let registry = unsafe Unmanaged.passUnretained(registry)
    unsafe gs_retain_n(registry.toOpaque(), UInt32(links.count))
    var faults: [ManagedObject] = []
    faults.reserveCapacity(links.count)
    var rest = links
    while let entity = rest.first?.member.entity {
      let layout = coordinator.layout.entities[entity]
      let type = coordinator.objectClass(layout)
      let run = rest.prefix { $0.member.entity == entity }
      for link in run {
        let origin = unsafe ManagedObject.Origin(
          layout: layout, registry: registry, key: link.member.key, state: .fault, storeIndex: storeIndex)
        faults.append(type.init(origin))
      }
      rest = rest[run.endIndex...]
    }
    return faults
  }

  /// The origin of an instance that is to be made at once: the origin has a reference for it.
  private func origin(
    of layout: EntityLayout, key: Int64, state: ObjectState, storeIndex: Int32
  ) -> ManagedObject.Origin {
    unsafe ManagedObject.Origin(
      layout: layout, registry: .passRetained(registry), key: key, state: state, storeIndex: storeIndex)
  }
}

extension ManagedObjectContext {
  /// Makes a new object that has its permanent key, in a store.
  func insert(_ layout: EntityLayout, key: Int64, storeIndex: Int32) -> ManagedObject {
    assert(key > 0 && registry.object(layout, key: key, store: storeIndex) == nil, "the key is taken")
    let object = make(
      layout, key: key,
      state: [.inserted, .ownsRow, .listed, .inEvent, .insertedInEvent, .awakening, .assigned],
      storeIndex: storeIndex)
    register(inserted: object)
    return object
  }
}

extension EntityDescription {
  /// Makes a new object of an entity, as ``ManagedObjectContext/insert(entityNamed:)`` does.
  ///
  /// The object is of the class that the entity names. No statement runs.
  ///
  /// - Parameters:
  ///   - name: The entity's name in the model of the context's coordinator.
  ///   - context: The context that the object belongs to from now on.
  /// - Throws: `unknown-entity`, `abstract-entity` and `class-not-found`, as there.
  @discardableResult
  public static func insertNewObject(
    forEntityName name: String, into context: ManagedObjectContext
  ) throws -> ManagedObject {
    try context.insert(entityNamed: name)
  }
}
