import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Statements of the planner, run")
struct PlannerExecutionTests {
  let fixture: PlannerFixture

  init() throws {
    fixture = try PlannerFixture()
    func number(_ name: String) throws -> Int {
      fixture.schema.entity(try fixture.model.entity(named: name)).number
    }
    let person = try number("Person")
    let employee = try number("Employee")
    let boss = try number("Boss")
    let department = try number("Department")
    let tag = try number("Tag")
    try fixture.connection.execute(
      """
      INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBUDGET, ZHEAD) VALUES
        (1, \(department), 1, 'Sales', 10, 1), (2, \(department), 1, NULL, NULL, NULL),
        (3, \(department), 1, '', 5, 4);
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE, ZMANAGER, ZDEPARTMENT) VALUES
        (1, \(boss), 1, 'Ann', 50, NULL, 1), (2, \(employee), 1, 'Bob', 20, 1, 1),
        (3, \(person), 1, NULL, NULL, 1, 2),
        (4, \(employee), 1, 'a%_*', 30, 2, NULL), (5, \(person), 1, '', 0, NULL, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZWEIGHT) VALUES
        (1, \(tag), 1, 'red', 1), (2, \(tag), 1, NULL, 2), (3, \(tag), 1, 'blue', NULL);
      """)
    guard
      case .toOne(let key, let tag?, _) = fixture.schema.entity(try fixture.model.entity(named: "Person"))
        .storage(
          of: try #require(try fixture.model.entity(named: "Person").relationship(named: "manager")))
    else { return }
    try fixture.connection.execute(
      """
      UPDATE ZPERSON SET \(tag.name) =
        (SELECT boss.Z_ENT FROM ZPERSON AS boss WHERE boss.Z_PK = ZPERSON.\(key.name))
      """)
    guard
      case .joinTable(let table, let source, let destination, _) = fixture.schema.entity(
        try fixture.model.entity(named: "Person")
      ).storage(of: try #require(try fixture.model.entity(named: "Person").relationship(named: "tags")))
    else { return }
    try fixture.connection.execute(
      "INSERT INTO \(table.name) (\(source), \(destination)) VALUES (1, 1), (1, 3), (2, 2), (4, 1)")
  }

  @Test(
    "PRD-084 to PRD-091: nil is unknown",
    arguments: [
      ("age != 20", [1, 4, 5]), ("NOT age == 20", [1, 4, 5]), ("age == nil", [3]),
      ("age != nil", [1, 2, 4, 5]),
      ("age IN {20, nil}", [2, 3]), ("NOT age IN {20, nil}", [1, 4, 5]), ("NOT age IN {20}", [1, 4, 5]),
      ("NOT age IN {}", [1, 2, 3, 4, 5]), ("age BETWEEN {20, 30}", [2, 4]),
      ("NOT age BETWEEN {nil, 30}", [1]), ("manager.name == nil", [1, 5]),
      ("age > 20 OR name == nil", [1, 3, 4]),
    ])
  func missing(predicate: String, expected: [Int64]) throws {
    #expect(try fixture.found("Person", predicate) == expected)
  }

  @Test(
    "PRD-102, PRD-103: texts",
    arguments: [
      ("name BEGINSWITH ''", []), ("NOT name BEGINSWITH ''", [1, 2, 4, 5]), ("name LIKE '*'", [1, 2, 4, 5]),
      ("name CONTAINS ''", []), ("name CONTAINS '%_'", [4]), ("name ENDSWITH '*'", [4]),
      ("name BEGINSWITH 'a'", [4]), ("name LIKE 'A*'", [1]), ("name LIKE 'a%_\\\\*'", [4]),
      ("name.length == 0", [5]), ("'Anna' CONTAINS name", [1]),
    ])
  func texts(predicate: String, expected: [Int64]) throws {
    #expect(try fixture.found("Person", predicate) == expected)
  }

  @Test(
    "PRD-134, PRD-135, PRD-145: quantifiers",
    arguments: [
      ("ANY tags.name == 'red'", [1, 4]), ("ALL tags.name == 'red'", [3, 4, 5]),
      ("NONE tags.name == 'red'", [2, 3, 5]), ("tags.@count == 0", [3, 5]), ("tags.@count >= 2", [1]),
      ("ANY tags.name == nil", [2]), ("tags.@sum.weight == 0", [3, 5]), ("tags.@max.weight == 2", [2]),
      ("ANY reports.tags.name == 'red'", [2]), ("SUBQUERY(reports, $r, $r.age == nil).@count == 1", [1]),
      ("SUBQUERY(reports, $r, $r.age > age).@count > 0", [2]), ("reports CONTAINS 'Person/p2'", [1]),
      ("tags CONTAINS 'Tag/p1'", [1, 4]), ("department.members CONTAINS 'Person/p2'", [1, 2]),
      ("ANY department.members.age == 20", [1, 2]), ("department.members[SIZE] == nil", [4, 5]),
      ("department.members[SIZE] >= 2", [1, 2]), ("department.members.@count == 0", [4, 5]),
    ])
  func quantifiers(predicate: String, expected: [Int64]) throws {
    #expect(try fixture.found("Person", predicate) == expected)
  }

  @Test(
    "PRD-286, PRD-287: entities",
    arguments: [
      ("entity == 'Employee'", [2, 4]), ("entity.name != 'Employee'", [1, 3, 5]),
      ("entity IN {'Boss', 'Person'}", [1, 3, 5]), ("manager.entity == 'Boss'", [2, 3]),
      ("budget == nil", [1, 2, 3, 4, 5]),
      ("SELF == 'Person/p2'", [2]), ("manager IN {'Person/p2', nil}", [1, 4, 5]),
      ("department.head == SELF", [1]),
    ])
  func entities(predicate: String, expected: [Int64]) throws {
    #expect(try fixture.found("Person", predicate) == expected)
  }

  @Test("PRD-237: chains of 10,000 comparisons run")
  func longChains() throws {
    let or = (0..<10_000).map { "age < \(-$0)" }.joined(separator: " OR ") + " OR age == 20"
    #expect(try fixture.found("Person", or) == [2])
    let equal = (0..<10_000).map { "age == \($0)" }.joined(separator: " OR ")
    let plan = try fixture.plan("Person", equal)
    #expect(plan.bindings.count == 1)
    #expect(try fixture.keys(plan).sorted() == [1, 2, 4, 5])
    let and = (100..<10_100).map { "age != \($0)" }.joined(separator: " AND ")
    #expect(try fixture.found("Person", and) == [1, 2, 4, 5])
  }

  @Test("PRD-153: an object of another store and an unsaved one match nothing")
  func foreignObjects() throws {
    let person = try fixture.model.entity(named: "Person")
    let other = PlannerFixture.store(2, of: fixture.model)
    for (scope, key) in [(other, Int64(1)), (fixture.scope, -1)] {
      let reference = ObjectReference(ManagedObjectID(scope: scope, entityIndex: person.index, key: key))
      let request = FetchRequest(
        entityName: "Person", predicate: .compare(.key("manager"), .equal, .constant(reference)))
      let planner = SQLPlanner(
        schema: fixture.schema, dialect: SQLiteDialect(), storeUUID: fixture.scope.uuid)
      #expect(try fixture.keys(try planner.plan(request.storeRequest(.identifiers))).isEmpty)
    }
  }

  @Test("PRD-251, PRD-227: decimals are ordered exactly, long ones too")
  func decimalOrder() throws {
    let sorted = [
      "-99999999999999999999.9", "-12.5", "0", "0.00000000000000012345", "0.1", "0.1000000000000000000001",
      "12.5",
      "1000000000000000", "1234567890123456", "12345678901234567890.123", "12345678901234567890.124",
    ]
    let number = fixture.schema.entity(try fixture.model.entity(named: "Guest")).number
    for (place, text) in sorted.enumerated() {
      let key = 100 + (place * 7) % sorted.count
      try fixture.connection.withStatement(
        "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZAGE, ZPRICE) VALUES (\(key), \(number), 1, \(place), ?1)"
      ) { statement in
        try fixture.bind([StoredDecimal.binding(PlannerValues.decimal(text))], to: statement)
        _ = try statement.step()
      }
    }
    let byPrice = [QuerySortDescriptor(keyPath: QueryKeyPath(steps: [.key("price")]))]
    let plan = try fixture.plan("Guest", sort: byPrice, output: .fields(["age"]))
    #expect(plan.isSortedByStore)
    let places = try fixture.connection.withStatement(plan.sql) { statement in
      var places: [Int64] = []
      while try statement.step() { places.append(statement.int64(at: 2)) }
      return places
    }
    #expect(places == sorted.indices.map(Int64.init))
  }

  @Test("PRD-223: nil comes first when ascending and last when descending")
  func nilInOrder() throws {
    func descriptor(_ key: String, _ ascending: Bool) -> QuerySortDescriptor {
      QuerySortDescriptor(keyPath: QueryKeyPath(steps: [.key(key)]), ascending: ascending)
    }
    #expect(try fixture.keys(try fixture.plan("Person", sort: [descriptor("age", true)])) == [3, 5, 2, 4, 1])
    #expect(
      try fixture.keys(try fixture.plan("Person", sort: [descriptor("age", false)])) == [1, 4, 2, 5, 3])
  }
}

@Suite("Outputs of the planner")
struct PlannerOutputTests {
  let fixture: PlannerFixture

