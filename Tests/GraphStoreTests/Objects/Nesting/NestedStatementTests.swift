import Testing

@testable import GraphStore

/// A child asks the stores for no more than a context without parent does over the same data.
@Suite("Statements of nested contexts", .everyStore)
struct NestedStatementTests {
  private let stack: TestStack
  /// What each kind of reading costs a context without parent.
  private let root: ManagedObjectContext
  private let child: ManagedObjectContext
  private let grandchild: ManagedObjectContext

  /// Three departments with four employees each, and a project of all.
  init() throws {
    stack = try TestStack(TestModels.company())
    let context = stack.context
    let project = try context.insert("Project", ["name": "P"])
    for number in 0..<3 {
      let department = try context.insert("Department", ["name": "D\(number)"])
      for place in 0..<4 {
        let employee = try context.insert(
          "Employee", ["name": "E\(number)\(place)", "salary": place, "department": department])
        try project.addObjects([employee], forKey: "members")
      }
    }
    try context.save()
    context.reset()
    root = stack.newContext()
    child = ManagedObjectContext(childOf: context)
    grandchild = ManagedObjectContext(childOf: child)
  }

  /// The rows of the cache go with their last holder, so that each context begins with nothing.
  private func costs(_ body: (ManagedObjectContext) throws -> Void) throws -> [Int] {
    try [root, grandchild, child].map { context in
      let cost = try stack.statements { try body(context) }
      for context in [root, grandchild, child, stack.context] { context.reset() }
      return cost
    }
  }

  private func request(
    _ entity: String, _ change: (inout FetchRequest<ManagedObject>) -> Void = { _ in }
  ) -> FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: entity)
    change(&request)
    return request
  }

  private func expectSame(_ costs: [Int], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(costs[1] == costs[0] && costs[2] == costs[0], "\(costs)", sourceLocation: sourceLocation)
  }

  @Test("CTX-287, FET-037: fetches, counts, identifiers, fields and groups cost what they cost in a root")
  func requests() throws {
    expectSame(
      try costs { context in
        let count = try context.fetch(request("Employee")).count
        #expect(count == 12)
      })
    expectSame(
      try costs { context in
        let found = try context.all("Employee", "department.name == 'D1'", sort: ["-name"])
        #expect(found.count == 4)
      })
    expectSame(
      try costs { context in
        let count = try context.count(for: request("Employee"))
        #expect(count == 12)
      })
    expectSame(
      try costs { context in
        let count = try context.fetchIdentifiers(request("Employee")).count
        #expect(count == 12)
      })
    expectSame(
      try costs {
        var count = 0
        try $0.enumerateFields(request("Employee"), keyPaths: ["name", "department.name"]) { _ in count += 1 }
        #expect(count == 12)
      })
    expectSame(
      try costs { context in
        let groups = request("Employee") {
          $0.resultType = .dictionary
          $0.propertiesToFetch = ["department.name"]
          $0.propertiesToGroupBy = ["department.name"]
        }
        let found = try context.fetchDictionaries(groups)
        #expect(found.count == 3)
      })
  }

  @Test("CTX-287: faults, to-manys and refreshed objects cost what they cost in a root")
  func faults() throws {
    expectSame(
      try costs { context in
        for employee in try context.fetch(request("Employee")) {
          #expect(try employee.string("name") != nil)
          #expect(try employee.object(forKey: "department")?.string("name") != nil)
        }
      })
    expectSame(
      try costs { context in
        for department in try context.fetch(request("Department")) {
          let members = try department.objects(forKey: "employees")
          #expect(members.count == 4)
        }
      })
    expectSame(
      try costs { context in
        let employees = try context.fetch(request("Employee"))
        try context.refreshAllObjects()
        for employee in employees { #expect(try employee.string("name") != nil) }
      })
    expectSame(
      try costs { context in
        let ids = try context.fetchIdentifiers(request("Employee"))
        let objects = try ids.map { try context.object(with: $0) }
        try context.realizeFaults(in: objects)
        #expect(objects.allSatisfy { !$0.isFault })
      })
  }

  @Test("CTX-287: prefetching and batches cost in a child what they cost in a root, through two levels")
  func prefetching() throws {
    expectSame(
      try costs { context in
        let departments = try context.fetch(
          request("Department") { $0.relationshipKeyPathsForPrefetching = ["employees.projects"] })
        for employee in try departments.flatMap({ try $0.objects(forKey: "employees") }) {
          #expect(try employee.names("projects") == ["P"])
        }
      })
    expectSame(
      try costs { context in
        let employees = try context.fetchBatched(
          request("Employee") {
            $0.fetchBatchSize = 5
            $0.relationshipKeyPathsForPrefetching = ["department"]
          })
        for employee in employees {
          #expect(try employee.object(forKey: "department")?.string("name") != nil)
        }
      })
    expectSame(
      try costs { context in
        let employees = try context.fetch(request("Employee") { $0.fetchBatchSize = 5 })
        for employee in employees { #expect(try employee.string("name") != nil) }
      })
  }

  @Test("CTX-287: what the parent has loaded, changed or not, costs its child no statement")
  func loaded() throws {
    let employees = try stack.context.fetch(request("Employee"))
    for employee in employees { _ = try employee.string("name") }
    try employees[0].setValue("Ada", forKey: "name")
    let ids = employees.map(\.objectID)
    var names: [String?] = []
    let statements = try stack.statements {
      names = try ids.map { try child.object(with: $0).string("name") }
    }
    #expect(statements == 0 && names.count == 12 && !names.contains(nil))
    #expect(try child.object(with: ids[0]).string("name") == "Ada")
    #expect(stack.context.registeredCount == 12)
  }

  @Test("CTX-287: rows that go through a parent make no objects there")
  func passing() throws {
    let employees = try child.fetch(request("Employee"))
    for employee in employees { _ = try employee.string("name") }
    #expect(stack.context.registeredCount == 0 && child.registeredCount == 12)
  }

  @Test("CTX-288, CTX-244: the save of a child runs no statement but for what the parent has never read")
  func saving() throws {
    let employees = try child.fetch(request("Employee"))
    for employee in employees { try employee.setValue(99, forKey: "salary") }
    try child.insert("Employee", ["name": "new"])
    #expect(try stack.statements { try child.save() } == 0)
    #expect(stack.context.updatedObjects.count == 12 && stack.context.insertedObjects.count == 1)
    try stack.context.save()
    #expect(try stack.newContext().all("Employee", "salary == 99").count == 12)
  }
}
