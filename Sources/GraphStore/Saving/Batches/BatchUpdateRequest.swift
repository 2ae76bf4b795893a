import GraphStorePredicates

/// A request to give all records that meet a condition new values, in the stores and without objects.
///
/// ```swift
/// var request = BatchUpdateRequest(entityName: "Employee")
/// request.predicate = try QueryPredicate(parsing: "salary < 90000")
/// request.propertiesToUpdate = [
///   "badge": nil, "salary": try QueryExpression(parsing: "salary + 1000"),
/// ]
/// request.resultType = .count
/// print(try context.execute(request).count, "raised")  // 1 raised
/// ```
///
/// See ``ManagedObjectContext/execute(_:)-(BatchUpdateRequest)``.
public struct BatchUpdateRequest {
  /// The entity whose records are written.
  public var entityName: String
  /// The condition; nil for all records.
  public var predicate: QueryPredicate?
  /// Values of the predicate's `$variables`.
  public var variables: [String: Value] = [:]
  /// By the name of an attribute: its new value, of the types in which attributes are set
  /// (``ManagedObject/setValue(_:forKey:)``), or a `QueryExpression` over the record as it was before.
  ///
  /// A number that an expression yields for an integer attribute loses its fraction.
  public var propertiesToUpdate: [String: Any?]
  /// Whether records of sub-entities count.
  public var includesSubentities = true
  /// The stores that are written; nil for all that have records of the entity.
  public var affectedStores: [PersistentStoreReference]?
  /// What the result says.
  public var resultType = BatchRequestResultType.statusOnly
  /// Whether the new values have to keep all rules of the model: ranges, lengths, patterns and predicates
  /// too.
  public var validates = false
  /// Whether everything is done and then taken back, to see how many records would be written.
  public var isDryRun = false

  /// Makes a request.
  public init(
    entityName: String, propertiesToUpdate: [String: Any?] = [:], predicate: QueryPredicate? = nil
  ) {
    self.entityName = entityName
    self.propertiesToUpdate = propertiesToUpdate
    self.predicate = predicate
  }
}
