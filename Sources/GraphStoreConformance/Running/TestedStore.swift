import Foundation
import GraphStore

/// Store over which a promise is tested, in a coordinator of its own.
final class TestedStore {
  let number: Int
  private let suite: StoreConformance
  private(set) var coordinator: PersistentStoreCoordinator

  init(_ suite: StoreConformance, number: Int) throws {
    (self.suite, self.number) = (suite, number)
    coordinator = try suite.opening(SampleModel.model, number)
  }

  var reference: PersistentStoreReference { coordinator.persistentStores[0] }

  /// A new context.
  func context() -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: coordinator)
    context.performAndWait { context.retainsRegisteredObjects = true }
    return context
  }

  /// Does something in a new context, on its queue.
  func use<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
    try context().use(body)
  }

  /// Does something in a new context, and saves.
  func change(_ body: (ManagedObjectContext) throws -> Void) throws {
    try use { context in
      try body(context)
      try context.save()
    }
  }

  /// Closes the store and opens it again, where it can be; else what follows reads it by new contexts alone.
  func reopen() throws {
    guard !suite.lacking.contains(.persistence) else { return }
    coordinator.close()
    coordinator = try suite.opening(SampleModel.model, number)
  }

  /// Another coordinator over the same store, while this one has it open.
  func second() throws -> PersistentStoreCoordinator { try suite.opening(SampleModel.model, number) }

  func setObstructed(_ isObstructed: Bool) throws { try suite.obstruction?(number, isObstructed) }
}

extension ManagedObjectContext {
  /// Does something on the context's queue.
  func use<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
    try performAndWait { () throws -> Result in try body(self) }
  }

  /// Inserts an object with values.
  @discardableResult
  func insert(_ entity: String, _ values: [String: Value]) throws -> ManagedObject {
    let object = try insert(entityNamed: entity)
    for (key, value) in values { try object.setQueryValue(value, forKey: key) }
    return object
  }

  /// A request by texts: predicate, and orders such as `name` and `-amount`.
  func request(
    _ entity: String, _ predicate: String? = nil, sort: [String] = []
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: entity, predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try sort.map { try QuerySortDescriptor(parsing: $0) })
  }

  func objects(
    _ entity: String, _ predicate: String? = nil, sort: [String] = ["name"]
  ) throws -> [ManagedObject] {
    try fetch(try request(entity, predicate, sort: sort))
  }

  /// The names of the objects that a fetch finds, by name.
  func names(_ entity: String, _ predicate: String? = nil, sort: [String] = ["name"]) throws -> [String] {
    try objects(entity, predicate, sort: sort).map { try $0.name }
  }

  /// The object with a name.
  func object(_ entity: String, _ name: String) throws -> ManagedObject {
    guard let object = try objects(entity, "name == '\(name)'").first else {
      throw ConformanceReport.Deviation(
        subject: "\(entity) with the name \(name)", expected: "one object", got: "none", seed: nil)
    }
    return object
  }
}

extension ManagedObject {
  /// The attribute `name`, or nothing.
  var name: String {
    get throws {
      if case .string(let text) = try queryValue(forKey: "name") { text } else { "" }
    }
  }

  /// The names of the members of a to-many, in its order where it has one, else by name.
  func names(_ relationship: String) throws -> [String] {
    let names = try objects(forKey: relationship).map { try $0.name }
    return entity.relationshipsByName[relationship]?.isOrdered == true ? names : names.sorted()
  }

  /// The name of the destination of a to-one; nil for none.
  func destination(_ relationship: String) throws -> String? { try object(forKey: relationship)?.name }
}
