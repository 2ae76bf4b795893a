#if PostgreSQL
import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Schemas of PostgreSQL stores")
struct PostgreSQLSchemaTests {
  private static let company = ModelDefinition(
    name: "Company",
    entities: [
      EntityDefinition(
        "Employee",
        attributes: [
          AttributeDefinition("firstName", .string, userInfo: ["comment": .string("It's the given name")]),
          AttributeDefinition("age", .int16), AttributeDefinition("level", .int32),
          AttributeDefinition("salary", .decimal), AttributeDefinition("ratio", .float),
          AttributeDefinition("active", .boolean), AttributeDefinition("born", .date),
          AttributeDefinition("token", .uuid), AttributeDefinition("homePage", .uri),
          AttributeDefinition("photo", .binary), AttributeDefinition("order", .int64),
        ],
        relationships: [
          RelationshipDefinition("manager", to: "Employee", inverse: "reports"),
          RelationshipDefinition(
            "reports", to: "Employee", inverse: "manager", isToMany: true, isOrdered: true),
          RelationshipDefinition(
            "projects", to: "Project", inverse: "members", isToMany: true, isOrdered: true),
          RelationshipDefinition("friends", to: "Employee", inverse: "friends", isToMany: true),
          RelationshipDefinition("prizes", to: "Prize", isToMany: true),
          RelationshipDefinition("desk", to: "Desk"),
          RelationshipDefinition("office", to: "Office", inverse: "people"),
        ],
        indexes: [
          IndexDefinition("byName", elements: [.init("firstName"), .init("born", order: .descending)])
        ],
        uniquenessConstraints: [["token"]]),
      EntityDefinition("Boss", parent: "Employee", attributes: [AttributeDefinition("bonus", .double)]),
      EntityDefinition(
        "Project", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("members", to: "Employee", inverse: "projects", isToMany: true)
        ]),
      EntityDefinition("Prize", attributes: [AttributeDefinition("name", .string)]),
      EntityDefinition("Desk", attributes: [AttributeDefinition("number", .int32)]),
      EntityDefinition(
        "Office", attributes: [AttributeDefinition("city", .string)],
        relationships: [
          RelationshipDefinition(
            "people", to: "Employee", inverse: "office", isToMany: true, deleteRule: .noAction)
        ]),
    ])

  private func schema(_ definition: ModelDefinition, named name: String = "company") throws
    -> PostgreSQLSchema
  {
    PostgreSQLSchema(StoredEntities(try ManagedObjectModel(definition)), named: name)
  }

  @Test("STO-380, STO-382, STO-384, STO-385: tables have names of the model and native types")
  func tables() throws {
    let statements = try schema(Self.company).statements()
    func expect(_ text: String) {
      #expect(statements.contains(text), "\(text)\n\n\(statements.joined(separator: "\n"))")
    }
    expect(
      """
      CREATE TABLE company.employee (object_id bigint NOT NULL, object_entity integer NOT NULL, \
      object_version bigint NOT NULL DEFAULT 1, active boolean, age smallint, level integer, "order" bigint, \
      desk_id bigint, manager_id bigint, manager_entity integer, office_id bigint, manager_position bigint, \
      born double precision, ratio real, salary numeric, bonus double precision, first_name text COLLATE "C", \
      home_page text COLLATE "C", token uuid, photo bytea, CONSTRAINT employee_pkey PRIMARY KEY (object_id))
      """)
    expect(
      """
      CREATE TABLE company.employee_projects (employee_id bigint NOT NULL, project_id bigint NOT NULL, \
      projects_position bigint, CONSTRAINT employee_projects_pkey PRIMARY KEY (employee_id, project_id))
      """)
    expect(
      """
      CREATE TABLE company.employee_friends (employee_id bigint NOT NULL, friends_id bigint NOT NULL, \
      CONSTRAINT employee_friends_pkey PRIMARY KEY (employee_id, friends_id))
      """)
    expect(
      "CREATE INDEX employee_by_name_idx ON company.employee (first_name NULLS FIRST, born DESC NULLS LAST)")
    expect("CREATE UNIQUE INDEX employee_token_key ON company.employee (token NULLS FIRST)")
    expect(
      """
      COMMENT ON COLUMN company.employee.first_name IS 'Employee.firstName: It''s the given name'
      """)
  }

  @Test("STO-383: references have foreign keys, but those that a delete rule may leave behind")
  func references() throws {
    let statements = try schema(Self.company).statements()
    let keys = statements.filter { $0.contains("FOREIGN KEY") }
    #expect(keys.allSatisfy { $0.hasSuffix("DEFERRABLE INITIALLY DEFERRED") })
    func isReferenced(_ column: String) -> Bool { keys.contains { $0.contains("FOREIGN KEY (\(column))") } }
    #expect(isReferenced("manager_id") && isReferenced("employee_prizes_id") && isReferenced("project_id"))
    #expect(!isReferenced("desk_id") && !isReferenced("office_id"))
  }

  @Test("STO-385: views show the objects of an entity as people read them", .enabled(if: TestServer.isThere))
  func views() throws {
    let server = try made(Self.company)
    let schema = server.schema
    try server.run(
      "INSERT INTO \(schema).employee (object_id, object_entity, born, first_name) VALUES (1, 3, 0.5, 'Ada'), "
        + "(2, 1, 1e18, 'Bob')")
    try server.run("UPDATE \(schema).employee SET manager_id = 1, manager_entity = 3 WHERE object_id = 2")
    let names = try server.run("SELECT number, name FROM \(schema).graphstore_entities ORDER BY name")
    #expect(names.map { $0[1] } == ["Boss", "Desk", "Employee", "Office", "Prize", "Project"])
    let bosses = try #require(names.first { $0[1] == "Boss" }?[0])
    try server.run("UPDATE \(schema).employee SET object_entity = \(bosses) WHERE object_id = 1")
    try server.run("UPDATE \(schema).employee SET manager_entity = \(bosses) WHERE object_id = 2")
    let employee = try #require(names.first { $0[1] == "Employee" }?[0])
    try server.run("UPDATE \(schema).employee SET object_entity = \(employee) WHERE object_id = 2")
    let rows = try server.run(
      "SELECT object_id, object_entity, first_name, born AT TIME ZONE 'UTC', manager_entity "
        + "FROM \(schema).employee_view ORDER BY object_id")
    #expect(
      rows == [["1", "Boss", "Ada", "2001-01-01 00:00:00.5", nil], ["2", "Employee", "Bob", nil, "Boss"]])
    #expect(try server.run("SELECT first_name FROM \(schema).boss_view") == [["Ada"]])
    let comment = try server.run(
      "SELECT col_description('\(schema).employee'::regclass, attnum) FROM pg_attribute "
        + "WHERE attrelid = '\(schema).employee'::regclass AND attname = 'first_name'")
    #expect(comment == [["Employee.firstName: It's the given name"]])
  }

  @Test("STO-383: a reference to a row that is gone ends the transaction", .enabled(if: TestServer.isThere))
  func dangling() throws {
    let server = try made(Self.company)
    try server.run("BEGIN")
    try server.run(
      "INSERT INTO \(server.schema).employee (object_id, object_entity, manager_id) VALUES (1, 1, 7)")
    #expect(throws: TestServer.Failure.self) { try server.run("COMMIT") }
  }

  @Test(
    "STO-384, PRD-244, PRD-245: comparisons and orders of an indexed key read the index",
    .enabled(if: TestServer.isThere),
    arguments: [
      ("firstName == 'Ada'", nil), ("firstName BEGINSWITH 'A'", nil), ("firstName LIKE 'A*'", nil),
      ("firstName IN {'Ada', 'Bob'}", nil), ("firstName > 'C' AND firstName <= 'D'", nil),
      ("firstName == nil", nil), ("token == '5C0F7B1A-0000-4000-8000-00000000000F'", nil),
      ("manager == nil", nil), ("manager.firstName == 'Ada'", nil), (nil, "firstName"),
      (nil, "firstName,-born"),
      (nil, "-firstName"), (nil, "objectID"),
    ] as [(String?, String?)])
  func indexes(predicate: String?, sort: String?) throws {
    let model = try ManagedObjectModel(Self.company)
    let server = try made(Self.company)
    try server.run("SET enable_seqscan = off")
    let entity = try model.entity(named: "Employee")
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.predicate = try predicate.map {
      try PredicateTypeChecker(entity: entity).check(QueryPredicate(parsing: $0))
    }
    request.sortDescriptors = try sort.map { try QuerySortDescriptor.list(parsing: $0) } ?? []
    let schema = PostgreSQLSchema(StoredEntities(model), named: server.schema)
    let plan = try SQLPlanner(schema: schema.tables, dialect: schema.dialect).plan(
      request.storeRequest(.rows))
    let steps = try server.run("EXPLAIN (COSTS OFF) " + plan.sql, plan.bindings).compactMap { $0[0] }
    let text = steps.joined(separator: "\n")
    #expect(text.contains("Index") && !text.contains("Seq Scan on employee t0"), "\(plan.sql)\n\(text)")
    if sort != nil {
      #expect(!steps.contains { $0.hasSuffix(" Sort") && !$0.contains("Incremental") }, "\(text)")
    }
  }

  @Test("PRD-233: the server takes every statement of a store", .enabled(if: TestServer.isThere))
  func statements() throws {
    let model = try ManagedObjectModel(Self.company)
    let server = try TestServer()
    let schema = PostgreSQLSchema(StoredEntities(model), named: server.schema)
    for statement in try schema.statements() { try server.run(statement) }
    let layout = ModelLayout(model)
    let statements = SQLStatements(schema: schema.tables, layout: layout, dialect: schema.dialect)
    for root in layout.entities where root.entity.superentity == nil {
      let stored = schema.tables.entities[root.index]
      try server.prepare(statements.rowByKey(root))
      try server.prepare(statements.rowsByKeys(root))
      try server.prepare(statements.entityNumber(stored.table))
      try server.prepare(statements.greatestKeys(stored.table))
      try server.prepare(statements.versions(stored.table))
      try server.prepare(statements.raiseVersions(stored.table))
      try server.prepare(statements.missing(stored.table))
      try server.prepare(statements.insert(stored, rows: 2))
      try server.prepare(statements.update(stored, statements.writtenColumns(stored)))
      try server.prepare(statements.delete(from: stored.table.name, where: "object_id", .range))
      for relationship in root.relationships {
        if let text = statements.members(relationship, .list) { try server.prepare(text) }
        if let text = statements.memberRows(relationship, in: layout.entities[relationship.destination], .one)
        {
          try server.prepare(text)
        }
        if let order = SQLOrderColumns(relationship.description, in: schema.tables) {
          try server.prepare(statements.greatestOrder(order))
          try server.prepare(statements.orderedMembers(order, isListed: true))
          try server.prepare(statements.setOrder(order, keepingStored: true))
        }
      }
    }
    try server.prepare(statements.countedKey)
    try server.prepare(statements.reserveKeys)
    for pairs in schema.tables.joinTables {
      try server.prepare(statements.insertPair(into: pairs.name, pairs.source, pairs.destination))
      try server.prepare(statements.deletePair(from: pairs.name, pairs.source, pairs.destination))
    }
    for owned in schema.tables.ownerColumns {
      try server.prepare(statements.addMember(owner: owned.key, order: owned.order))
      try server.prepare(statements.removeMember(owner: owned.key, order: owned.order))
      try server.prepare(statements.formerOwners(owned.key))
    }
  }

  @Test(
    "STO-381: hostile names make a schema", .enabled(if: TestServer.isThere), arguments: TestSeed.sequence(20)
  )
  func hostileNames(seed: TestSeed) throws {
    var random = seed.generator
    let definition = HostileModel.definition(&random)
    let server = try made(definition, named: "We\"ird schema \(UUID().uuidString)")
    let model = try ManagedObjectModel(definition)
    let schema = PostgreSQLSchema(StoredEntities(model), named: server.schema)
    for table in schema.tables.tables {
      let found = try server.run(
        "SELECT attname FROM pg_attribute WHERE attrelid = \(PostgreSQLName.literal(schema.dialect.tableName(table.name)))"
          + "::regclass AND attnum > 0 ORDER BY attnum")
      #expect(found.compactMap { $0[0] } == schema.tables.systemColumns.all + table.columns.map(\.name))
    }
  }

  /// The models of the repository, and those of apps where they lie beside it.
  private static let models: [String] = {
    let own = ["Models/company.json", "Models/packages.json", "Benchmarks/models/searches.json"].map {
      Repository.root.appending(path: $0).path
    }
    guard let folder = Repository.sharedData("apple/models"),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return own }
    return own + names.filter { $0.contains(".xcdatamodel") }.sorted().map { folder.appending(path: $0).path }
  }()

  @Test(
    "STO-380, STO-382: the models of apps make schemas", .enabled(if: TestServer.isThere), arguments: models)
  func realModels(path: String) throws {
    let model = try ManagedObjectModel(contentsOf: path)
    let server = try TestServer()
    let schema = PostgreSQLSchema(StoredEntities(model), named: server.schema)
    for statement in try schema.statements() { try server.run(statement) }
    for entity in model.entities {
      let plan = try SQLPlanner(schema: schema.tables, dialect: schema.dialect).plan(
        FetchRequest<ManagedObject>(entityName: entity.name).storeRequest(.rows))
      #expect(try server.run(plan.sql, plan.bindings).isEmpty)
    }
    for view in schema.viewNames() {
      #expect(try server.run("SELECT * FROM \(schema.dialect.tableName(view.view))").isEmpty)
    }
  }

  @Test(
    "STO-384: indexes of expressions are there that the server computes, and others are left out",
    .enabled(if: TestServer.isThere))
  func computedIndexes() throws {
    let definition = ModelDefinition(
      name: "Computed",
      entities: [
        EntityDefinition(
          "Person",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("born", .date),
            AttributeDefinition("age", .int32),
          ],
          indexes: [
            IndexDefinition("byFoldedName", elements: [.init(expression: "canonical:(name)")]),
            IndexDefinition("byYear", elements: [.init(expression: "year:(born)")]),
            IndexDefinition("byNextAge", elements: [.init(expression: "age + 1"), .init("name")]),
            IndexDefinition("adults", elements: [.init("name")], predicate: "age >= 18"),
          ])
      ])
    let server = try made(definition)
    let names = try server.run(
      "SELECT indexname FROM pg_indexes WHERE schemaname = '\(server.schema)' ORDER BY indexname")
    #expect(
      names.compactMap { $0[0] }.filter { $0.hasPrefix("person_") } == [
        "person_adults_idx", "person_by_next_age_idx", "person_by_year_idx", "person_pkey",
      ])
    try server.run("SET enable_seqscan = off")
    let model = try ManagedObjectModel(definition)
    let schema = PostgreSQLSchema(StoredEntities(model), named: server.schema)
    let planner = SQLPlanner(
      schema: schema.tables, dialect: schema.dialect,
      indexedForms: IndexExpressionMatcher(schema.tables, schema.dialect))
    for (text, index) in [
      ("year:(born) == 1999", "by_year"), ("age + 1 == 3", "by_next_age"),
      ("age >= 18 AND name == 'Ada'", "adults"),
    ] {
      var request = FetchRequest<ManagedObject>(entityName: "Person")
      request.predicate = try PredicateTypeChecker(entity: try model.entity(named: "Person")).check(
        QueryPredicate(parsing: text))
      let plan = try planner.plan(request.storeRequest(.rows))
      let steps = try server.run("EXPLAIN (COSTS OFF) " + plan.sql, plan.bindings).compactMap { $0[0] }
      #expect(steps.contains { $0.contains("person_\(index)_idx") }, "\(plan.sql)\n\(steps)")
    }
  }

  @Test("STO-381: a schema of the same model has the same names")
  func stability() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<10 {
      let definition = HostileModel.definition(&random)
      #expect(try schema(definition).statements() == schema(definition).statements())
    }
  }

  private func made(_ definition: ModelDefinition, named name: String? = nil) throws -> TestServer {
    let server = try name.map { try TestServer(schema: $0) } ?? TestServer()
    for statement in try schema(definition, named: server.schema).statements() { try server.run(statement) }
    return server
  }
}

