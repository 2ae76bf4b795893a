import GraphStoreModel

extension FetchRequest {
  /// The same request for objects of any class.
  public var untyped: FetchRequest<ManagedObject> { ofClass() }

  /// Takes a request whose results are of the class; one of another class fails its fetch (OBJ-025).
  public init(_ request: FetchRequest<ManagedObject>) { self = request.ofClass() }

  /// The same request with another class of results, on which no stored property depends.
  private func ofClass<Other>() -> FetchRequest<Other> {
    assert(MemoryLayout<Self>.size == MemoryLayout<FetchRequest<Other>>.size)
    return unsafe unsafeBitCast(self, to: FetchRequest<Other>.self)
  }
}

/// What every class of managed objects has through its own type.
public protocol FetchableObject: AnyObject {}

extension ManagedObject: FetchableObject {}

extension FetchableObject where Self: ManagedObject {
  /// A request for the instances of the entity that this class represents, with those of its sub-entities.
  public static func fetchRequest() -> FetchRequest<Self> { FetchRequest() }
}

extension ManagedObjectContext {
  /// The objects that a request selects, as instances of its class.
  ///
  /// - Throws: `class-mismatch` when the request names no entity and the class represents none, or several;
  ///   and as ``fetch(_:_:)``.
  public func fetch<Object>(_ request: FetchRequest<Object>) throws -> [Object] {
    try fetch(Object.self, try named(request))
  }

  /// The request for objects of any class, which names the entity that its class represents.
  ///
  /// - Throws: `class-mismatch` when the request names no entity and the class represents none, or several.
  func named<Object>(_ request: FetchRequest<Object>) throws -> FetchRequest<ManagedObject> {
    var named = request.untyped
    if named.entityName.isEmpty {
      named.entityName = try coordinator.layout(representedBy: Object.self).entity.name
    }
    return named
  }
}
