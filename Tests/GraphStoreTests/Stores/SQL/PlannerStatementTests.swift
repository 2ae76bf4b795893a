import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Statements of the planner")
struct PlannerStatementTests {
  let fixture: PlannerFixture

  init() throws {
    fixture = try PlannerFixture()
  }

  @Test(
    "PRD-238, PRD-244: comparisons and nil tests stand on the plain column",
    arguments: [
      ("budget == 5", "ZDEPARTMENT AS t0 WHERE t0.ZBUDGET = ?1"),
      ("budget != 5", "ZDEPARTMENT AS t0 WHERE t0.ZBUDGET <> ?1"),
      ("5 < budget", "ZDEPARTMENT AS t0 WHERE t0.ZBUDGET > ?1"),
      ("budget == nil", "ZDEPARTMENT AS t0 WHERE t0.ZBUDGET IS NULL"),
      ("budget != nil", "ZDEPARTMENT AS t0 WHERE t0.ZBUDGET IS NOT NULL"),
      ("budget BETWEEN {1, 2}", "ZDEPARTMENT AS t0 WHERE (t0.ZBUDGET >= ?1) AND (t0.ZBUDGET <= ?2)"),
      ("name BEGINSWITH 'ab'", "ZDEPARTMENT AS t0 WHERE (t0.ZNAME >= ?1) AND (t0.ZNAME < ?2)"),
      ("name LIKE 'ab*'", "ZDEPARTMENT AS t0 WHERE (t0.ZNAME >= ?1) AND (t0.ZNAME < ?2)"),
      ("name LIKE 'ab'", "ZDEPARTMENT AS t0 WHERE t0.ZNAME = ?1"),
      ("noindex:(budget) == 5", "ZDEPARTMENT AS t0 WHERE (+t0.ZBUDGET) = ?1"),
      ("NOT budget > 5 OR name == 'a'", "ZDEPARTMENT AS t0 WHERE (NOT (t0.ZBUDGET > ?1)) OR (t0.ZNAME = ?2)"),
    ])
  func plain(predicate: String, expected: String) throws {
    #expect(try fixture.condition("Department", predicate) == expected)
  }

  @Test("PRD-252: dates are compared as the doubles they are stored as")
  func dates() throws {
    let plan = try fixture.plan("Person", "born > CAST(3.5, 'NSDate')")
    #expect(plan.sql.hasSuffix("ZPERSON AS t0 WHERE t0.ZBORN > ?1"))
    #expect(plan.bindings == [.timestamp(3.5)])
  }

