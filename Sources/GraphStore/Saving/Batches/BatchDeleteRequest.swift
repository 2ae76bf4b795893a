import GraphStorePredicates

/// A request to delete records in the stores, with what delete rules make of it, and without objects.
///
/// ```swift
/// let small = FetchRequest(
///   entityName: "Project", predicate: try QueryPredicate(parsing: "members.@count < 2"))
/// var request = BatchDeleteRequest(small)
/// request.isDryRun = true
/// request.resultType = .count
/// print(try context.execute(request).count, "would go")  // 1 would go
/// ```
///
/// See ``ManagedObjectContext/execute(_:)-(BatchDeleteRequest)``.
public struct BatchDeleteRequest {
  enum Selection {
    case request(FetchRequest<ManagedObject>)
    case identifiers([ManagedObjectID])
  }

  let selection: Selection
  /// The class that the entity is looked for by, where the request names none.
  let objectType: ManagedObject.Type
  /// The stores that are written, of those that the fetch request names; nil for all of them.
  public var affectedStores: [PersistentStoreReference]?
  /// What the result says, of the selected records and of those that cascades delete.
  public var resultType = BatchRequestResultType.statusOnly
  /// Whether everything is done and then taken back, to see how many records would be deleted.
  public var isDryRun = false

  /// Makes a request for the records that a fetch selects: its entity, predicate, order, window and
  /// sub-entities count, and its stores.
  public init<Object: ManagedObject>(_ fetchRequest: FetchRequest<Object>) {
    selection = .request(fetchRequest.untyped)
    objectType = Object.self
  }

  /// Makes a request for records by their identifiers, which are of one entity tree.
  public init(objectIDs: [ManagedObjectID]) {
    selection = .identifiers(objectIDs)
    objectType = ManagedObject.self
  }
}
