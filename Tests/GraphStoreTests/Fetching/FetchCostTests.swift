import Testing

@testable import GraphStore

/// What fetches, counts and prefetching cost, in statements and rows.
struct FetchCostTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  /// Six employees in three departments, the example of the figures.
  init() throws {
    stack = try TestStack(TestModels.company())
    let departments = try ["A", "B", "C"].map { try stack.context.insert("Department", ["name": $0]) }
    let project = try stack.context.insert("Project", ["name": "P"])
    var former: ManagedObject?
    for number in 0..<6 {
      let employee = try stack.context.insert("Employee", ["name": "E\(number)", "salary": number])
      try employee.setValue(departments[number % 3], forKey: "department")
      try employee.addObjects([project], forKey: "projects")
      if let former { try employee.addObjects([former], forKey: "friends") }
      former = employee
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func request(_ predicate: String? = nil, prefetch: [String] = []) throws -> FetchRequest<
    ManagedObject
  > {
    var request = FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
    request.relationshipKeyPathsForPrefetching = prefetch
    return request
  }

  private func readDepartments(_ employees: [ManagedObject]) throws {
    for employee in employees { _ = try employee.object(forKey: "department")?.string("name") }
  }

  @Test("FET-247, FET-248, FET-275, DGN-064: 1 + 3 statements without prefetching, 2 with it")
  func example() throws {
    #expect(try stack.statements { try readDepartments(context.fetch(request())) } == 4)
    context.reset()
    #expect(
      try stack.statements { try readDepartments(context.fetch(request(prefetch: ["department"]))) } == 2)
  }

  @Test("FET-276: a to-one target costs a fault; a to-many the relationship, and its members")
  func faults() throws {
    let employees = try context.fetch(request())
    #expect(try stack.statements { _ = try employees[0].object(forKey: "department")?.string("name") } == 1)
    #expect(try stack.statements { _ = try employees[3].object(forKey: "department")?.string("name") } == 0)
    let projects = try stack.statements {
      for project in try employees[0].objects(forKey: "projects") { _ = try project.string("name") }
    }
    #expect(projects == 2)
  }

  @Test(
    "FET-111, FET-112, FET-113, FET-118: steps are read once, whatever the number of objects; then nothing is"
  )
  func prefetching() throws {
    let paths = ["department", "projects", "friends", "friends.department"]
    var few: [ManagedObject] = []
    var all: [ManagedObject] = []
    let cost = try stack.statements { few = try context.fetch(request("salary < 3", prefetch: paths)) }
    context.reset()
    #expect(try stack.statements { all = try context.fetch(request(prefetch: paths)) } <= cost)
    #expect(few.count == 3)
    #expect(
      try stack.statements {
        try readDepartments(all)
        for employee in all {
          for friend in try employee.objects(forKey: "friends") {
            _ = try friend.string("name")
            _ = try friend.object(forKey: "department")?.string("name")
          }
          for project in try employee.objects(forKey: "projects") { _ = try project.string("name") }
          _ = try employee.value(forKeyPath: "projects.@count")
        }
      } == 0)
  }

  @Test("FET-114: realised destinations stay as they are; missing and empty relationships count as read")
  func realisedDestinations() throws {
    let department = try context.all("Department", "name == 'A'")[0]
    _ = try department.string("name")
    let other = stack.newContext()
    try other.all("Department", "name == 'A'")[0].setValue("AA", forKey: "name")
    try other.save()
    let lone = try other.insert("Employee", ["name": "lone"])
    try other.save()
    let found = try context.fetch(request(prefetch: ["department", "friends", "projects"]))
    #expect(try department.string("name") == "A")
    let object = try #require(found.first { $0.objectID == lone.objectID })
    #expect(
      try stack.statements {
        try check(try object.object(forKey: "department") == nil)
        try check(try object.objects(forKey: "friends").isEmpty)
        try check(try object.objects(forKey: "projects").isEmpty)
      } == 0)
  }

  @Test("FET-116: prefetching follows the window")
  func window() throws {
    var request = try request(prefetch: ["department"])
    request.fetchLimit = 1
    _ = try context.fetch(request)
    let found = try context.fetch(request)
    #expect(context.registeredCount == 2)
    #expect(found.count == 1)
  }

  @Test("FET-117: prefetching is ignored where no objects are returned")
  func ignored() throws {
    let request = try request(prefetch: ["department", "projects"])
    #expect(try stack.statements { try check(try context.count(for: request) == 6) } == 1)
    #expect(try stack.statements { try check(try context.fetchIdentifiers(request).count == 6) } == 1)
  }

  @Test("FET-137, FET-138, FET-140: a count is one SELECT COUNT without order, and makes nothing")
  func count() throws {
    var request = try request("salary > 1", prefetch: ["department"])
    request.returnsObjectsAsFaults = false
    request.fetchBatchSize = 2
    for includesValues in [true, false] {
      request.includesPropertyValues = includesValues
      let texts = try stack.recordedStatements { try check(try context.count(for: request) == 4) }
      #expect(texts.count == 1)
      #expect(texts[0].hasPrefix("SELECT COUNT"))
      #expect(!texts[0].contains("ORDER BY"))
    }
    #expect(context.registeredCount == 0)
    #expect(try context.count(for: self.request("salary > 100")) == 0)
  }

  @Test("FET-054: limit and offset stand in the statement where the store does all, and nowhere else")
  func pushedWindow() throws {
    func statement(_ predicate: String) throws -> String {
      var request = try request(predicate)
      request.fetchLimit = 2
      request.fetchOffset = 1
      return try stack.recordedStatements { try check(try context.fetch(request).count == 2) }[0]
    }
    #expect(try statement("salary > 0").contains("LIMIT"))
    #expect(try !statement("name MATCHES name").contains("LIMIT"))
  }

  @Test("FET-250, PRD-235: requests that differ in values alone share a statement, and no value stands in it")
  func sharedStatements() throws {
    let texts = try stack.recordedStatements {
      for salary in [1, 3] {
        _ = try context.fetch(request("salary > \(salary) AND name != 'Brien \(salary)'"))
      }
    }
    #expect(texts.count == 2)
    #expect(Set(texts).count == 1)
    #expect(!texts[0].contains("Brien"))
  }

  @Test("FET-246: a root entity with its sub-entities needs no condition on the entity; others name theirs")
  func entityCondition() throws {
    func statement(_ entity: String, _ includesSubentities: Bool) throws -> String {
      var request = FetchRequest(entityName: entity)
      request.includesSubentities = includesSubentities
      return try stack.recordedStatements { _ = try context.fetch(request) }[0]
    }
    #expect(try !statement("Employee", true).contains("WHERE"))
    #expect(try statement("Employee", false).contains("WHERE"))
    #expect(try statement("Manager", true).contains("WHERE"))
    #expect(try !statement("Department", true).contains("WHERE"))
  }

  @Test("FET-056: a limit bounds what is read and made, without and with unsaved changes")
  func boundedWindow() throws {
    for number in 0..<300 { try context.insert("Project", ["name": "P\(number)"]) }
    try context.save()
    context.reset()
    var request = FetchRequest(
      entityName: "Project", sortDescriptors: [try QuerySortDescriptor(parsing: "objectID")], fetchLimit: 10)
    #expect(try context.analyze(request).rows.read == 10)
    _ = try context.fetch(request)
    request.predicate = try QueryPredicate(parsing: "name MATCHES name")
    let found = try context.fetch(request)
    #expect(context.registeredCount == 10)
    #expect(found.count == 10)
  }
}
