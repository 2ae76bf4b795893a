import Foundation
import GraphStore
import GraphStorePredicates
import Testing

/// Paths over to-many relationships, quantifiers and sub-queries, in the database and over unsaved changes.
struct CollectionFetchTests {
  private let stack: TestStack
  private let people: [String: ManagedObject]

  init() throws {
    let stack = try TestStack(TestModels.company())
    self.stack = stack
    let labs = try stack.context.insert("Department", ["name": "Labs"])
    let sales = try stack.context.insert("Department", ["name": "Sales"])
    try stack.context.insert("Department", ["name": "Empty"])
    let red = try stack.context.insert("Project", ["name": "red"])
    let blue = try stack.context.insert("Project", ["name": "blue"])
    var people: [String: ManagedObject] = [:]
    for (name, salary, department) in [
      ("Ada", 10, labs), ("Bob", 20, labs), ("Cy", 30, sales), ("Di", 40, sales),
    ] {
      people[name] = try stack.context.insert(
        "Employee", ["name": name, "salary": salary, "department": department])
    }
    try people["Ada"]?.setValue(Set([red, blue]), forKey: "projects")
    try people["Bob"]?.setValue(Set([red]), forKey: "projects")
    try people["Cy"]?.setValue(Set([blue]), forKey: "projects")
    try people["Bob"]?.setValue(people["Ada"], forKey: "manager")
    try people["Cy"]?.setValue(people["Ada"], forKey: "manager")
    try people["Di"]?.setValue(people["Cy"], forKey: "manager")
    self.people = people
    try stack.context.save()
  }

  /// The names that a predicate finds in a fetch that must run in the database whole.
  private func stored(_ entity: String, _ predicate: String) throws -> [String] {
    let context = stack.newContext()
    var request = FetchRequest(entityName: entity, predicate: try QueryPredicate(parsing: predicate))
    request.sortDescriptors = try [QuerySortDescriptor(key: "name")]
    request.inMemoryEvaluation = .refused
    return try context.fetch(request).compactMap { try $0.string("name") }
  }

