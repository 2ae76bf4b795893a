import Foundation
import GraphStore
import GraphStoreContextTestSupport
import Testing

/// Model of the tests of single stores.
enum StaffModel {
  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(
        ModelDefinition(
          name: "Staff",
          entities: [
            EntityDefinition(
              "Department", attributes: [AttributeDefinition("name", .string)],
              relationships: [
                RelationshipDefinition("employees", to: "Employee", inverse: "department", isToMany: true)
              ]),
            EntityDefinition(
              "Employee",
              attributes: [
                AttributeDefinition("name", .string), AttributeDefinition("salary", .int64, minimum: 0),
                AttributeDefinition("small", .int16),
              ],
              relationships: [
                RelationshipDefinition("department", to: "Department", inverse: "employees"),
                RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true),
              ]),
            EntityDefinition(
              "Project", attributes: [AttributeDefinition("name", .string)],
              relationships: [
                RelationshipDefinition(
                  "members", to: "Employee", inverse: "projects", isToMany: true, isOrdered: true)
              ]),
          ]))
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}

extension PersistentStoreCoordinator {
  /// A coordinator over the store at a location.
  static func adding(
    _ type: StoreType, at url: URL, _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws -> PersistentStoreCoordinator {
    try StoreType.registration.get()
    let coordinator = PersistentStoreCoordinator(model: StaffModel.model)
    var options = StoreOptions()
    options.type = type
    change(&options)
    try coordinator.addStore(at: url.absoluteString, options: options)
    return coordinator
  }
}

extension ManagedObjectContext {
  @discardableResult
  func insert(_ entity: String, named name: String) throws -> ManagedObject {
    let object = try insert(entityNamed: entity)
    try object.setValue(name, forKey: "name")
    return object
  }

  /// The names of all objects of an entity, in their order.
  func names(_ entity: String, _ predicate: String? = nil) throws -> [String] {
    try fetch(
      FetchRequest(
        entityName: entity, predicate: try predicate.map { try QueryPredicate(parsing: $0) },
        sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
    ).compactMap { try $0.value(forKey: "name") as? String }
  }

  func object(_ entity: String, named name: String) throws -> ManagedObject {
    let request = FetchRequest(
      entityName: entity, predicate: try QueryPredicate(parsing: "name == '\(name)'"))
    return try #require(try fetch(request).first)
  }
}

/// The error of a call that fails.
@discardableResult
func failure(
  _ code: GraphStoreError.Code, sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) throws -> GraphStoreError {
  let error = try #require(throws: GraphStoreError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  #expect(!error.remedy.isEmpty, sourceLocation: sourceLocation)
  return error
}