/// Models whose names are words of SQL, too long, names of the server, or one name to people.
private enum HostileModel {
  private static let long = String(repeating: "remarkably", count: 7)
  private static let entities = [
    "User", "Order", "Select", "Table", "Graphstore_Metadata", "GraphstoreEntities", "OrderItem",
    "Order_Item", long, long + "X", "Group", "Values", "Pg_class",
  ]
  private static let properties = [
    "user", "select", "order", "objectVersion", "object_entity", "fooBar", "foo_bar",
    "manager_id",
    "ctid", "xmin", "tableoid", "oid", "value", "left", "natural", long, long + "A", long + "B",
    "boss",
    "bossId", "boss_id", "bossEntity", "x1",
  ]

  static func definition(_ random: inout SeededGenerator) -> ModelDefinition {
    let names = Array(entities.shuffled(using: &random).prefix(6))
    var definitions: [EntityDefinition] = []
    for (place, name) in names.enumerated() {
      let picked = Array(properties.shuffled(using: &random).prefix(12))
      let types: [AttributeType] = [
        .string, .int16, .int32, .int64, .date, .decimal, .uuid, .boolean, .binary, .uri,
      ]
      let attributes = picked.prefix(9).map { AttributeDefinition($0, random.pick(types)) }
      let parent = place > 0 && random.chance(30) ? names[0] : nil
      let own = parent == nil ? attributes : []
      var relationships: [RelationshipDefinition] = []
      if parent == nil {
        relationships = picked.suffix(3).enumerated().map { index, property in
          RelationshipDefinition(property, to: random.pick(names), isToMany: index > 0, isOrdered: index > 1)
        }
      }
      definitions.append(
        EntityDefinition(name, parent: parent, attributes: own, relationships: relationships))
    }
    return ModelDefinition(name: "Hostile", entities: definitions)
  }
}
#endif