  @Test(
    "PRD-124, PRD-142: paths over several to-many steps, one entry a route and each object once",
    arguments: [
      ("Department", "ANY employees.projects.name == 'red'", ["Labs"]),
      ("Department", "ANY employees.projects.name != nil", ["Labs", "Sales"]),
      ("Department", "employees.projects.@count == 3", ["Labs"]),
      ("Department", "employees.projects.@count == 0", ["Empty"]),
      ("Employee", "ANY projects.members.name == 'Bob'", ["Ada", "Bob"]),
      ("Employee", "projects.members.@count == 4", ["Ada"]),
      ("Employee", "ANY projects.name IN {'red', 'blue'}", ["Ada", "Bob", "Cy"]),
      ("Department", "ANY employees.projects.members.manager.name == 'Ada'", ["Labs", "Sales"]),
    ])
  func severalSteps(entity: String, predicate: String, expected: [String]) throws {
    #expect(try stored(entity, predicate) == expected)
    #expect(
      try stack.newContext().count(
        for: FetchRequest(entityName: entity, predicate: QueryPredicate(parsing: predicate)))
        == expected.count)
  }

  @Test(
    "PRD-136, PRD-137, PRD-138, PRD-141, PRD-143, PRD-149: quantifiers and sub-queries run in the database",
    arguments: [
      ("Department", "NONE employees.salary > 20", ["Empty", "Labs"]),
      ("Department", "ANY employees.salary == 10 AND ANY employees.name == 'Bob'", ["Labs"]),
      ("Department", "SUBQUERY(employees, $e, $e.salary == 10 AND $e.name == 'Bob').@count > 0", []),
      ("Department", "ANY employees.salary > 30 AND name == 'Sales'", ["Sales"]),
      ("Department", "SUBQUERY(employees, $e, $e.salary > 10).@count == 0", ["Empty"]),
      ("Department", "SUBQUERY(employees, $e, $e.salary > 10).@count == 1", ["Labs"]),
      ("Employee", "ANY reports.salary > salary", ["Ada", "Cy"]),
      ("Employee", "ALL reports.salary > 20", ["Bob", "Cy", "Di"]),
      ("Employee", "SUBQUERY(reports, $r, $r.department == department).@count > 0", ["Ada", "Cy"]),
    ])
  func quantifiers(entity: String, predicate: String, expected: [String]) throws {
    #expect(try stored(entity, predicate) == expected)
  }

  @Test(
    "PRD-144, PRD-146, PRD-147, PRD-149: results of sub-queries, nested ones too, are used in the database",
    arguments: [
      ("Department", "SUBQUERY(employees, $e, $e.salary > 10).@sum.salary == 70", ["Sales"]),
      ("Department", "ANY SUBQUERY(employees, $e, $e.salary > 10).name == 'Bob'", ["Labs"]),
      ("Department", "'Cy' IN SUBQUERY(employees, $e, $e.salary > 10).name", ["Sales"]),
      (
        "Department",
        "SUBQUERY(employees, $e, SUBQUERY($e.projects, $p, $p.name == 'red').@count > 0).@count == 2",
        ["Labs"]
      ),
      (
        "Employee",
        "SUBQUERY(reports, $r, SUBQUERY($r.reports, $s, $s.salary > $r.salary AND $s.salary > salary).@count > 0).@count == 1",
        ["Ada"]
      ),
      ("Employee", "SUBQUERY(reports, $r, salary > 10).@count == 1", ["Cy"]),
      (
        "Employee",
        "SUBQUERY(reports, $r, SUBQUERY($r.projects, $r, $r.name == 'red').@count == 1).@count == 1", ["Ada"]
      ),
    ])
  func subqueries(entity: String, predicate: String, expected: [String]) throws {
    #expect(try stored(entity, predicate) == expected)
  }

  @Test("PRD-139: any number of quantifiers, lists and sub-queries stand in one request")
  func many() throws {
    let predicate = """
      ANY employees.salary > 5 AND ALL employees.salary < 25 AND NONE employees.name == 'Di'
      AND ANY employees.projects.name == 'red' AND name IN {'Labs', 'Sales'}
      AND SUBQUERY(employees, $e, $e.salary > 10).@count == 1 AND SUBQUERY(employees, $e, $e.manager == nil).@count == 1
      """
    #expect(try stored("Department", predicate) == ["Labs"])
  }

  @Test("PRD-152: a to-one is tested for nil")
  func missingToOne() throws {
    #expect(try stored("Employee", "manager == nil") == ["Ada"])
    #expect(try stored("Employee", "manager != nil") == ["Bob", "Cy", "Di"])
    #expect(try stored("Employee", "NOT manager == nil AND manager.manager == nil") == ["Bob", "Cy"])
    try people["Bob"]?.setValue(nil, forKey: "manager")
    #expect(
      try stack.context.all("Employee", "manager == nil", sort: ["name"]).map { try $0.string("name") } == [
        "Ada", "Bob",
      ])
  }

  @Test("PRD-133: operators over members that are unsaved, changed or deleted count what the context has")
  func corrected() throws {
    let labs = try #require(try stack.context.all("Department", "name == 'Labs'").first)
    func finds(_ predicate: String) throws -> Bool {
      try stack.context.all("Department", predicate).contains(labs)
    }
    #expect(try finds("employees.@count == 2 AND employees.@sum.salary == 30"))
    try stack.context.insert("Employee", ["name": "Eve", "salary": 70, "department": labs])
    #expect(
      try finds("employees.@count == 3 AND employees.@sum.salary == 100 AND employees.@max.salary == 70"))
    try people["Bob"]?.setValue(50, forKey: "salary")
    #expect(try finds("employees.@sum.salary == 130 AND ANY employees.salary == 50"))
    try stack.context.delete(#require(people["Ada"]))
    #expect(try finds("employees.@count == 2 AND employees.@min.salary == 50"))
    #expect(try finds("SUBQUERY(employees, $e, $e.salary > 60).@count == 1"))
    #expect(try stored("Department", "employees.@sum.salary == 30") == ["Labs"])
  }

  @Test("PRD-193: a closure in a request is refused before anything is read, with changes and without")
  func closures() throws {
    let block = QueryPredicate.block(PredicateBlock { _, _ in true })
    let request = FetchRequest(
      entityName: "Employee", predicate: .and([try QueryPredicate(parsing: "salary > 1"), block]))
    for isChanged in [false, true] {
      if isChanged { try stack.context.insert("Employee", ["name": "Eve"]) }
      let statements = stack.statements {
        let error = #expect(throws: QueryPredicateError.self) { try stack.context.fetch(request) }
        #expect(error?.code == .unsupportedInFetch)
        #expect(error?.hint == "Filter the result with it.")
        #expect(throws: QueryPredicateError.self) { try stack.context.count(for: request) }
        #expect(throws: QueryPredicateError.self) { try stack.context.fetchIdentifiers(request) }
      }
      #expect(statements == 0)
    }
    #expect(try stack.context.all("Employee", "salary > 1").filtered(by: block).count == 4)
  }

  @Test("PRD-171: letter case is mapped alike in the database and in memory")
  func letterCase() throws {
    for name in ["ΟΔΟΣ", "Σ", "ΑΣ.", "ΑΣΑ", "İ", "straße"] {
      try stack.context.insert("Project", ["name": name])
    }
    try stack.context.save()
    for (predicate, expected) in [
      ("lowercase:(name) == 'οδος'", ["ΟΔΟΣ"]), ("lowercase:(name) == 'σ'", ["Σ"]),
      ("lowercase:(name) == 'ας.'", ["ΑΣ."]), ("lowercase:(name) == 'ασα'", ["ΑΣΑ"]),
      ("FUNCTION(name, 'lowercaseString') == 'i\\u0307'", ["İ"]),
      ("uppercase:(name) == 'STRASSE'", ["straße"]),
    ] {
      #expect(try stored("Project", predicate) == expected, "\(predicate)")
      let inMemory = try stack.context.all("Project").filtered(by: QueryPredicate(parsing: predicate))
      #expect(try inMemory.map { try $0.string("name") } == expected, "\(predicate)")
    }
  }
}
