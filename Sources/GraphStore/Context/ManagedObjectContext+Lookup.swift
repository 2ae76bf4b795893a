import GraphStoreModel

extension ManagedObjectContext {
  /// The registered object with an identifier, or nil; never asks a store (OBJ-121).
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    guard let store = storeIndex(of: id) else { return nil }
    return registry.object(coordinator.plan.entities[id.entityIndex], id.key, store)
  }

  /// The registered object with an identifier, or a new fault; never asks a store (OBJ-122).
  ///
  /// - Throws: `foreign-object-id` for an identifier of another coordinator's store, `temporary-id-unknown` for a
  ///   temporary one that this context does not know.
  public func object(with id: ManagedObjectID) throws -> ManagedObject {
    if let object = registeredObject(for: id) { return object }
    guard !id.isTemporaryID else { throw temporaryUnknown(id) }
    guard let store = storeIndex(of: id) else {
      throw GraphStoreError(
        .foreignObjectID, "\(id.uriText) names a record of a store that is not open here.",
        remedy: "Open that store, or convert the identifier through its URI.", objectID: id)
    }
    return fault(coordinator.plan.entities[id.entityIndex], id.key, store)
  }

  /// The object with an identifier, realised; the record is read if it has to be.
  ///
  /// - Throws: `object-not-found` when there is no such record, whatever the entity the identifier names.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    let known = registeredObject(for: id)
    if let known, known.isDeleted || !known.isFault { return known }
    guard !id.isTemporaryID else { throw temporaryUnknown(id) }
    guard let store = storeIndex(of: id) else { throw notFound(id) }
    let asked = coordinator.plan.entities[id.entityIndex]
    guard let row = try cachedOrStoredRow(asked, id.key, store), row.plan.entity.isKind(of: asked.entity)
    else {
      throw notFound(id)
    }
    let object = known ?? fault(row.plan, id.key, store)
    if object.block == nil { object.attach(row) }
    holdRow(row, for: object)
    object.becomeRealized()
    return object
  }

  /// The object that a row's reference names: the registered one, or a new fault.
  func object(_ reference: ObjectReferenceWord, storeIndex: Int32) -> ManagedObject? {
    let plan = coordinator.plan.entities[reference.entity]
    if let known = registry.object(plan, reference.key, storeIndex) { return known }
    return reference.key < 0 ? nil : fault(plan, reference.key, storeIndex)
  }

  func fault(_ plan: EntityPlan, _ key: Int64, _ storeIndex: Int32) -> ManagedObject {
    if let known = registry.object(plan, key, storeIndex) { return known }
    let object = make(plan, key: key, state: .fault, storeIndex: storeIndex)
    registry.register(object)
    return object
  }

  /// The row of a fault that fires: from the row cache, else from the store; nil when the record is gone.
  func row(for object: ManagedObject) throws -> Row? {
    guard object.key > 0 else { return nil }
    guard let row = try cachedOrStoredRow(object.plan, object.key, object.storeIndex) else { return nil }
    guard row.plan === object.plan else {
      throw GraphStoreError(
        .objectNotFound, "\(object.objectID.shortForm) is a \(row.plan.entity.name).",
        remedy: "Use the identifier \(row.plan.entity.name)/p\(object.key).", objectID: object.objectID)
    }
    holdRow(row, for: object)
    return row
  }

  private func cachedOrStoredRow(_ plan: EntityPlan, _ key: Int64, _ storeIndex: Int32) throws -> Row? {
    let store = stores[Int(storeIndex)]
    if let row = store.rowCache.row(plan.rootIndex, key) { return row }
    return try coordinator.locked { try store.row(plan, key) }
  }

  /// Counts an object among the holders of its cached row.
  func holdRow(_ row: Row, for object: ManagedObject) {
    let isHolder = object.state.contains(.holdsRow)
    stores[Int(object.storeIndex)].rowCache
      .put(object.plan.rootIndex, object.key, row, holders: isHolder ? 0 : 1)
    object.state.insert(.holdsRow)
  }

  private func storeIndex(of id: ManagedObjectID) -> Int32? {
    if id.isTemporaryID { return id.scope === coordinator.temporaryScope ? 0 : nil }
    return stores.firstIndex { $0.scope === id.scope || $0.scope.uuid == id.scope.uuid }.map { Int32($0) }
  }

  private func notFound(_ id: ManagedObjectID) -> GraphStoreError {
    GraphStoreError(
      .objectNotFound, "There is no \(id.shortForm).",
      remedy: "Fetch the entity to see which objects there are.",
      entity: id.entity.name, objectID: id)
  }

  private func temporaryUnknown(_ id: ManagedObjectID) -> GraphStoreError {
    GraphStoreError(
      .temporaryIDUnknown, "\(id.uriText) is a temporary identifier that this context does not know.",
      remedy: "Save the object first, or obtain a permanent identifier.", entity: id.entity.name, objectID: id
    )
  }
}
