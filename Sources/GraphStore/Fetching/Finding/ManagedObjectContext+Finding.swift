import GraphStoreModel
import GraphStorePredicates

/// Single objects, found or made.
extension ManagedObjectContext {
  /// An object of an entity for which a predicate is true: a registered one, else the first that a fetch
  /// finds, realised.
  ///
  /// One statement at most. A registered object that matches is returned even where its record does not match
  /// any more.
  ///
  /// - Throws: as ``registeredObject(of:matching:)-(String,_)`` and ``fetch(_:)->[ManagedObject]``.
  public func findOrFetch(of entityName: String, matching predicate: QueryPredicate) throws -> ManagedObject?
  {
    if let known = try registeredObject(of: entityName, matching: predicate) { return known }
    var request = FetchRequest(entityName: entityName, predicate: predicate, fetchLimit: 1)
    request.returnsObjectsAsFaults = false
    return try fetch(request).first
  }

  /// An object of the entity that a class represents; see ``findOrFetch(of:matching:)-(String,_)``.
  ///
  /// - Throws: `class-mismatch` when the class represents no entity; and as that.
  public func findOrFetch<Object: ManagedObject>(
    of type: Object.Type, matching predicate: QueryPredicate
  ) throws -> Object? {
    try findOrFetch(of: entityName(of: type), matching: predicate).map { try typed($0, as: type) }
  }

  /// An object of an entity for which a predicate is true, or a new one.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - predicate: What the object is found by.
  ///   - configure: Sets the values of a new object; it is not called for an object that was found.
  /// - Throws: as ``findOrFetch(of:matching:)-(String,_)`` and ``insert(entityNamed:)``; what `configure`
  ///   throws, and then the new object is deleted again.
  @discardableResult
  public func findOrCreate(
    of entityName: String, matching predicate: QueryPredicate,
    configure: (ManagedObject) throws -> Void = { _ in }
  ) throws -> ManagedObject {
    if let found = try findOrFetch(of: entityName, matching: predicate) { return found }
    return try configured(insert(entityNamed: entityName), configure)
  }

  /// An object of the entity that a class represents, or a new one; see
  /// ``findOrCreate(of:matching:configure:)-(String,_,_)``.
  ///
  /// - Throws: `class-mismatch` when the class represents no entity; and as that.
  @discardableResult
  public func findOrCreate<Object: ManagedObject>(
    of type: Object.Type, matching predicate: QueryPredicate, configure: (Object) throws -> Void = { _ in }
  ) throws -> Object {
    if let found = try findOrFetch(of: type, matching: predicate) { return found }
    return try configured(insert(type, entityNamed: entityName(of: type)), configure)
  }

  private func configured<Object: ManagedObject>(
    _ object: Object, _ configure: (Object) throws -> Void
  ) throws -> Object {
    do { try configure(object) } catch {
      try delete(object)
      throw error
    }
    return object
  }

  /// The one object that a request selects, or nil where there is none.
  ///
  /// Two objects are asked for at most, whatever the limit of the request.
  ///
  /// - Throws: `not-unique` with both identifiers where there are two; and as ``fetch(_:)->[ManagedObject]``.
  public func fetchSingle<Object>(_ request: FetchRequest<Object>) throws -> Object? {
    var two = request
    two.fetchLimit = 2
    two.fetchBatchSize = 0
    let found = try fetch(two)
    guard found.count == 2 else { return found.first }
    let entityName = try named(request).entityName
    let identifiers = found.map(\.objectID.shortForm)
    throw GraphStoreError(
      .notUnique, "\(identifiers[0]) and \(identifiers[1]) both match, and one \(entityName) was asked for.",
      remedy: "Narrow the predicate, or fetch them all.", entity: entityName, objectID: found[1].objectID)
  }

  /// The one object that a request selects, kept in ``userInfo`` under a key.
  ///
  /// The next call with the key returns the cached object without a statement, whatever the request; one that
  /// was deleted, or has left the context, is fetched anew. Where nothing is found, nothing is kept; setting
  /// the key to nil in ``userInfo`` forgets the object.
  ///
  /// - Parameters:
  ///   - key: The key in ``userInfo``.
  ///   - request: What is fetched where no object is kept.
  /// - Throws: as ``fetchSingle(_:)``; `result-type-mismatch` where an object of another class is kept.
  public func fetchSingle<Object>(cachedAs key: String, _ request: FetchRequest<Object>) throws -> Object? {
    checkQueue()
    if let kept = userInfo[key] as? ManagedObject, kept.context === self, !kept.isDeleted {
      return try typed(kept, as: Object.self)
    }
    let found = try fetchSingle(request)
    userInfo[key] = found
    return found
  }

  /// The number of objects that a request for the entity of a class selects.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - configure: Sets what the request is to have besides its entity.
  /// - Throws: What `configure` throws; and as ``count(for:)``.
  public func count<Object: ManagedObject>(
    of type: Object.Type, configure: (inout FetchRequest<Object>) throws -> Void = { _ in }
  ) throws -> Int {
    try count(for: request(of: type, configure))
  }

  /// The objects that a request for the entity of a class selects.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - configure: Sets what the request is to have besides its entity.
  /// - Throws: What `configure` throws; and as ``fetch(_:)->[ManagedObject]``.
  public func fetch<Object: ManagedObject>(
    of type: Object.Type, configure: (inout FetchRequest<Object>) throws -> Void = { _ in }
  ) throws -> [Object] {
    try fetch(request(of: type, configure))
  }

  private func request<Object: ManagedObject>(
    of type: Object.Type, _ configure: (inout FetchRequest<Object>) throws -> Void
  ) throws -> FetchRequest<Object> {
    var request = FetchRequest<Object>(entityName: try entityName(of: type))
    try configure(&request)
    return request
  }

  /// The entity that a class represents, by the name that the class declares, if it does.
  ///
  /// - Throws: `class-mismatch` when there is none.
  func entityName(of type: ManagedObject.Type) throws -> String {
    try type.entityName ?? coordinator.layout(representedBy: type).entity.name
  }
}
