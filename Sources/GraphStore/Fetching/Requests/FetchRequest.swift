import Foundation
import GraphStorePredicates

/// Request for objects: one entity, a condition, an order and a window.
///
/// Its parameter is the class of the results. A request of a class asks for the entity that the class
/// represents, and returns its instances:
///
/// ```swift
/// var request = Employee.fetchRequest()  // FetchRequest<Employee>
/// request.predicate = try QueryPredicate(parsing: "salary > 75000")
/// let employees = try context.fetch(request)
/// ```
///
/// An entity whose name is known at run time only is asked for by that name. Such a request is a
/// `FetchRequest<ManagedObject>`, and returns objects of any classes:
///
/// ```swift
/// for entity in model.entities {
///   print(entity.name, try context.fetch(FetchRequest(entityName: entity.name)).count)
/// }
/// ```
///
/// A request is a value, equal to another that asks for the same in the same words: executing it changes
/// nothing in it, and changing it later affects no result that was already returned. Nothing but the entity's
/// name is required; such a request returns every instance of the entity and of its sub-entities.
public struct FetchRequest<Object: ManagedObject>: Hashable, Sendable {
  /// The entity whose instances are wanted; where it is empty, the one that the class represents is meant.
  public var entityName: String
  /// The condition; nil selects every instance.
  public var predicate: QueryPredicate?
  /// Values of the predicate's `$variables`.
  public var variables: [String: Value] = [:]
  /// The order; empty leaves it unspecified unless there is a window, which then counts in order of primary
  /// keys.
  public var sortDescriptors: [QuerySortDescriptor]
  /// The most results to return; 0 means no limit.
  public var fetchLimit: Int
  /// The number of results to skip.
  public var fetchOffset: Int
  /// The stores that are asked; nil means all of the coordinator, none that there is no result.
  ///
  /// An object that was not saved takes part if it is assigned to one of them, or a save would put it there.
  public var affectedStores: [PersistentStoreReference]?
  /// Whether instances of sub-entities count.
  public var includesSubentities: Bool
  /// Whether the answer is corrected by the unsaved changes of the context.
  public var includesPendingChanges = true
  /// Whether the objects are returned as faults whose values already are in the row cache; without it they
  /// are realised at once.
  public var returnsObjectsAsFaults = true
  /// Whether the rows' values are read, and kept in the row cache; without it an object costs a statement
  /// when it is first read, unless its row is in the cache for another reason.
  ///
  /// Values are read all the same for objects that are not returned as faults, or are to be refreshed.
  public var includesPropertyValues = true
  /// The number of objects that are read together, once one of them is touched; 0, as at first, reads the
  /// whole result.
  ///
  /// ``ManagedObjectContext/fetchBatched(_:)`` returns results that load block by block; a fetch of objects
  /// as faults returns a list of which one fault brings along the block around it.
  public var fetchBatchSize = 0
  /// Whether objects that the context has already take the values that their records have now, but for
  /// unsaved changes.
  public var shouldRefreshRefetchedObjects = false
  /// Key paths of relationships whose destinations are read together with the result, one statement each.
  public var relationshipKeyPathsForPrefetching: [String] = []
  /// The locale of `[l]` and of localized order; nil for that of the context.
  public var locale: Locale?
  /// Whether a part of the predicate or sort that the store cannot run is evaluated over the rows it returns;
  /// when refused such a request throws `unsupported-in-store` before anything is read.
  public var inMemoryEvaluation = InMemoryEvaluation.allowed

  /// The options of results that are not the objects themselves.
  var resultOptions = ResultOptions()
  /// The time of `now()` in store and memory alike, once the request is prepared.
  var now: Date?
  /// The functions that `FUNCTION` calls, once the request is prepared.
  var functions = PredicateFunctions.standard

  /// How predicate and order are evaluated, in store and memory alike: by the locale, the time and the
  /// functions that preparing has set; the process's where a request was not prepared.
  var evaluation: EvaluationOptions {
    EvaluationOptions(
      logic: .threeValued, locale: locale ?? ProcessLocale.current, now: now ?? Date(),
      functions: functions)
  }

  /// The request to stores, once it is prepared.
  func storeRequest(_ output: StoreRequest.Output) -> StoreRequest {
    var request = StoreRequest(
      entityName: entityName, output, includesSubentities: includesSubentities, now: now ?? Date(),
      locale: locale ?? ProcessLocale.current, functions: functions)
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.inMemoryEvaluation = inMemoryEvaluation
    request.includesPendingChanges = includesPendingChanges
    return request
  }

  /// Whether nothing but the keys of rows is read.
  var readsIdentityAlone: Bool {
    returnsObjectsAsFaults && !shouldRefreshRefetchedObjects
      && (!includesPropertyValues || fetchBatchSize > 0)
  }

  /// Makes a request for the instances of the entity that the class represents
  /// (``ManagedObjectContext/insert(_:)`` says which), or of one by name.
  public init(
    entityName: String? = nil, predicate: QueryPredicate? = nil, sortDescriptors: [QuerySortDescriptor] = [],
    fetchLimit: Int = 0, fetchOffset: Int = 0, includesSubentities: Bool = true
  ) {
    self.entityName = entityName ?? ""
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
    self.fetchOffset = fetchOffset
    self.includesSubentities = includesSubentities
  }
}

extension FetchRequest<ManagedObject> {
  /// Makes a request for the instances of an entity whose name is known at run time.
  public init(
    entityName: String, predicate: QueryPredicate? = nil, sortDescriptors: [QuerySortDescriptor] = [],
    fetchLimit: Int = 0, fetchOffset: Int = 0, includesSubentities: Bool = true
  ) {
    let name: String? = entityName
    self.init(
      entityName: name, predicate: predicate, sortDescriptors: sortDescriptors, fetchLimit: fetchLimit,
      fetchOffset: fetchOffset, includesSubentities: includesSubentities)
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
