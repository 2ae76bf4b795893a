import GraphStoreModel
import GraphStorePredicates

extension FetchRequest {
  /// The request for objects of any class.
  public var untyped: FetchRequest<ManagedObject> { ofClass() }

  /// Takes a request whose results are of the class; one of another class fails its fetch.
  public init(_ request: FetchRequest<ManagedObject>) { self = request.ofClass() }

  /// The request with another class of results, on which no stored property depends.
  private func ofClass<Other>() -> FetchRequest<Other> {
    assert(MemoryLayout<Self>.size == MemoryLayout<FetchRequest<Other>>.size)
    return unsafe unsafeBitCast(self, to: FetchRequest<Other>.self)
  }
}

extension FetchableObject where Self: ManagedObject {
  /// A request for the instances of the entity that this class represents, with those of its sub-entities.
  public static func fetchRequest() -> FetchRequest<Self> { FetchRequest(entityName: Self.entityName) }

  /// The request for all instances that the class's defaults select, in the order that they say.
  public static var sortedFetchRequest: FetchRequest<Self> {
    FetchRequest(
      entityName: Self.entityName, predicate: Self.defaultPredicate,
      sortDescriptors: Self.defaultSortDescriptors)
  }

  /// Makes a request for the instances that a predicate selects.
  public static func sortedFetchRequest(with predicate: QueryPredicate) -> FetchRequest<Self> {
    var request = sortedFetchRequest
    request.predicate = .all(of: [Self.defaultPredicate, predicate])
    return request
  }
}
