#if PostgreSQL
import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore
@testable import GraphStorePostgreSQL

/// A random graph as objects in memory and as rows of a server.
final class PostgreSQLGraph {
  let graph: PlannerGraph
  let schema: PostgreSQLSchema
  private let server: TestServer

  init(_ random: inout SeededGenerator) throws {
    graph = try PlannerGraph(&random)
    server = try TestServer()
    schema = PostgreSQLSchema(StoredEntities(graph.fixture.model), named: server.schema)
    for statement in try schema.statements() { try server.run(statement) }
    try server.run("BEGIN")
    for object in graph.departments + graph.tags + graph.people {
      for (name, value) in object.values {
        // No text of a server has the character zero.
        if case .string(let text) = value { object.values[name] = .string(text.replacing("\0", with: "0")) }
      }
      try insert(object)
    }
    for person in graph.people {
      try insertPairs(of: person, "tags")
      try insertPairs(of: person, "friends")
      for member in person.toMany["watched"] ?? [] { try setOwner(of: member, person) }
    }
    try server.run("COMMIT")
  }

  func plan(_ predicate: QueryPredicate?, sort: [QuerySortDescriptor] = []) throws -> SQLFetchPlan {
    var request = FetchRequest(entityName: "Person", predicate: predicate, sortDescriptors: sort)
    request.locale = Locale(identifier: "tr_TR")
    return try SQLPlanner(schema: schema.tables, dialect: schema.dialect).plan(
      request.storeRequest(.identifiers))
  }

  func keys(_ plan: SQLFetchPlan) throws -> [Int64] {
    try server.run(plan.sql, plan.bindings).compactMap { $0.first??.integer }
  }

  private func insert(_ object: PlannerObject) throws {
    let entity = schema.tables.entity(object.entity)
    let system = schema.tables.systemColumns
    var columns = [system.key, system.entity]
    var values: [SQLBinding] = [.integer(object.key), .integer(Int64(entity.number))]
    var types = ["bigint", "integer"]
    func add(_ column: SQLColumn, _ value: SQLBinding) {
      columns.append(column.name)
      values.append(value)
      types.append(PostgreSQLType(column).rawValue)
    }
    for property in object.entity.properties {
      switch entity.storage(of: property) {
      case .attribute(let column): add(column, Self.binding(object.values[property.name] ?? .null))
      case .toOne(let key, let tag, _):
        guard let target = object.toOne[property.name] else { continue }
        add(key, .integer(target.key))
        if let tag { add(tag, .integer(Int64(schema.tables.entity(target.entity).number))) }
      default: continue
      }
    }
    let places = types.enumerated().map { "CAST($\($0 + 1) AS \($1))" }.joined(separator: ", ")
    let names = columns.map(schema.dialect.name).joined(separator: ", ")
    try server.run(
      "INSERT INTO \(schema.dialect.tableName(entity.table.name)) (\(names)) VALUES (\(places))", values)
  }

  private func insertPairs(of owner: PlannerObject, _ name: String) throws {
    let entity = try graph.fixture.model.entity(named: "Person")
    guard let relationship = entity.relationship(named: name),
      case .joinTable(let table, let source, let destination, _) = schema.tables.entity(entity).storage(
        of: relationship)
    else { throw TestServer.Failure(description: "\(name) has no table of pairs") }
    for member in owner.toMany[name] ?? [] {
      let names = [source, destination].map(schema.dialect.name).joined(separator: ", ")
      try server.run(
        "INSERT INTO \(schema.dialect.tableName(table.name)) (\(names)) VALUES ($1, $2)",
        [.integer(owner.key), .integer(member.key)])
    }
  }

  private func setOwner(of member: PlannerObject, _ owner: PlannerObject) throws {
    guard let columns = schema.tables.ownerColumns.first else { return }
    try server.run(
      "UPDATE \(schema.dialect.tableName(columns.key.table.name)) SET \(schema.dialect.name(columns.key.name)) = $1 "
        + "WHERE \(schema.dialect.name(schema.tables.systemColumns.key)) = $2",
      [.integer(owner.key), .integer(member.key)])
  }

  private static func binding(_ value: Value) -> SQLBinding {
    switch value {
    case .bool(let flag): .text(flag ? "true" : "false")
    case .int(let number): .integer(number)
    case .double(let number): .double(number)
    case .decimal(let number): .text(number.description)
    case .string(let text): .text(text)
    case .date(let date): .double(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid): .text(uuid.uuidString)
    case .uri(let uri): .text(uri.absoluteString)
    case .data(let data): .blob(Array(data))
    default: .null
    }
  }
}

extension String {
  fileprivate var integer: Int64? { Int64(self) }
}
#endif
