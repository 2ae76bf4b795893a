import Testing

@testable import GraphStore

/// Options of requests: their defaults, what is refused, and what each does to values and faults.
struct FetchOptionTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    let departments = try ["R&D", "Sales"].map { try stack.context.insert("Department", ["name": $0]) }
    for number in 0..<6 {
      let employee = try stack.context.insert("Employee", ["name": "E\(number)", "salary": number])
      try employee.setValue(departments[number % 2], forKey: "department")
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func request(_ predicate: String? = nil) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
  }

  private func change(_ values: [String: Any?], of name: String) throws {
    let other = stack.newContext()
    let object = try other.all("Employee", "name == '\(name)'")[0]
    for (key, value) in values { try object.setValue(value, forKey: key) }
    try other.save()
  }

  @Test(
    "FET-001, FET-004, FET-005, FET-006, FET-007, FET-008, FET-010, FET-011, FET-012, FET-013, FET-014, FET-015, FET-017, FET-018, FET-019: the defaults"
  )
  func defaults() throws {
    let request = FetchRequest(entityName: "Employee")
    #expect(request.predicate == nil)
    #expect(request.sortDescriptors.isEmpty)
    #expect(request.fetchLimit == 0)
    #expect(request.fetchOffset == 0)
    #expect(request.fetchBatchSize == 0)
    #expect(request.includesSubentities)
    #expect(request.includesPropertyValues)
    #expect(request.returnsObjectsAsFaults)
    #expect(request.includesPendingChanges)
    #expect(!request.shouldRefreshRefetchedObjects)
    #expect(request.relationshipKeyPathsForPrefetching.isEmpty)
    #expect(request.affectedStores == nil)
    #expect(request.inMemoryEvaluation == .allowed)
    #expect(request.locale == nil)
    #expect(try context.fetch(request).count == 6)
  }

  @Test(
    "FET-003, FET-006, FET-008, FET-023: what contradicts the model or itself is refused before a store is asked"
  )
  func refused() throws {
    var requests: [(FetchRequest<ManagedObject>, String)] = [
      (FetchRequest(entityName: "Employe"), "unknown-entity"),
      (try request("salry == 3"), "unknown-key"),
      (try request("name > 3 AND salary LIKE 'x'"), "type-mismatch"),
      (try request("department.nam == 'x'"), "unknown-key"), (try request("name == $x"), "unbound-variable"),
    ]
    for (limit, offset, size) in [(-1, 0, 0), (0, -1, 0), (0, 0, -1)] {
      var request = try request()
      request.fetchLimit = limit
      request.fetchOffset = offset
      request.fetchBatchSize = size
      requests.append((request, "invalid-request"))
    }
    var sorted = try request()
    sorted.sortDescriptors = [try QuerySortDescriptor(parsing: "salry")]
    requests.append((sorted, "unknown-key"))
    for (request, code) in requests {
      let statements = stack.statements {
        for body in [
          { _ = try context.fetch(request) }, { _ = try context.count(for: request) },
          { _ = try context.fetchIdentifiers(request) }, { _ = try context.fetchBatched(request) },
        ] as [() throws -> Void] {
          let error = #expect(throws: (any Error).self) { try body() }
          let found =
            (error as? GraphStoreError)?.code.rawValue ?? (error as? QueryPredicateError)?.code.rawValue
          #expect(found == code)
        }
      }
      #expect(statements == 0)
    }
    let error = #expect(throws: GraphStoreError.self) { try context.fetch(requests[0].0) }
    #expect(error?.suggestions == ["Employee"])
    #expect(
      error?.message.contains("Cannot perform operation since entity with name 'Employe' cannot be found")
        == true)
  }

  @Test("FET-020: a request stays as it was, and changing it later changes no result")
  func value() throws {
    var request = try request("salary < $max")
    request.variables = ["max": .int(4)]
    let copy = request
    let results = try context.fetchBatched(request)
    let objects = try context.fetch(request)
    #expect(request.predicate == copy.predicate)
    #expect(request.variables == copy.variables)
    request.predicate = nil
    request.fetchLimit = 1
    #expect(results.count == 4)
    #expect(objects.count == 4)
    #expect(try context.fetch(copy) == objects)
  }

  @Test(
    "FET-107, FET-108, DGN-065: faults have their rows; without faults the objects are realised, held ones too"
  )
  func faults() throws {
    let faults = try context.fetch(request())
    #expect(faults.allSatisfy { $0.isFault })
    #expect(try stack.statements { for object in faults { _ = try object.string("name") } } == 0)
    context.reset()
    let held = try context.fetch(request())
    var realised = try request()
    realised.returnsObjectsAsFaults = false
    #expect(try stack.statements { try check(try context.fetch(realised) == held) } == 1)
    #expect(held.allSatisfy { !$0.isFault })
  }

  @Test(
    "FET-109: without values a fetch reads identity alone, and a fault costs a statement, unless its row is cached"
  )
  func identityAlone() throws {
    var request = try request("salary < 4")
    request.includesPropertyValues = false
    var found: [ManagedObject] = []
    let texts = try stack.recordedStatements { found = try context.fetch(request) }
    #expect(texts.count == 1)
    #expect(texts[0].hasPrefix("SELECT t0.Z_PK, t0.Z_ENT FROM"))
    #expect(found.map(\.key) == [1, 2, 3, 4])
    #expect(found.allSatisfy { $0.isFault })
    #expect(try stack.statements { for object in found { _ = try object.string("name") } } == 4)
    #expect(try stack.statements { try check(try context.fetch(request) == found) } == 1)
    let other = stack.newContext()
    let again = try other.fetch(request)
    #expect(try stack.statements { _ = try again[0].string("name") } == 0)
    context.reset()
    request.returnsObjectsAsFaults = false
    #expect(try stack.statements { found = try context.fetch(request) } == 1)
    #expect(found.allSatisfy { !$0.isFault })
  }

  @Test("FET-109, FET-059: unsaved objects are among what is read by identity alone")
  func identityOfUnsaved() throws {
    try context.all("Employee", "name == 'E0'")[0].setValue("E9", forKey: "name")
    let new = try context.insert("Employee", ["name": "E05"])
    var request = try request()
    request.includesPropertyValues = false
    #expect(
      try context.fetch(request).map { try $0.string("name") } == ["E05", "E1", "E2", "E3", "E4", "E5", "E9"])
    #expect(try context.fetch(request)[0] === new)
  }

  @Test(
    "FET-027, FET-028, FET-029: a plain fetch leaves realised objects alone, and renews the rows of faults")
  func renewedRows() throws {
    let held = try context.fetch(request())
    let name = try held[0].string("name")
    #expect(held[1].isFault)
    try change(["salary": 70, "name": "E00"], of: "E0")
    try change(["salary": 71], of: "E1")
    #expect(try context.fetch(request()).count == 6)
    #expect(try held[0].string("name") == name)
    #expect(held[1].isFault)
    #expect(try stack.statements { try check(try held[1].value(forKey: "salary") as? Int64 == 71) } == 0)
    #expect(!context.hasChanges)
  }

  @Test(
    "FET-110, FLT-116, FLT-074: refreshing gives unchanged objects all newest values, changed ones those of unchanged properties"
  )
  func refreshed() throws {
    let held = try context.fetch(request())
    for object in held { _ = try object.string("name") }
    try held[1].setValue("mine", forKey: "name")
    try context.delete(held[2])
    try change(["salary": 70], of: "E0")
    try change(["salary": 71, "name": "theirs"], of: "E1")
    try change(["salary": 72], of: "E2")
    var request = try request()
    request.includesPendingChanges = false
    request.shouldRefreshRefetchedObjects = true
    for asFaults in [true, false] {
      request.returnsObjectsAsFaults = asFaults
      #expect(Set(try context.fetch(request)) == Set(held))
      #expect(held.allSatisfy { asFaults || !$0.isFault })
      #expect(try held.map { try $0.value(forKey: "salary") as? Int64 } == [70, 71, 2, 3, 4, 5])
      #expect(try held.map { try $0.string("name") } == ["E0", "mine", "E2", "E3", "E4", "E5"])
      #expect(held[1].isUpdated)
      #expect(held[2].isDeleted)
    }
  }

  @Test("FET-110: with unsaved changes considered, changed objects are refreshed by one more statement")
  func refreshedWithChanges() throws {
    let held = try context.fetch(request())
    for object in held { _ = try object.string("name") }
    try held[1].setValue("E11", forKey: "name")
    try held[3].setValue("E31", forKey: "name")
    try change(["salary": 71], of: "E1")
    try change(["salary": 73], of: "E3")
    var request = try request("name LIKE 'E?1'")
    request.shouldRefreshRefetchedObjects = true
    #expect(try stack.statements { try check(try context.fetch(request) == [held[1], held[3]]) } == 2)
    #expect(try [held[1], held[3]].map { try $0.value(forKey: "salary") as? Int64 } == [71, 73])
    #expect(try held[1].string("name") == "E11")
  }

  @Test("FET-115: what was prefetched is held by the result")
  func prefetchedObjects() throws {
    var request = try request()
    request.relationshipKeyPathsForPrefetching = ["department"]
    var result: [ManagedObject]? = try context.fetch(request)
    #expect(context.registeredCount == 8)
    #expect(
      try stack.statements {
        for object in result ?? [] { _ = try object.object(forKey: "department")?.string("name") }
      } == 0)
    result = nil
    #expect(context.registeredCount == 0)
  }

  @Test(
    "FET-002, FET-022: a request of a class refuses objects of another one; FET-021: it is made of a name or a class"
  )
  func typedRequests() throws {
    final class Person: ManagedObject {}
    let error = #expect(throws: GraphStoreError.self) {
      try context.fetch(FetchRequest<Person>(entityName: "Employee"))
    }
    #expect(error?.code == .resultTypeMismatch)
    #expect(throws: GraphStoreError.self) {
      try context.fetchBatched(FetchRequest<Person>(entityName: "Employee"))
    }
    let unknown = #expect(throws: GraphStoreError.self) { try context.fetch(Person.fetchRequest()) }
    #expect(unknown?.code == .classMismatch)
    let nameless: FetchRequest<ManagedObject> = FetchRequest(entityName: "")
    for body in [
      { _ = try context.fetch(nameless) }, { _ = try context.count(for: nameless) },
      { _ = try context.fetchBatched(nameless) },
    ] as [() throws -> Void] {
      let error = #expect(throws: GraphStoreError.self) { try body() }
      #expect(error?.code == .fetchWithoutEntity)
    }
  }

  @Test("FET-040: fetching registers nothing to undo, and changes nothing")
  func undo() throws {
    let manager = GraphUndoManager()
    try context.setUndoManager(manager)
    _ = try context.fetch(request())
    _ = try context.fetchBatched(request()).map { $0 }
    #expect(!manager.canUndo)
    #expect(!context.hasChanges)
  }
}
