import Testing

@testable import GraphStore

@Suite("Indexes on plain columns")
struct PlannerIndexTests {
  private static let bounds: [(key: String, low: String, high: String)] = [
    ("age", "1", "2"), ("big", "1", "9007199254740993"), ("score", "0.5", "2"), ("ratio", "0.5", "25.67891"),
    ("price", "0.1", "12345678901234567890.123"), ("active", "NO", "YES"),
    ("born", "CAST(0.5, 'NSDate')", "'2024-01-01'"), ("name", "'a'", "'b'"),
    ("token", "'00000000-0000-0000-0000-000000000000'", "'5C0F7B1A-0000-4000-8000-00000000000F'"),
    ("home", "'a:b'", "'x:y'"), ("photo", "CAST('AAE=', 'NSData')", "CAST('/w==', 'NSData')"),
  ]

  @Test(
    "PRD-244: equality, order, BETWEEN, IN and nil tests use the index of a column of every type",
    arguments: bounds)
  func forms(key: String, low: String, high: String) throws {
    let fixture = try PlannerFixture()
    try fixture.connection.execute("CREATE INDEX TESTED ON ZPERSON (Z\(key.uppercased()))")
    for form in [
      "\(key) == \(low)", "\(key) ==[n] \(high)", "\(key) < \(high)", "\(key) <= \(high)", "\(key) > \(low)",
      "\(low) <= \(key)", "\(key) BETWEEN {\(low), \(high)}", "\(key) IN {\(low), \(high)}",
      "\(key) IN {\(low), nil}", "\(key) == nil",
    ] {
      let plan = try fixture.plan("Person", form)
      let steps = try fixture.steps(plan)
      #expect(plan.residual == nil && steps.contains("SEARCH t0 USING"), "\(form): \(steps)")
      #expect(steps.contains("INDEX TESTED") && !steps.contains("SCAN t0"), "\(form): \(steps)")
    }
  }

  @Test(
    "PRD-244, PRD-253: a plain sort is served by an index",
    arguments: ["age", "big", "score", "ratio", "active", "born", "name", "token", "home", "photo"])
  func sorts(key: String) throws {
    let fixture = try PlannerFixture()
    try fixture.connection.execute("CREATE INDEX TESTED ON ZPERSON (Z\(key.uppercased()))")
    let plan = try fixture.plan("Person", sort: QuerySortDescriptor.list(parsing: key), limit: 3)
    let steps = try fixture.steps(plan)
    #expect(steps.contains("INDEX TESTED") && !steps.contains("B-TREE"), "\(steps)")
  }

  @Test("PRD-246: what reads every row does so whatever the indexes")
  func scans() throws {
    let fixture = try PlannerFixture()
    try fixture.connection.execute("CREATE INDEX TESTED ON ZPERSON (ZNAME)")
    for text in [
      "name ENDSWITH 'a'", "name CONTAINS 'a'", "name LIKE '*a'", "name MATCHES 'a.*'", "name ==[c] 'a'",
      "name BEGINSWITH[d] 'a'", "name IN[cd] {'a'}", "noindex:(name) == 'a'",
    ] {
      #expect(try fixture.steps(fixture.plan("Person", text)).contains("SCAN t0"), "\(text)")
    }
  }
}