  @Test("PRD-236: a list is one parameter")
  func list() throws {
    let plan = try fixture.plan("Department", "budget IN {1, 2, 3}")
    #expect(
      plan.sql.hasSuffix("WHERE t0.ZBUDGET IN (SELECT value FROM json_each(?1))"))
    #expect(plan.bindings == [.text("[1,2,3]")])
  }

  @Test("PRD-239: a nil in a list is a nil test")
  func listWithNil() throws {
    #expect(
      try fixture.condition("Department", "budget IN {1, nil}").hasSuffix(
        "WHERE (t0.ZBUDGET IN (SELECT value FROM json_each(?1))) OR (t0.ZBUDGET IS NULL)"))
  }

  @Test("PRD-242: uses of one path share one join, and its end needs none")
  func joins() throws {
    #expect(
      try fixture.condition("Person", "department.name == 'a' AND department.budget > 1")
        == "ZPERSON AS t0 LEFT JOIN ZDEPARTMENT AS t1 ON t1.Z_PK = t0.ZDEPARTMENT "
        + "WHERE (t1.ZNAME = ?1) AND (t1.ZBUDGET > ?2)")
    #expect(
      try fixture.condition("Person", "manager.department == nil")
        == "ZPERSON AS t0 LEFT JOIN ZPERSON AS t1 ON t1.Z_PK = t0.ZMANAGER WHERE t1.ZDEPARTMENT IS NULL")
    #expect(
      try fixture.condition("Person", "department == nil") == "ZPERSON AS t0 WHERE t0.ZDEPARTMENT IS NULL")
  }

  @Test("PRD-240, PRD-241: to-many paths become sub-selects")
  func quantifiers() throws {
    #expect(
      try fixture.condition("Department", "ANY members.age > 3")
        == "ZDEPARTMENT AS t0 WHERE EXISTS (SELECT 1 FROM ZPERSON AS t1 "
        + "WHERE (t1.ZDEPARTMENT = t0.Z_PK) AND (t1.ZAGE > ?1))")
    #expect(
      try fixture.condition("Department", "ALL members.age > 3")
        == "ZDEPARTMENT AS t0 WHERE NOT EXISTS (SELECT 1 FROM ZPERSON AS t1 "
        + "WHERE (t1.ZDEPARTMENT = t0.Z_PK) AND ((t1.ZAGE > ?1) IS NOT TRUE))")
    #expect(
      try fixture.condition("Department", "SUBQUERY(members, $m, $m.age > 3).@count == 0")
        == "ZDEPARTMENT AS t0 WHERE NOT EXISTS (SELECT 1 FROM ZPERSON AS t1 "
        + "WHERE (t1.ZDEPARTMENT = t0.Z_PK) AND (t1.ZAGE > ?1))")
    #expect(
      try fixture.condition("Department", "members.@count > 2")
        == "ZDEPARTMENT AS t0 WHERE (SELECT COUNT(*) FROM ZPERSON AS t1 "
        + "WHERE t1.ZDEPARTMENT = t0.Z_PK) > ?1")
  }

  @Test("PRD-243: membership of an object reads the join table alone")
  func membership() throws {
    let sql = try fixture.condition("Person", "tags CONTAINS 'Tag/p3'")
    #expect(!sql.contains("ZTAG "))
    #expect(sql.contains("EXISTS (SELECT 1 FROM Z_"))
    #expect(
      try fixture.condition("Person", "manager == 'Person/p3'") == "ZPERSON AS t0 WHERE t0.ZMANAGER = ?1")
    #expect(
      try fixture.condition("Person", "SELF IN {'Person/p3', 'Person/p4'}")
        == "ZPERSON AS t0 WHERE t0.Z_PK IN (SELECT value FROM json_each(?1))")
  }

  @Test("FET-046, FET-047: the order is total")
  func order() throws {
    let byName = [QuerySortDescriptor(keyPath: QueryKeyPath(steps: [.key("name")]), ascending: false)]
    #expect(
      try fixture.plan("Tag", sort: byName).sql
        == "SELECT t0.Z_PK, t0.Z_ENT FROM ZTAG AS t0 ORDER BY t0.ZNAME DESC, t0.Z_PK DESC")
    let window = try fixture.plan("Tag", limit: 5, offset: 2)
    #expect(
      window.sql == "SELECT t0.Z_PK, t0.Z_ENT FROM ZTAG AS t0 ORDER BY t0.Z_PK LIMIT ?1 OFFSET ?2")
    #expect(window.bindings == [.integer(5), .integer(2)])
  }

  @Test("PRD-231: what cannot go down is left over, and with it the window")
  func residual() throws {
    let plan = try fixture.plan("Tag", "weight > 1 AND random:(weight) == 1", limit: 5)
    #expect(plan.sql.contains("t0.ZWEIGHT > ?1"))
    #expect(plan.residual != nil)
    #expect(!plan.isWindowedByStore)
    #expect(!plan.sql.contains("LIMIT"))
  }

  @Test("PRD-250: of what is left over the cheapest comes first, and like costs keep their order")
  func residualOrder() throws {
    let plan = try fixture.plan(
      "Person",
      "ANY reports.name MATCHES name AND name MATCHES nick AND random:(age) == 1 AND random:(big) == 2")
    guard case .and(let parts)? = plan.residual else {
      Issue.record("several parts are left over")
      return
    }
    #expect(
      parts.map(\.predicateFormat) == [
        "random:(age) == 1", "random:(big) == 2", "name MATCHES nick", "ANY reports.name MATCHES name",
      ])
  }

  @Test("FET-010: sub-entities are told by their numbers")
  func subentities() throws {
    let family = [fixture.schema.entities[1].number, fixture.schema.entities[2].number].sorted()
    #expect(
      try fixture.plan("Employee").sql.hasSuffix("WHERE t0.Z_ENT IN (\(family[0]), \(family[1]))"))
    #expect(
      try fixture.plan("Employee", subentities: false).sql.hasSuffix(
        "WHERE t0.Z_ENT = \(fixture.schema.entities[1].number)"))
    #expect(!(try fixture.plan("Person").sql.contains("WHERE")))
  }
}