  init() throws {
    fixture = try PlannerFixture()
  }

  @Test("A field of a to-one is its key and its entity's number, of an attribute its column")
  func fields() throws {
    let plan = try fixture.plan(
      "Person",
      output: .fields(["name", "manager", "department", "department.name", "tags.@count", "objectID", "mood"])
    )
    #expect(plan.fields.map(\.column) == [2, 3, 5, 7, 8, 9, 11])
    #expect(
      plan.sql
        == "SELECT t0.Z_PK, t0.Z_ENT, t0.ZNAME, t0.ZMANAGER, t0.Z2_MANAGER, t0.ZDEPARTMENT, NULL, t1.ZNAME, "
        + "(SELECT COUNT(*) FROM Z_2TAGS AS t2 WHERE t2.Z_2PEOPLE = t0.Z_PK), t0.Z_PK, t0.Z_ENT, NULL "
        + "FROM ZPERSON AS t0 LEFT JOIN ZDEPARTMENT AS t1 ON t1.Z_PK = t0.ZDEPARTMENT")
    guard case .inMemory = plan.fields[6].kind, case .toOne = plan.fields[1].kind,
      case .count = plan.fields[4].kind
    else {
      Issue.record("a field has another kind")
      return
    }
  }

  @Test("FET-058: limit and offset apply to what is counted")
  func count() throws {
    #expect(try fixture.plan("Tag", output: .count).sql == "SELECT COUNT(*) FROM ZTAG AS t0")
    #expect(
      try fixture.plan("Tag", limit: 3, output: .count).sql
        == "SELECT COUNT(*) FROM (SELECT 1 FROM ZTAG AS t0 ORDER BY t0.Z_PK LIMIT ?1 OFFSET ?2)")
  }

  @Test("A count with a part for memory asks for the rows")
  func countWithResidual() throws {
    let plan = try fixture.plan("Tag", "random:(weight) == 1", output: .count)
    guard case .rows = plan.output else {
      Issue.record("the rows are needed")
      return
    }
    #expect(plan.sql == "SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZWEIGHT, t0.ZNAME FROM ZTAG AS t0")
  }

  @Test("FET-018: a request that refuses memory fails before anything is read")
  func refused() throws {
    var request = FetchRequest(
      entityName: "Tag",
      predicate: try fixture.checked(QueryPredicate(parsing: "random:(weight) == 1"), of: "Tag"))
    request.inMemoryEvaluation = .refused
    let error = try #require(throws: GraphStoreError.self) {
      _ = try SQLPlanner(schema: fixture.schema, dialect: SQLiteDialect()).plan(
        request.storeRequest(.rows))
    }
    #expect(error.code == .unsupportedInStore)
    #expect(error.message.contains("random:(weight)"))
  }

  @Test("PRD-244: a prefix, a comparison and a list use the index on the column")
  func indexes() throws {
    try fixture.connection.execute("CREATE INDEX I1 ON ZTAG (ZNAME); CREATE INDEX I2 ON ZTAG (ZWEIGHT)")
    for predicate in [
      "name BEGINSWITH 'a'", "name LIKE[n] 'a*'", "name == 'a'", "weight > 3", "weight IN {1, 2}",
      "name IN {'a', 'b'}", "weight BETWEEN {1, 2}", "name == nil",
    ] {
      let plan = try fixture.plan("Tag", predicate)
      let detail = try fixture.connection.withStatement("EXPLAIN QUERY PLAN " + plan.sql) { statement in
        var text = ""
        while try statement.step() { text += (statement.string(at: 3) ?? "") + "\n" }
        return text
      }
      #expect(
        detail.contains("USING INDEX I") || detail.contains("USING COVERING INDEX I"),
        "\(predicate): \(detail)")
    }
  }
}
