#if PostgreSQL
import Foundation
import Synchronization
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

/// Stores in schemas of a test's own, in the database that `GRAPHSTORE_TEST_POSTGRESQL` names; they are
/// removed with it.
final class TestStores: Sendable {
  /// Whether there is a database to test with.
  static var areThere: Bool { base != nil }

  private static let base = ProcessInfo.processInfo.environment["GRAPHSTORE_TEST_POSTGRESQL"]
    .flatMap { $0.isEmpty ? nil : $0 }

  private let prefix = "store_" + UUID().uuidString.lowercased().replacing("-", with: "_")
  private let made = Mutex<Set<Int>>([])

  init() { StoreType.registerPostgreSQL() }

  deinit {
    for number in made.withLock(\.self) {
      try? PostgreSQLStoreDriver().destroy(address(number), isForced: true, timeout: .seconds(10))
    }
  }

  /// The address of the store of a number.
  func address(_ number: Int = 0) -> String {
    made.withLock { _ = $0.insert(number) }
    let base = Self.base ?? "postgresql://"
    let schema = "\(prefix)_\(number)"
    return base + (base.contains("?") ? "&" : "?") + "schema=\(schema)&application_name=\(schema)"
  }

  static var options: StoreOptions {
    var options = StoreOptions(timeout: .seconds(10))
    options.type = .postgreSQL
    return options
  }

  /// A coordinator with the store of a number, which is made where there is none.
  func coordinator(
    _ model: ManagedObjectModel, _ number: Int = 0, options: StoreOptions = TestStores.options
  ) throws -> PersistentStoreCoordinator {
    let coordinator = PersistentStoreCoordinator(model: model)
    try coordinator.addStore(at: address(number), options: options)
    return coordinator
  }

  /// Runs a statement over a connection of its own, in the schema of a store.
  @discardableResult
  func run(_ sql: String, _ number: Int = 0) throws -> PostgreSQLCursor {
    let address = try PostgreSQLAddress(address(number))
    let connection = try PostgreSQLConnection(address, timeout: .seconds(10), stop: StopFlag())
    connection.precede(with: "SET search_path TO \(PostgreSQLName.quoted(address.schema))")
    return try connection.run(sql)
  }
}

extension TestStores {
  /// Makes an empty store of a model whose entities have the numbers that they have in the first store.
  func makeTwin(_ model: ManagedObjectModel, as number: Int) throws {
    let (first, address) = try (PostgreSQLAddress(address()), PostgreSQLAddress(address(number)))
    let connection = try PostgreSQLConnection(first, timeout: .seconds(10), stop: StopFlag())
    let stored = StoredEntities(model)
    let schema = try PostgreSQLSchema(
      stored, named: address.schema,
      entityNumbers: PostgreSQLStore.contents(connection, first).entityNumbers)
    let statements =
      try ["CREATE SCHEMA \(address.schema)"] + schema.statements()
      + PostgreSQLTables.creating(schema.dialect)
      + PostgreSQLHistoryTables(schema.dialect).creating(isKept: false)
    try connection.run(statements.map { .once($0) })
    let metadata = StoreMetadata(identifier: UUID(), type: .postgreSQL, stored)
    try connection.run([PostgreSQLTables.inserting(metadata, schema.dialect)])
  }

