import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

@testable import GraphStore

/// A model with every shape of storage, a database with its tables, and the planner over them.
struct PlannerFixture {
  let model: ManagedObjectModel
  let schema: SQLSchema
  let scope: StoreIdentity
  let connection: SQLiteConnection

  init() throws {
    model = try ManagedObjectModel(Self.definition)
    schema = SQLSchema(model: model)
    scope = Self.store(1, of: model)
    connection = try SQLiteConnection.inMemory()
    try SQLiteDialect.install(on: connection)
    for statement in try schema.createStatements() { try connection.execute(statement) }
  }

  /// The identity of a store by a number.
  static func store(_ number: UInt8, of model: ManagedObjectModel) -> StoreIdentity {
    let uuid = UUID(uuid: (0x5C, 0x0F, 0x7B, 0x1A, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    return StoreIdentity(uuid, model: model)
  }

  static let definition = ModelDefinition(
    name: "Planner",
    entities: [
      EntityDefinition(
        "Person",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("nick", .string),
          AttributeDefinition("age", .int32), AttributeDefinition("big", .int64),
          AttributeDefinition("score", .double), AttributeDefinition("ratio", .float),
          AttributeDefinition("price", .decimal), AttributeDefinition("active", .boolean),
          AttributeDefinition("born", .date), AttributeDefinition("token", .uuid),
          AttributeDefinition("home", .uri), AttributeDefinition("photo", .binary),
          AttributeDefinition("mood", .string, isTransient: true),
        ],
        relationships: [
          RelationshipDefinition("manager", to: "Person", inverse: "reports"),
          RelationshipDefinition("reports", to: "Person", inverse: "manager", isToMany: true),
          RelationshipDefinition("department", to: "Department", inverse: "members"),
          RelationshipDefinition("tags", to: "Tag", inverse: "people", isToMany: true),
          RelationshipDefinition("friends", to: "Person", inverse: "friends", isToMany: true),
          RelationshipDefinition("watched", to: "Department", isToMany: true),
        ]),
      EntityDefinition(
        "Employee", parent: "Person",
        attributes: [AttributeDefinition("salary", .int64)]),
      EntityDefinition(
        "Boss", parent: "Employee",
        attributes: [AttributeDefinition("budget", .int64)]),
      EntityDefinition(
        "Guest", parent: "Person",
        attributes: [AttributeDefinition("budget", .int64)]),
      EntityDefinition(
        "Department",
        attributes: [AttributeDefinition("name", .string), AttributeDefinition("budget", .int64)],
        relationships: [
          RelationshipDefinition("members", to: "Person", inverse: "department", isToMany: true),
          RelationshipDefinition("head", to: "Employee"),
        ]),
      EntityDefinition(
        "Tag",
        attributes: [AttributeDefinition("name", .string), AttributeDefinition("weight", .int32)],
        relationships: [RelationshipDefinition("people", to: "Person", inverse: "tags", isToMany: true)]),
    ])

  func identifier(_ text: String) -> ObjectReference? {
    let parts = text.split(separator: "/")
    guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()),
      let entity = model.entitiesByName[String(parts[0])]
    else { return nil }
    return ObjectReference(ManagedObjectID(scope: scope, entityIndex: entity.index, key: key))
  }

  func checked(_ predicate: QueryPredicate, of entity: String) throws -> QueryPredicate {
    let fixture = UncheckedResolver(model: model, scope: scope)
    let checker = PredicateTypeChecker(entity: try model.entity(named: entity)) { fixture.identifier($0) }
    return try checker.check(predicate)
  }

  func plan(
    _ entity: String, _ predicate: String? = nil, sort: [QuerySortDescriptor] = [], limit: Int = 0,
    offset: Int = 0, subentities: Bool = true, output: StoreRequest.Output = .identifiers,
    locale: Locale = Locale(identifier: "en_US"), dialect: (any SQLDialect)? = nil
  ) throws -> SQLFetchPlan {
    var request = FetchRequest(
      entityName: entity, sortDescriptors: sort, fetchLimit: limit, fetchOffset: offset,
      includesSubentities: subentities)
    if let predicate { request.predicate = try checked(QueryPredicate(parsing: predicate), of: entity) }
    request.locale = locale
    return try SQLPlanner(schema: schema, dialect: dialect ?? SQLiteDialect(locale: locale)).plan(
      request.storeRequest(output))
  }

  /// The statement without its head, which is the same for all.
  func condition(_ entity: String, _ predicate: String) throws -> String {
    let plan = try plan(entity, predicate)
    let sql = plan.sql
    guard let place = sql.range(of: " FROM ") else { return sql }
    return String(sql[place.upperBound...])
  }

  func keys(_ plan: SQLFetchPlan) throws -> [Int64] {
    try connection.withStatement(plan.sql) { statement in
      try bind(plan.bindings, to: statement)
      var keys: [Int64] = []
      while try statement.step() { keys.append(statement.int64(at: 0)) }
      return keys
    }
  }

  /// The database's plan, a line a step.
  func steps(_ plan: SQLFetchPlan) throws -> String {
    try connection.withStatement("EXPLAIN QUERY PLAN " + plan.sql) { statement in
      var text = ""
      while try statement.step() { text += (statement.string(at: 3) ?? "") + "\n" }
      return text
    }
  }

  func bind(_ bindings: [SQLBinding], to statement: SQLiteStatement) throws {
    for (index, binding) in bindings.enumerated() {
      switch binding {
      case .null: try statement.bindNull(at: index + 1)
      case .integer(let value): try statement.bind(value, at: index + 1)
      case .double(let value), .timestamp(let value): try statement.bind(value, at: index + 1)
      case .text(let value): try statement.bind(value, at: index + 1)
      case .blob(let bytes):
        try bytes.withUnsafeBytes { try statement.bind(blobCopying: $0, at: index + 1) }
      }
    }
  }

  /// The keys that a predicate finds in key order.
  func found(_ entity: String, _ predicate: String, subentities: Bool = true) throws -> [Int64] {
    let plan = try plan(entity, predicate, subentities: subentities)
    guard plan.residual == nil else { throw Residual(reason: plan.notes.map(\.detail).joined()) }
    return try keys(plan).sorted()
  }

  struct Residual: Error {
    var reason: String
  }
}

private struct UncheckedResolver: Sendable {
  let model: ManagedObjectModel
  let scope: StoreIdentity

  func identifier(_ text: String) -> ObjectReference? {
    let parts = text.split(separator: "/")
    guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()),
      let entity = model.entitiesByName[String(parts[0])]
    else { return nil }
    return ObjectReference(ManagedObjectID(scope: scope, entityIndex: entity.index, key: key))
  }
}
