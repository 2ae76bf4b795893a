/// The form of the result of a batch request.
///
/// ```swift
/// var request = BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: ["badge": nil])
/// request.resultType = .count
/// print(try context.execute(request).count, "badges taken back")
/// ```
public enum BatchRequestResultType: Hashable, Sendable {
  /// Whether it has touched anything.
  case statusOnly
  /// The identifiers of what it has touched.
  case objectIDs
  /// How many records it has touched.
  case count
}

/// What a batch request has done.
///
/// Contexts do not see it before its identifiers are merged into them:
///
/// ```swift
/// var request = BatchDeleteRequest(FetchRequest(entityName: "Employee"))
/// request.resultType = .objectIDs
/// let result = try context.execute(request)
/// try await ManagedObjectContext.mergeChanges(
///   fromRemoteContextSave: [.deletedObjectIDs: result.objectIDs], into: [context])
/// ```
public struct BatchResult: Sendable {
  /// The form that the request has asked for.
  public let resultType: BatchRequestResultType
  /// How many records were touched: written or deleted, by cascades too; of a batch insert, how many objects
  /// of the input were inserted, or have met a record that was to take their values.
  public internal(set) var count = 0
  /// The identifiers of these records, where they were asked for; empty for other forms. Those of a batch
  /// insert are in the order of the input, with the record that an object has met instead of its own.
  public internal(set) var objectIDs: [ManagedObjectID] = []
  /// Whether a record was touched.
  public var status: Bool { count > 0 }

  init(_ resultType: BatchRequestResultType) { self.resultType = resultType }
}
