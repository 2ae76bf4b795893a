import GraphStoreModel
import GraphStorePredicates

/// What to fetch, with the class of the results: everything of a ``FetchRequest`` is a member of it too.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.predicate = try QueryPredicate(parsing: "salary > 75000")
/// let employees = try context.fetch(request)
/// ```
@dynamicMemberLookup
public struct TypedFetchRequest<Object: ManagedObject>: Sendable {
  /// The request; where its `entityName` is empty, the entity that the class represents is meant.
  public var untyped: FetchRequest

  /// Makes a request for the instances of the entity that the class represents (``ManagedObjectContext/insert(_:)``
  /// says which), or of one by name.
  public init(
    entityName: String? = nil, predicate: QueryPredicate? = nil, sortDescriptors: [QuerySortDescriptor] = []
  ) {
    untyped = FetchRequest(
      entityName: entityName ?? "", predicate: predicate, sortDescriptors: sortDescriptors)
  }

  /// Takes a request whose results are of the class.
  public init(_ request: FetchRequest) { untyped = request }

  /// A part of the request.
  public subscript<Part>(dynamicMember part: WritableKeyPath<FetchRequest, Part>) -> Part {
    get { untyped[keyPath: part] }
    set { untyped[keyPath: part] = newValue }
  }
}

/// What every class of managed objects has through its own type.
public protocol FetchableObject: AnyObject {}

extension ManagedObject: FetchableObject {}

extension FetchableObject where Self: ManagedObject {
  /// A request for the instances of the entity that this class represents, with those of its sub-entities.
  public static func fetchRequest() -> TypedFetchRequest<Self> { TypedFetchRequest() }
}

extension ManagedObjectContext {
  /// The objects that a request selects, as instances of its class.
  ///
  /// - Throws: `class-mismatch` when the request names no entity and the class represents none, or several;
  ///   and as ``fetch(_:_:)``.
  public func fetch<Object>(_ request: TypedFetchRequest<Object>) throws -> [Object] {
    try fetch(Object.self, try named(request))
  }

  /// How many objects a request selects; without unsaved changes one statement that reads no row.
  public func count<Object>(for request: TypedFetchRequest<Object>) throws -> Int {
    try count(for: try named(request))
  }

  /// The identifiers of the objects that a request selects, without making objects where that can be avoided.
  public func fetchIdentifiers<Object>(_ request: TypedFetchRequest<Object>) throws -> [ManagedObjectID] {
    try fetchIdentifiers(try named(request))
  }

  private func named<Object>(_ request: TypedFetchRequest<Object>) throws -> FetchRequest {
    var named = request.untyped
    if named.entityName.isEmpty {
      named.entityName = try coordinator.layout(representedBy: Object.self).entity.name
    }
    return named
  }
}
