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
    try stack.connection().cachedStatementCount
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

  @Test(
    "OBJ-051: a save of n new objects runs a statement for each 32 of them, and one for each that is left")
  func inserts() throws {
    let stack = try stack(employees: 2)
    let few = try stack.statements { try insert(10, into: stack) }
    #expect(try stack.statements { try insert(31, into: stack) } - few == 21)
    #expect(try stack.statements { try insert(32, into: stack) } - few == 1 - 10)
    #expect(try stack.statements { try insert(33, into: stack) } - few == 2 - 10)
    #expect(try stack.statements { try insert(400, into: stack) } - few == 12 + 16 - 10)
  }

  @Test(
    "OBJ-051, STO-270, STO-274: a save prepares two statements at most for new objects of an entity, and reserves their keys at once"
  )
  func preparedInserts() throws {
    let stack = try stack(employees: 2)
    try insert(100, into: stack)
    let kept = try keptStatements(stack)
    try insert(1000, into: stack)
    #expect(try keptStatements(stack) == kept)

    let pool = try #require(stack.pool)
    var texts: Set<String> = []
    var reservations = 0
    pool.onStatement = { text in
      texts.insert(text)
      if text.contains("Z_PRIMARYKEY") { reservations += 1 }
    }
    defer { pool.onStatement = nil }
    try insert(500, into: stack)
    #expect(reservations == 2)
    #expect(texts.filter { $0.contains("INTO ZEMPLOYEE") }.count == 2)
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

  @Test("FLT-143: a fetch with a prefetched to-one is two statements at any size", arguments: [3, 300])
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
