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

/// Protocol of all classes of managed objects, whose members have the type of the class.
///
/// Each class has requests for its own objects:
///
/// ```swift
/// let all = try context.fetch(Employee.fetchRequest())
/// let wellPaid = try context.fetch(Employee.sortedFetchRequest(with: QueryPredicate("salary > %@", 90_000)))
/// ```
public protocol FetchableObject: AnyObject {}

extension ManagedObject: FetchableObject {}

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
}

extension FetchRequest: CustomStringConvertible {
  /// The request as text, as far as it is specified:
  /// `Employee where salary > 75000 sorted by -salary, limit 10`.
  public var description: String {
    var text = entityName.isEmpty ? "\(Object.self)" : entityName
    if let predicate { text += " where \(predicate)" }
    if !sortDescriptors.isEmpty {
      text += " sorted by \(sortDescriptors.map { "\($0)" }.joined(separator: ","))"
    }
    if fetchLimit > 0 { text += ", limit \(fetchLimit)" }
    if fetchOffset > 0 { text += ", offset \(fetchOffset)" }
    if resultType != .managedObject { text += ", as \(resultType)" }
    return text
  }
}