  /// What the database has in the schema of a store, but for rows of objects: a line each, without the name
  /// of the schema, so that the stores of one model have the same lines.
  func catalog(_ number: Int = 0) throws -> [String] {
    let schema = try PostgreSQLAddress(address(number)).schema
    let own = "relnamespace = '\(schema)'::regnamespace"
    let queries = [
      "SELECT relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' "
        + "|| coalesce(collname, '') || ' ' || coalesce(pg_get_expr(adbin, adrelid), '') || ' ' "
        + "|| coalesce(col_description(attrelid, attnum), '') FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
        + "LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum "
        + "LEFT JOIN pg_collation ON pg_collation.oid = attcollation "
        + "WHERE \(own) AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped",
      "SELECT relname || ': ' || coalesce(obj_description(oid, 'pg_class'), '') FROM pg_class "
        + "WHERE \(own) AND relkind IN ('r', 'v')",
      "SELECT pg_get_indexdef(oid) FROM pg_class WHERE \(own) AND relkind = 'i'",
      "SELECT pg_get_viewdef(oid) FROM pg_class WHERE \(own) AND relkind = 'v'",
      "SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint "
        + "WHERE connamespace = '\(schema)'::regnamespace",
      "SELECT CASE prokind WHEN 'a' THEN proname::text ELSE pg_get_functiondef(oid) END FROM pg_proc "
        + "WHERE pronamespace = '\(schema)'::regnamespace",
      "SELECT number || ' ' || name || ' ' || coalesce(parent, 0) FROM graphstore_entities",
    ]
    return try queries.flatMap { query -> [String] in
      let rows = try run(query, number)
      var lines: [String] = []
      while try rows.step() { lines.append(rows.string(at: 0).replacing(schema, with: "")) }
      return lines.sorted()
    }
  }

  /// The names of the schemas that begin with that of the first store.
  private func names() throws -> [String] {
    let schema = try PostgreSQLAddress(address()).schema
    let rows = try run(
      "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE '\(schema.replacing("_", with: "\\_"))%' ORDER BY 1"
    )
    var names: [String] = []
    while try rows.step() { names.append(rows.string(at: 0)) }
    return names
  }

  /// The number of the schemas that begin with that of the first store: 1 where nothing is left beside it.
  func schemas() throws -> Int { try names().count }

  /// The addresses of the stores that were kept beside the first one.
  func backups() throws -> [String] {
    let address = try PostgreSQLAddress(address())
    return try names().filter { $0 != address.schema }.map(address.text(ofSchema:))
  }
}

extension TestStores {
  /// The number of connections to the first store that wait for commits.
  func listeners() throws -> Int {
    let rows = try run(
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND pid IN "
        + "(SELECT pid FROM pg_stat_activity WHERE application_name = current_setting('application_name'))")
    return try rows.step() ? Int(rows.int64(at: 0)) : 0
  }
}

extension PersistentStoreCoordinator {
  /// The first store's handle.
  var postgreSQLStore: PostgreSQLStore {
    get throws { try #require(firstStore as? PostgreSQLStore) }
  }
}

/// The code of what a body throws; nil where it throws nothing.
func code(_ body: () throws -> Any) -> GraphStoreError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? GraphStoreError)?.code
  }
}

/// Staff with everything that a store has to keep.
enum StaffModel {
  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(
        ModelDefinition(name: "Staff", entities: [department, employee, project]))
    } catch {
      fatalError("\(error)")
    }
  }()

  private static let department = EntityDefinition(
    "Department",
    attributes: [
      AttributeDefinition("name", .string),
      AttributeDefinition("headcount", .int64, derivation: "employees.@count"),
    ],
    relationships: [
      RelationshipDefinition("employees", to: "Employee", inverse: "department", isToMany: true)
    ],
    uniquenessConstraints: [["name"]])

  private static let employee = EntityDefinition(
    "Employee",
    attributes: [
      AttributeDefinition("name", .string), AttributeDefinition("salary", .decimal),
      AttributeDefinition("age", .int16), AttributeDefinition("count", .int64),
      AttributeDefinition("ratio", .double), AttributeDefinition("share", .float),
      AttributeDefinition("hired", .date), AttributeDefinition("isActive", .boolean),
      AttributeDefinition("photo", .binary), AttributeDefinition("file", .binary, externalStorage: true),
    ],
    relationships: [
      RelationshipDefinition("department", to: "Department", inverse: "employees"),
      RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true),
    ])

  private static let project = EntityDefinition(
    "Project", attributes: [AttributeDefinition("title", .string)],
    relationships: [RelationshipDefinition("members", to: "Employee", inverse: "projects", isToMany: true)])
}
#endif
