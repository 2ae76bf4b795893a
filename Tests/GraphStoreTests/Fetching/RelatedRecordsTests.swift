import GraphStorePredicates
import Synchronization
import Testing

@testable import GraphStore

/// What paths through relationships cost where memory evaluates them: a constant number of statements,
/// whatever the number of records that they lead to.
@Suite("What paths cost where memory evaluates them", .everyStore)
struct RelatedRecordsTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  /// How many employees there are; their rows come in three batches.
  private static let count = 150

  /// Employees, each with a department of its own, a desk or none, and a friend; two projects that share
  /// their members; every third is a manager.
  init() throws {
    stack = try TestStack(TestModels.company())
    let context = stack.context
    let people = try (0..<Self.count).map { number in
      let department = try context.insert("Department", ["name": "D\(1000 + (number * 7) % Self.count)"])
      let person = try context.insert(
        number % 3 == 0 ? "Manager" : "Employee",
        ["name": "E\(1000 + number)", "salary": number, "department": department])
      if number % 2 == 0 {
        try person.setValue(context.insert("Desk", ["name": "T\(number)"]), forKey: "desk")
      }
      return person
    }
    for (number, person) in people.enumerated() where number > 0 {
      try person.addObjects([people[number - 1]], forKey: "friends")
    }
    for (name, members) in [("even", 0), ("odd", 1)] {
      let project = try context.insert("Project", ["name": name])
      try project.setValue(people.enumerated().filter { $0.0 % 2 == members }.map(\.1), forKey: "members")
    }
    try context.save()
    context.reset()
  }

  private func request(_ predicate: String? = nil, sort: String? = nil) throws -> FetchRequest<ManagedObject>
  {
    FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try sort.map { try QuerySortDescriptor.list(parsing: $0) } ?? [])
  }

  /// A pattern that is no constant is left to memory.
  private static let residuals: [(predicate: String, count: Int, statements: Int)] = [
    // The employees, then in two blocks what these lead to.
    ("department.name MATCHES department.name", 150, 3),
    ("desk.name MATCHES desk.name", 75, 3),
    ("desk.name MATCHES desk.name OR department.name MATCHES 'D1.*'", 150, 5),
    // Friends of the first block are registered when the second is read.
    ("ANY friends.name MATCHES name", 0, 6),
    ("ANY friends.department.name MATCHES TERNARY(salary < 0, '', 'D1.*')", 150, 8),
    ("SUBQUERY(projects, $p, $p.name MATCHES $p.name).@count == 1", 150, 4),
    // How many friends somebody has is said by the links.
    ("name MATCHES TERNARY(friends.@count > 1, name, '')", 148, 4),
  ]

  @Test(
    "FET-296: a fetch and a count whose predicate follows relationships in memory read these by the block",
    arguments: residuals)
  func filter(_ predicate: String, _ count: Int, _ statements: Int) throws {
    var found: [ManagedObject] = []
    let fetched = try stack.statements { found = try context.fetch(request(predicate)) }
    #expect(found.count == count)
    let expected = try context.all("Employee").filter {
      try PredicateEvaluator(QueryPredicate(parsing: predicate)).evaluate($0)
    }
    #expect(Set(found) == Set(expected))
    context.reset()
    let counted = try stack.recordedStatements { try check(context.count(for: request(predicate)) == count) }
    guard stack.has(.statements) else { return }
    #expect([fetched, counted.count] == [statements, statements], "\(counted.joined(separator: "\n"))")
  }

  @Test("FET-296: members of registered owners are resolved by the block", .needs(.statements))
  func registeredOwners() throws {
    let people = try context.all("Employee")
    let statements = try stack.statements {
      try check(context.count(for: request("ANY projects.name MATCHES name OR TRUEPREDICATE")) == Self.count)
      try check(
        context.count(for: request("ANY friends.name MATCHES TERNARY(salary < 0, '', 'E1.*')")) == Self.count)
    }
    #expect(statements <= 8, "\(statements)")
    #expect(people.count == Self.count)
    #expect(try people.allSatisfy { try !$0.hasFault(forRelationshipNamed: "friends") })
  }

  @Test("FET-296: where unsaved changes have memory filter and sort, what that reads is read by the block")
  func unsavedChanges() throws {
    let changed = try context.all("Department", "name == 'D1149'")[0]
    try changed.setValue("D0000", forKey: "name")
    var found: [ManagedObject] = []
    let sorted = try stack.statements { found = try context.fetch(request(sort: "department.name")) }
    let names = try found.map { try $0.value(forKeyPath: "department.name") as? String ?? "" }
    #expect(names.first == "D0000")
    #expect(names == names.sorted() && names.count == Self.count)
    try context.refreshAllObjects()
    let filtered = try stack.statements {
      try check(context.count(for: request("department.name == 'D0000'")) == 1)
    }
    if stack.has(.statements) { #expect([sorted, filtered] == [2, 3]) }
  }

  @Test("FET-296: so are the values of dictionaries that memory makes, and their groups")
  func dictionaries() throws {
    var request = try request("name MATCHES name")
    request.resultType = .dictionary
    request.propertiesToFetch = ["name", "department.name"]
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "-department.name")]
    var names: [String?] = []
    let rows = try stack.statements {
      names = try context.fetchDictionaries(request).map { $0["department.name"] as? String }
    }
    #expect(names == (0..<Self.count).map { "D\(1000 + $0)" }.reversed())
    // The rows, then in two blocks what they lead to.
    if stack.has(.statements) { #expect(rows == 3) }
  }

  @Test("FET-296: and those of a batch update", .needs(.statements))
  func batchUpdate() throws {
    var update = BatchUpdateRequest(
      entityName: "Employee",
      propertiesToUpdate: ["name": try QueryExpression(parsing: "uppercase(department.name)")])
    update.validates = true
    let texts = try stack.recordedStatements { try check(context.execute(update).count == Self.count) }
    #expect(texts.count { $0.hasPrefix("SELECT") && $0.contains("ZDEPARTMENT") } == 3)
    #expect(try context.all("Employee", "name BEGINSWITH 'D1'").count == Self.count)
  }

  @Test("FET-296: blocks that lead into each other cost the same each", .needs(.statements))
  func ring() throws {
    let people = try context.all("Employee", sort: ["name"])
    for (number, person) in people.enumerated() {
      try person.addObjects([people[(number * 71 + 5) % Self.count]], forKey: "friends")
    }
    try context.save()
    context.reset()
    for predicate in [
      "ANY friends.name MATCHES TERNARY(salary < 0, '', 'E1.*')",
      "desk.name MATCHES desk.name AND ANY friends.name MATCHES TERNARY(salary < 0, '', 'E1.*')",
    ] {
      let statements = try stack.statements { _ = try context.count(for: request(predicate)) }
      #expect(statements <= 10, "\(predicate): \(statements)")
    }
  }

  @Test("FET-296: blocks grow until they lead to many destinations")
  func blockSizes() {
    var size = RelationshipPaths.firstRecords
    for _ in 0..<10 { size = RelationshipPaths.nextRecords(after: size, withDestinations: 10 * size) }
    #expect(size == RelationshipPaths.mostRecords)
    for _ in 0..<20 {
      size = RelationshipPaths.nextRecords(after: size, withDestinations: 1000 * size)
      #expect(size >= 1)
    }
    #expect((8...32).contains(size), "\(size)")
  }

  @Test("FET-296: a sort by places in ordered relationships reads these by the block", .needs(.statements))
  func places() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let departments = try (0..<20).map { try stack.context.insert("Department", ["name": "\($0)"]) }
    for number in 0..<100 {
      try stack.context.insert(
        "Employee",
        ["name": "x", "salary": number, "department": departments[number % departments.count]])
    }
    try stack.context.save()
    let expected = try stack.newContext().all("Employee", sort: ["department", "salary"])
      .map { try $0.value(forKey: "salary") as? Int64 }
    let reader = stack.newContext()
    var sorted = try request("name MATCHES name", sort: "department,name:localized,salary")
    var found: [ManagedObject] = []
    let statements = try stack.statements { found = try reader.fetch(sorted) }
    #expect(statements <= 4, "\(statements)")
    #expect(try found.map { try $0.value(forKey: "salary") as? Int64 } == expected)
    sorted.resultType = .dictionary
    sorted.propertiesToFetch = ["salary"]
    var rows: [Int64?] = []
    let read = try stack.statements {
      rows = try reader.fetchDictionaries(sorted).map { $0["salary"] as? Int64 }
    }
    #expect(read <= 6, "\(read)")
    #expect(rows == expected)
    sorted.propertiesToFetch = ["department"]
    sorted.sortDescriptors = try QuerySortDescriptor.list(parsing: "department")
    sorted.returnsDistinctResults = true
    let shown = try stack.statements { try check(reader.fetchDictionaries(sorted).count == 20) }
    #expect(shown <= 3, "\(shown)")
  }

  @Test("FET-284, FET-137: a count with a limit that memory filters ends with the limit", .needs(.statements))
  func limitedCount() throws {
    let judged = Mutex(0)
    context.functions.register("seen") { target, _ in
      judged.withLock { $0 += 1 }
      return target
    }
    var limited = try request("FUNCTION(salary, 'seen') >= 0")
    limited.fetchLimit = 3
    #expect(try context.count(for: limited) == 3)
    #expect(judged.withLock { $0 } == 3)
    limited.fetchOffset = 148
    #expect(try context.count(for: limited) == 2)
  }
}
