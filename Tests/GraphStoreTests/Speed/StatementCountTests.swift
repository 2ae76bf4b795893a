import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Counts that later work must not lose unnoticed.
@Suite("Statement counts")
struct StatementCountTests {
  private func stack(employees count: Int) throws -> TestStack {
    let stack = try TestStack(TestModels.company(employees: .cascade))
    try insert(count, into: stack)
    return stack
  }

  private func insert(_ count: Int, into stack: TestStack) throws {
    let department = try stack.context.insert(entityNamed: "Department")
    for number in 0..<count {
      let employee = try stack.context.insert(entityNamed: "Employee")
      try employee.setValue("E\(number)", forKey: "name")
      try employee.setValue(department, forKey: "department")
    }
    try stack.context.save()
  }

  private func keptStatements(_ stack: TestStack) throws -> Int {
    try #require(stack.coordinator.stores.first as? SQLiteStore).connection.cachedStatementCount
  }

  private let request = FetchRequest(entityName: "Employee")

  @Test("FET-026: a fetch is one statement, and so is one of objects that are loaded", arguments: [3, 300])
  func fetch(count: Int) throws {
    let stack = try stack(employees: count)
    let context = stack.newContext()
    var objects: [ManagedObject] = []
    #expect(try stack.statements { objects = try context.fetch(request) } == 1)
    #expect(objects.count == count)
    var again: [ManagedObject] = []
    #expect(try stack.statements { again = try context.fetch(request) } == 1)
    #expect(again == objects)
  }

  @Test("FLT-012, FLT-013: a fetched object fires without a statement, a bare fault with one")
  func fault() throws {
    let stack = try stack(employees: 2)
    let ids = try stack.context.fetch(request).map(\.objectID)
    let fetched = stack.newContext()
    let objects = try fetched.fetch(request)
    #expect(
      try stack.statements { for object in objects { _ = try object.value(forKey: "name") } } == 0)

    let elsewhere = ManagedObjectContext(coordinator: try .open(storeAt: stack.path))
    let uri = ids[0].uriRepresentation
    let id = try #require(elsewhere.coordinator.managedObjectID(forURIRepresentation: uri))
    let bare = try elsewhere.object(with: id)
    let before = elsewhere.coordinator.statementCount
    _ = try bare.value(forKey: "name")
    _ = try bare.value(forKey: "salary")
    #expect(elsewhere.coordinator.statementCount - before == 1)
  }

  @Test("OBJ-051: a save runs one statement an object and prepares no more for many than for few")
  func inserts() throws {
    let stack = try stack(employees: 2)
    let few = try stack.statements { try insert(10, into: stack) }
    let kept = try keptStatements(stack)
    let many = try stack.statements { try insert(400, into: stack) }
    #expect(many - few == 390)
    #expect(try keptStatements(stack) == kept)
  }

  @Test("An update runs one statement an object and prepares one for each set of columns")
  func updates() throws {
    let stack = try stack(employees: 200)
    let objects = try stack.context.fetch(request)
    func change(_ count: Int, to name: String) throws -> Int {
      try stack.statements {
        for object in objects.prefix(count) { try object.setValue(name, forKey: "name") }
        try stack.context.save()
      }
    }
    let few = try change(10, to: "few")
    let kept = try keptStatements(stack)
    #expect(try change(200, to: "many") - few == 190)
    #expect(try keptStatements(stack) == kept)
  }

  @Test("FLT-143: a prefetch is two statements a relationship at any size", arguments: [3, 300])
  func prefetch(count: Int) throws {
    let stack = try stack(employees: count)
    let context = stack.newContext()
    var request = request
    request.relationshipKeyPathsForPrefetching = ["department"]
    var objects: [ManagedObject] = []
    #expect(try stack.statements { objects = try context.fetch(request) } <= 2)
    #expect(
      try stack.statements {
        for object in objects { _ = try object.object(forKey: "department")?.value(forKey: "name") }
      } == 0)
  }
}
