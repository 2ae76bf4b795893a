import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// The objects that a request selects, in its order, each once.
  ///
  /// A record whose object the context already has is returned as that very object, with its values as they
  /// are in memory. The answer is corrected by the context's unsaved changes, as if they had just been saved.
  /// One statement runs, and one more for each relationship prefetched.
  ///
  /// Several stores are asked each, and their answers merged as if they were one store.
  ///
  /// With a batch size, of objects as faults, the statement reads identifiers alone, and a fault that fires
  /// brings along the block around it. Sorting or filtering that list realises every element, and defeats it.
  ///
  /// In a task that is cancelled the statement that runs is ended.
  ///
  /// - Throws: `cancelled`, `unknown-entity`, `unknown-store`, `class-not-found`,
  ///   ``/GraphStorePredicates/QueryPredicateError`` for a predicate or sort that does not fit the entity,
  ///   `invalid-request`, and what reading the store throws. Nothing has been read then.
  public func fetch(_ request: FetchRequest<ManagedObject>) throws -> [ManagedObject] {
    checkQueue()
    try checkResultType(of: request, is: .managedObject)
    return try counting(request, as: .objects, objects: \.count) {
      let prepared = try prepare(request)
      let objects = try request.readsIdentityAlone ? identifiedObjects(prepared) : objects(prepared)
      try completeFetched(objects, request)
      return objects
    }
  }

  /// The objects that a request selects, as instances of a class.
  ///
  /// - Throws: `result-type-mismatch` when an object is of another class; and as
  ///   ``fetch(_:)->[ManagedObject]``.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, _ request: FetchRequest<ManagedObject>
  ) throws -> [Object] {
    let objects = try fetch(request)
    if Object.self == ManagedObject.self || represents(type, request.entityName) {
      return unsafe unsafeBitCast(objects, to: [Object].self)
    }
    return try objects.map { try typed($0, as: type) }
  }

  /// The objects that a request selects, as instances of its class.
  ///
  /// - Throws: `class-mismatch` when the request names no entity and the class represents none, or several;
  ///   and as ``fetch(_:_:)``.
  public func fetch<Object>(_ request: FetchRequest<Object>) throws -> [Object] {
    try fetch(Object.self, try named(request))
  }

  /// An object as an instance of a class.
  ///
  /// - Throws: `result-type-mismatch` when it is of another class.
  func typed<Object: ManagedObject>(_ object: ManagedObject, as type: Object.Type) throws -> Object {
    if let typed = object as? Object { return typed }
    throw GraphStoreError(
      .resultTypeMismatch, "\(object.objectID.shortForm) is a \(Swift.type(of: object)), not a \(type).",
      remedy: "Name \(type) as the className of \(object.entity.name) and give it to the coordinator.",
      entity: object.entity.name, objectID: object.objectID)
  }

  /// Whether every object of an entity and of its sub-entities is an instance of a class.
  private func represents<Object: ManagedObject>(_ type: Object.Type, _ entityName: String) -> Bool {
    guard let entity = try? layout(named: entityName) else { return false }
    return entity.entity.family.allSatisfy {
      coordinator.objectClass(coordinator.layout.entities[$0.index]) is Object.Type
    }
  }

  // MARK: Preparing

  /// A request that has been checked against the model: variables replaced, constants of the right types.
  struct PreparedFetch {
    var request: FetchRequest<ManagedObject>
    let entity: EntityLayout
    /// The stores that were mounted: one that is closed meanwhile throws `no-store` when it is asked.
    let mounts: [Mount]
  }

  /// The request for objects of any class, which names the entity that its class represents.
  ///
  /// - Throws: `class-mismatch` when the request names no entity and the class represents none, or several.
  func named<Object>(_ request: FetchRequest<Object>) throws -> FetchRequest<ManagedObject> {
    var named = request.untyped
    if named.entityName.isEmpty {
      if Object.self == ManagedObject.self { throw Self.withoutEntity }
      named.entityName = try entityName(of: Object.self)
    }
    return named
  }

  static var withoutEntity: GraphStoreError {
    GraphStoreError(
      .fetchWithoutEntity, "A fetch request names no entity, and has no class that represents one.",
      remedy: "Name the entity: FetchRequest(entityName:).")
  }

  func prepare(_ request: FetchRequest<ManagedObject>) throws -> PreparedFetch {
    try checkInterruption()
    if request.entityName.isEmpty { throw Self.withoutEntity }
    if request.includesPendingChanges { try processPendingChanges() }
    let mounts = mounts
    guard !mounts.isEmpty else { throw coordinator.noStore() }
    if request.affectedStores != nil { try checkAffectedStores(request) }
    let entity = try layout(named: request.entityName)
    try checkNumbers(of: request)
    try checkPrefetching(request, entity.entity)
    var checked = request
    checked.now = Date()
    var checker = PredicateTypeChecker(entity: entity.entity) { [coordinator] text in
      coordinator.objectReference(text)
    }
    checker.now = checked.now
    checker.functions = functions
    if let predicate = request.predicate {
      checked.predicate = try checker.check(try predicate.substituting(request.variables))
    }
    checked.sortDescriptors = try checker.check(
      try request.sortDescriptors.map { try $0.substituting(request.variables) })
    checked.variables = [:]
    checked.locale = request.locale ?? locale
    checked.functions = functions
    return PreparedFetch(request: checked, entity: entity, mounts: try visibleMounts(of: mounts))
  }

  /// - Throws: `invalid-request` for a negative limit, offset or batch size (FET-006, FET-008).
  private func checkNumbers(of request: FetchRequest<ManagedObject>) throws {
    if request.fetchLimit >= 0, request.fetchOffset >= 0, request.fetchBatchSize >= 0 { return }
    let numbers = [
      ("limit", request.fetchLimit), ("offset", request.fetchOffset), ("batch size", request.fetchBatchSize),
    ]
    for (name, number) in numbers where number < 0 {
      throw GraphStoreError(
        .invalidRequest, "A fetch of \(request.entityName) has the negative \(name) \(number).",
        remedy: "Give 0 or more; 0 means none.", entity: request.entityName)
    }
  }

  /// - Throws: `unknown-store` for one that the coordinator does not have (FET-017).
  func checkAffectedStores(_ request: FetchRequest<ManagedObject>) throws {
    for store in request.affectedStores ?? [] { _ = try coordinator.mounted(store) }
  }

  // MARK: Running

  /// Whether a store can have objects that a request wants; one that cannot is not asked (FET-035).
  func holds(_ store: any PersistentStore, _ prepared: PreparedFetch) -> Bool {
    let entity = prepared.entity.entity
    return prepared.request.includesSubentities
      ? store.entities.holds(entity) : store.entities.contains(entity)
  }

  /// The stores that are asked for a request, in the order in which they were added.
  func mounts(for prepared: PreparedFetch) -> [Mount] {
    let mounts = prepared.mounts.filter { holds($0.store, prepared) }
    guard let stores = prepared.request.affectedStores else { return mounts }
    return mounts.filter { mount in stores.contains { $0.mount.index == mount.index } }
  }

  func objects(_ prepared: PreparedFetch) throws -> [ManagedObject] {
    try route(of: prepared).answer(
      byStore: { try storedObjects(prepared, $0) }, inMemory: { try mergedObjects(prepared, $0, $1) })
  }

  /// The objects that a request selects, of whose rows nothing but the keys is read: registered ones as they
  /// are, and faults (FET-109).
  func identifiedObjects(_ prepared: PreparedFetch) throws -> [ManagedObject] {
    fetching.faultBatches.removeUnused()
    let objects = try identifiers(for: prepared).map { try object(with: $0) }
    if prepared.request.fetchBatchSize > 0 {
      fetching.faultBatches.add(objects, of: prepared.request)
      return objects
    }
    let keyPaths = prepared.request.relationshipKeyPathsForPrefetching
    if !keyPaths.isEmpty {
      try reading(runsCallbacks: coordinator.hasClasses) { try prefetch(keyPaths, of: objects, with: $0) }
    }
    return objects
  }

  /// The objects of one store, by one statement and one for each relationship prefetched; nil where memory
  /// has to filter or sort.
  private func storedObjects(_ prepared: PreparedFetch, _ mount: Mount) throws -> [ManagedObject]? {
    let request = prepared.request.storeRequest(.rows)
    let keyPaths = prepared.request.relationshipKeyPathsForPrefetching
    if keyPaths.isEmpty { return try storedObjects(request, mount) }
    return try reading(runsCallbacks: coordinator.hasClasses) { reader in
      let plan = try reader.plan(request, on: mount.index)
      guard plan.runsInStore else { return nil }
      let objects = try materialize(plan, from: mount, in: reader.session(mount.index))
      try prefetch(keyPaths, of: objects, with: reader)
      return objects
    }
  }

  /// The objects of one statement. Where they are instances of classes of the program, which may do anything
  /// when they are made, nothing is being read any more.
  private func storedObjects(_ request: StoreRequest, _ mount: Mount) throws -> [ManagedObject]? {
    guard coordinator.hasClasses else {
      return try readingPlanned(request, from: mount) { try materialize($0, from: mount, in: $1) }
    }
    var batches: [RowBatch] = []
    let origin = try readingPlanned(request, from: mount) { plan, session in
      try plan.rows { batch in
        batches.append(batch)
        batch = RowBatch()
      }
      return session.origin
    }
    guard let origin else { return nil }
    var materializer = ObjectMaterializer(self, storeIndex: mount.index)
    for batch in batches { try materializer.take(batch, from: origin) }
    return materializer.consumeObjects()
  }

  /// Turns the rows of a store into objects of this context, each once.
  private func materialize(
    _ plan: any StoreFetchPlan, from mount: Mount, in session: any ReadSession
  ) throws -> [ManagedObject] {
    var materializer = ObjectMaterializer(self, storeIndex: mount.index)
    try plan.rows { try materializer.take($0, from: session.origin) }
    return materializer.consumeObjects()
  }
}
