import GraphStoreModel
import OrderedCollections

extension ManagedObjectContext {
  /// The registered object with an identifier, or nil; never asks a store.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    checkQueue()
    let id = synchronized(id)
    guard let (layout, store) = place(of: id) else { return nil }
    return registry.object(layout, key: id.key, store: store)
  }

  /// The identifier by which the context knows what one names: contexts above may have got a permanent one.
  @inline(__always)
  private func synchronized(_ id: ManagedObjectID) -> ManagedObjectID {
    if parent != nil { synchronizeWithFamily() }
    return id.isTemporaryID ? presentIdentifier(id) : id
  }

  /// The objects that are registered with the context.
  public var registeredObjects: Set<ManagedObject> {
    checkQueue()
    return Set(registry.all())
  }

  /// The number of registered objects; fires and makes nothing.
  public var registeredCount: Int {
    checkQueue()
    return registry.count
  }

  /// The registered object with an identifier, or a new fault; never asks a store.
  ///
  /// - Throws: `foreign-object-id` for an identifier of a store that the coordinator does not have,
  ///   `temporary-id-unknown` for a temporary one that this context does not know, `no-store` where no store
  ///   is open.
  public func object(with id: ManagedObjectID) throws -> ManagedObject {
    checkQueue()
    let id = synchronized(id)
    guard let (layout, store) = place(of: id) else { throw noPlace(id) }
    if let known = registry.object(layout, key: id.key, store: store) { return known }
    let index = try sourceIndex(of: id, store)
    try checkClass(layout.index)
    return newFault(layout, key: id.key, storeIndex: index)
  }

  /// The object with an identifier, realised; the record is read if it has to be.
  ///
  /// - Throws: `object-not-found` when there is no such record, whatever the entity the identifier names; the
  ///   errors of ``object(with:)`` for an identifier that belongs to no store here.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    checkQueue()
    let id = synchronized(id)
    guard let (asked, store) = place(of: id) else { throw noPlace(id) }
    let registered = registry.object(asked, key: id.key, store: store)
    if let known = registered, !known.isFault {
      guard known.entity.isKind(of: asked.entity), !known.state.contains(.inaccessible) else {
        throw notFound(id)
      }
      return known
    }
    let index = try sourceIndex(of: id, store)
    let clock = clock(for: TraceKind.faultBits)
    let (found, origin, isCached) = try cachedOrStoredRow(asked, key: id.key, storeIndex: index)
    guard let row = found, row.layout.entity.isKind(of: asked.entity) else {
      if found == nil, let registered, registered.isDeleted { return registered }
      throw notFound(id)
    }
    let object = try object(holding: row, id.key, index, from: origin)
    object.becomeRealized()
    recordFault(of: object, isCached: isCached, since: clock)
    return object
  }

  /// The objects with identifiers, realised, in the order of these; those without a record are left out, and
  /// one whose identifier occurs twice is there twice.
  ///
  /// Costs one statement an entity tree of each store at most, and none for objects whose values are in
  /// memory.
  ///
  /// - Throws: the errors of ``object(with:)``; what the stores throw.
  public func existingObjects(with ids: [ManagedObjectID]) throws -> [ManagedObject] {
    checkQueue()
    let clock = clock(for: TraceKind.faultBits)
    let logged = SQLLogRequest.begin()
    defer { logged?.end() }
    var found: [ManagedObjectID: ManagedObject] = [:]
    var read: Set<ManagedObject> = []
    var missing: OrderedDictionary<EntityTree, OrderedSet<Int64>> = [:]
    let ids = ids.map(synchronized)
    for id in ids where found[id] == nil {
      guard let (asked, store) = place(of: id) else { throw noPlace(id) }
      if let object = try presentObject(asked, id.key, store) {
        found[id] = object
      } else {
        missing[EntityTree(of: asked, in: try sourceIndex(of: id, store)), default: []].append(id.key)
      }
    }
    for (tree, keys) in missing {
      let (index, root) = (tree.storeIndex, coordinator.layout.entities[tree.rootIndex])
      try readingOnce(from: index) { session in
        try session.rows(root, keys: Array(keys)) { batch in
          try batch.forEach { key, row in
            let object = try object(holding: row, key, index, from: session.origin)
            found[object.objectID] = object
            read.insert(object)
          }
        }
      }
    }
    logged?.addFetchTimes(rows: read.count)
    // Hooks of classes do not run while a store is read.
    for object in found.values where object.block != nil && object.isFault {
      object.becomeRealized()
      recordFault(of: object, isCached: !read.contains(object), since: clock)
    }
    return ids.compactMap { id in found[id].flatMap { $0.entity.isKind(of: id.entity) ? $0 : nil } }
  }

  /// The object of a record whose row is in memory; it may be a fault still.
  private func presentObject(_ asked: EntityLayout, _ key: Int64, _ index: Int32) throws -> ManagedObject? {
    if let known = registry.object(asked, key: key, store: index), !known.isFault {
      return known.state.contains(.inaccessible) ? nil : known
    }
    guard case .row(let row) = try recordInMemory(asked, key: key, storeIndex: index) else { return nil }
    return try object(holding: row, key, index, from: originOfCachedRows)
  }

  /// The object of a record, with the row that is at hand; a fault stays one.
  private func object(
    holding row: Row, _ key: Int64, _ index: Int32, from origin: RowCache.Origin
  ) throws -> ManagedObject {
    try checkClass(row.layout.index)
    let object = self.object(of: row, key, index)
    object.attach(row)
    holdRow(row, for: object, from: origin)
    return object
  }

  /// A record's row, from the row cache or else the store.
  private func cachedOrStoredRow(
    _ layout: EntityLayout, key: Int64, storeIndex index: Int32
  ) throws -> (row: Row?, origin: RowCache.Origin, isCached: Bool) {
    switch try recordInMemory(layout, key: key, storeIndex: index) {
    case .row(let row): return (row, originOfCachedRows, true)
    case .gone: return (nil, originOfCachedRows, true)
    case .none:
      let logged = SQLLogRequest.begin()
      defer { logged?.end() }
      let (row, origin) = try readingOnce(from: index, for: .oneRecord) {
        (try $0.row(layout, key), $0.origin)
      }
      if let logged {
        logged.addFetchTimes(rows: row == nil ? 0 : 1)
        if let row {
          logged.addObjectFault(
            of: identifier(ObjectKey(entity: row.layout.index, key: key), storeIndex: index))
        }
      }
      return (row, origin, false)
    }
  }

  /// A record as contexts above have it, else as the row cache.
  private func recordInMemory(_ layout: EntityLayout, key: Int64, storeIndex: Int32) throws -> UnsavedRecord {
    let record = try source.unsavedRecord(layout, key: key, storeIndex: storeIndex)
    guard case .none = record, fetching.sharesRowCache else { return record }
    let row = registry.caches[Int(storeIndex)].row(layout.rootIndex, key, in: rowView)
    return row.map { .row($0) } ?? .none
  }

  private var originOfCachedRows: RowCache.Origin { rowView == .committed ? .commit : .transaction }

  /// The row of an object as it is stored now; nil where the record is gone.
  func storedRow(of object: ManagedObject) throws -> Row? {
    try readingOnce(from: object.storeIndex, for: .oneRecord) { try $0.row(object.layout, object.key) }
  }

  /// The object of a record whose row is at hand; a fault that was made under another entity of the tree is
  /// replaced.
  func object(of row: Row, _ key: Int64, _ storeIndex: Int32) -> ManagedObject {
    if let known = registry.object(row.layout, key: key, store: storeIndex), known.layout === row.layout {
      return known
    }
    return newFault(row.layout, key: key, storeIndex: storeIndex)
  }

  /// The object that a row's reference names: the registered one, or a new fault.
  func object(_ reference: PackedReference, storeIndex: Int32) -> ManagedObject? {
    let layout = coordinator.layout.entities[reference.entity]
    if let known = registry.object(layout, key: reference.key, store: storeIndex) { return known }
    return reference.key < 0 && !fetching.knowsTemporaryKeys
      ? nil : newFault(layout, key: reference.key, storeIndex: storeIndex)
  }

  /// The destination that a row's reference names; nil for an object of an entity that the relationship does
  /// not lead to, as in a damaged store.
  func destination(
    _ reference: PackedReference, of relationship: RelationshipLayout, storeIndex: Int32
  ) -> ManagedObject? {
    object(reference, storeIndex: storeIndex).flatMap { relationship.leads(to: $0.layout) ? $0 : nil }
  }

  func fault(_ layout: EntityLayout, key: Int64, storeIndex: Int32) -> ManagedObject {
    registry.object(layout, key: key, store: storeIndex) ?? newFault(layout, key: key, storeIndex: storeIndex)
  }

  private func newFault(_ layout: EntityLayout, key: Int64, storeIndex: Int32) -> ManagedObject {
    let object = make(layout, key: key, state: .fault, storeIndex: storeIndex)
    registry.register(object)
    if fetching.sharesRowCache, key > 0 { registry.holdCachedRow(of: object) }
    return object
  }

  /// The identifier of what a store or a parent context knows by a key.
  func identifier(_ object: ObjectKey, storeIndex: Int32) -> ManagedObjectID {
    ManagedObjectID(
      scope: registry.scope(object.key, storeIndex), entityIndex: object.entity, key: object.key)
  }

  /// The location here of the record that an identifier names: for one of another coordinator, in the entity
  /// of that name.
  func place(of id: ManagedObjectID) -> (EntityLayout, Int32)? {
    if id.isTemporaryID {
      return id.scope === coordinator.temporaryScope ? (coordinator.layout.entities[id.entityIndex], 0) : nil
    }
    let mounts = mounts
    if let own = mounts.first(where: { $0.scope === id.scope }) {
      return (coordinator.layout.entities[id.entityIndex], own.index)
    }
    guard let same = mounts.first(where: { $0.scope.uuid == id.scope.uuid }),
      let entity = coordinator.managedObjectModel.entitiesByName[id.entity.name]
    else { return nil }
    return (coordinator.layout.entities[entity.index], same.index)
  }

  /// The store under which the source knows what an identifier names.
  ///
  /// - Throws: `temporary-id-unknown` for an object that no ancestor context has.
  private func sourceIndex(of id: ManagedObjectID, _ index: Int32) throws -> Int32 {
    guard id.isTemporaryID else { return index }
    let layout = coordinator.layout.entities[id.entityIndex]
    guard let known = source.storeIndex(ofTemporary: id.key, layout) else { throw temporaryUnknown(id) }
    return known
  }

  private func noPlace(_ id: ManagedObjectID) -> GraphStoreError {
    if id.isTemporaryID { return temporaryUnknown(id) }
    return coordinator.mounts.isEmpty ? coordinator.noStore() : foreign(id)
  }

  private func notFound(_ id: ManagedObjectID) -> GraphStoreError {
    GraphStoreError(
      .objectNotFound, "There is no \(id.shortForm).",
      remedy: "Fetch the entity to see which objects there are.",
      entity: id.entity.name, objectID: id)
  }

  private func foreign(_ id: ManagedObjectID) -> GraphStoreError {
    GraphStoreError(
      .foreignObjectID, "\(id.uriText) names a record of a store that is not open here.",
      remedy: "Open that store.", entity: id.entity.name, objectID: id)
  }

  private func temporaryUnknown(_ id: ManagedObjectID) -> GraphStoreError {
    GraphStoreError(
      .temporaryIDUnknown, "\(id.uriText) is a temporary identifier that this context does not know.",
      remedy: "Save the object first, or obtain a permanent identifier.", entity: id.entity.name, objectID: id
    )
  }
}

extension ManagedObjectContext {
  /// The layout of the entity of a name.
  ///
  /// - Throws: `unknown-entity`, with the names that were perhaps meant.
  func layout(named name: String) throws -> EntityLayout {
    do {
      return try coordinator.layout.entity(named: name)
    } catch let error as ModelLookupError {
      var failure = GraphStoreError(
        .unknownEntity, error.message, remedy: "The model has \(error.available.joined(separator: ", ")).",
        entity: name)
      failure.suggestions = error.suggestions
      throw failure
    }
  }
}
