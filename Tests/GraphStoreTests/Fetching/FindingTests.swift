import Testing

@testable import GraphStore

/// Single objects: found in memory or a store, made where they are missing, kept under a key.
@Suite("Finding and making objects", .everyStore)
struct FindingTests {
  private final class Employee: ManagedObject {
    override class var defaultSortDescriptors: [QuerySortDescriptor] {
      (try? QuerySortDescriptor.list(parsing: "-name")) ?? []
    }

    override class var defaultPredicate: QueryPredicate { .compare(.key("salary"), .less, .constant(100)) }
  }

  private final class Staff: ManagedObject {
    override class var entityName: String? { "Department" }
  }

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    var model = TestModels.company()
    for (entity, name) in [("Employee", "Employee"), ("Manager", "Employee"), ("Department", "Staff")] {
      guard let place = model.entities.firstIndex(where: { $0.name == entity }) else { continue }
      model.entities[place].className = name
    }
    stack = try TestStack(model, classes: ["Employee": Employee.self, "Staff": Staff.self])
    let department = try stack.context.insert("Department", ["name": "R&D"])
    for (name, salary) in [("Ada", 10), ("Bob", 20), ("Cy", 30), ("Dee", 130)] {
      try stack.context.insert("Employee", ["name": name, "salary": salary, "department": department])
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func predicate(_ text: String) throws -> QueryPredicate { try QueryPredicate(parsing: text) }

  /// Runs a body that may ask no store.
  private func inMemory<Result>(_ body: () throws -> Result) throws -> Result {
    var result: Result?
    #expect(try stack.statements { result = try body() } == 0)
    return try #require(result)
  }

  @Test("FET-128: the scan of memory passes faults, deleted objects and other entities, and fires nothing")
  func registered() throws {
    #expect(
      try inMemory { try context.registeredObject(of: "Employee", matching: predicate("salary > 5")) } == nil)
    let all = try context.all("Employee", sort: ["name"])
    #expect(
      try inMemory { try context.registeredObject(of: "Employee", matching: predicate("salary > 5")) } == nil)
    #expect(all.allSatisfy { $0.isFault })
    _ = try all[1].string("name")
    let found = try inMemory {
      try context.registeredObject(of: Employee.self, matching: predicate("salary > 5"))
    }
    #expect(found === all[1])
    #expect(all[0].isFault)
    // Two-valued logic, as everywhere in memory.
    try all[1].setValue(nil, forKey: "salary")
    #expect(
      try inMemory { try context.registeredObject(of: "Employee", matching: predicate("salary != 3")) }
        === all[1])
    #expect(
      try inMemory { try context.registeredObject(of: "Department", matching: predicate("TRUEPREDICATE")) }
        == nil)
    try context.delete(all[1])
    #expect(
      try inMemory { try context.registeredObject(of: "Employee", matching: predicate("TRUEPREDICATE")) }
        == nil)
  }

  @Test("FET-128: an object of which the predicate cannot be told without firing a fault does not match")
  func relatedFaults() throws {
    let bob = try context.all("Employee", "name == 'Bob'")[0]
    _ = try bob.string("name")
    for text in ["department.name == 'R&D'", "reports.@count == 0", "ANY friends.name == 'x'"] {
      #expect(try inMemory { try context.registeredObject(of: "Employee", matching: predicate(text)) } == nil)
    }
    #expect(
      try inMemory { try context.registeredObject(of: "Employee", matching: predicate("department != nil")) }
        === bob)
    _ = try bob.object(forKey: "department")?.string("name")
    #expect(
      try inMemory {
        try context.registeredObject(of: "Employee", matching: predicate("department.name == 'R&D'"))
      }
        === bob)
  }

  @Test("FET-129, FET-281: what memory does not have is fetched, realised, one at most")
  func findOrFetch() throws {
    let found = try #require(try context.findOrFetch(of: Employee.self, matching: predicate("salary == 20")))
    #expect(try found.string("name") == "Bob")
    #expect(!found.isFault)
    #expect(
      try inMemory { try context.findOrFetch(of: "Employee", matching: predicate("name == 'Bob'")) } === found
    )
    #expect(try context.findOrFetch(of: "Employee", matching: predicate("name == 'Zoe'")) == nil)
    let one = try context.findOrFetch(of: "Employee", matching: predicate("salary < 15 OR salary > 25"))
    #expect(one != nil)
    #expect(context.registeredCount == 2)
  }

  @Test("FET-130: an object that is not found is made and configured; one that is found is not")
  func findOrCreate() throws {
    var configured = 0
    for _ in 0..<2 {
      let zoe = try context.findOrCreate(of: Employee.self, matching: predicate("name == 'Zoe'")) { new in
        configured += 1
        try new.setValue("Zoe", forKey: "name")
      }
      #expect(zoe.isInserted)
    }
    #expect(configured == 1)
    let ada = try context.findOrCreate(of: "Employee", matching: predicate("name == 'Ada'")) { _ in
      configured += 1
    }
    #expect(configured == 1)
    #expect(!ada.isInserted)
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try context.findOrCreate(of: "Employee", matching: predicate("name == 'No'")) { _ in throw Refused() }
    }
    #expect(context.insertedObjects.count == 1)
  }

  @Test(
    "FET-131, DGN-167, FET-281: a single object is asked for with limit 2; two are refused with their identifiers"
  )
  func single() throws {
    var request = FetchRequest(entityName: "Employee", predicate: try predicate("name == 'Cy'"))
    #expect(try context.fetchSingle(request)?.string("name") == "Cy")
    request.predicate = try predicate("name == 'Zoe'")
    #expect(try context.fetchSingle(request) == nil)
    request.predicate = try predicate("salary < 100")
    request.fetchLimit = 1
    context.reset()
    let error = try #require(throws: GraphStoreError.self) { try context.fetchSingle(request) }
    #expect(error.code == .notUnique)
    #expect(error.message.contains("Employee/p1"))
    #expect(error.message.contains("Employee/p2"))
    #expect(context.registeredCount == 0)
  }

  @Test("FET-132: a single object is kept under a key, until it is forgotten or deleted")
  func singleCached() throws {
    let request = FetchRequest<Employee>(predicate: try predicate("name == 'Cy'"))
    let found = try #require(try context.fetchSingle(cachedAs: "cy", request))
    #expect(context.userInfo["cy"] as? Employee === found)
    #expect(try inMemory { try context.fetchSingle(cachedAs: "cy", request) } === found)
    context.userInfo["cy"] = nil
    #expect(try context.fetchSingle(cachedAs: "cy", request) === found)
    try context.delete(found)
    #expect(try context.fetchSingle(cachedAs: "cy", request) == nil)
    #expect(context.userInfo["cy"] == nil)
    context.rollback()
    let again = try #require(try context.fetchSingle(cachedAs: "cy", request))
    context.reset()
    let anew = try context.fetchSingle(cachedAs: "cy", request)
    #expect(anew != nil)
    #expect(anew !== again)
  }

  @Test(
    "FET-133, FET-279: one fetch finds any number of keys; missing ones are made once, in order of appearance"
  )
  func keyed() throws {
    let new = try context.insert("Employee", ["name": "New"])
    let values = ["Zoe", "Bob", "New", "Ada", "Bob", "Zoe", "Yan"]
    var found = KeyedObjects<Employee>()
    let statements = try stack.statements {
      found = try context.findOrCreate(of: Employee.self, key: "name", values: values)
    }
    #expect(statements == (stack.has(.statements) ? 1 : 0))
    #expect(try found.objects.map { try $0.string("name") } == ["Zoe", "Bob", "New", "Ada", "Yan"])
    #expect(found.objects[2] === new)
    #expect(found.duplicates.isEmpty)
    #expect(try found.created.map { try $0.string("name") } == ["Zoe", "Yan"])
    let again = try context.findOrCreate(of: Employee.self, key: "name", values: values)
    #expect(again.objects == found.objects)
    #expect(again.created.isEmpty)
    let many = (0..<2000).map { "K\($0 % 1000)" }
    let several = try stack.statements {
      try check(try context.findOrCreate(of: "Employee", key: "name", values: many).objects.count == 1000)
    }
    #expect(several == (stack.has(.statements) ? 1 : 0))
    #expect(
      try inMemory { try context.findOrCreate(of: "Employee", key: "name", values: []).objects.isEmpty })
    #expect(try context.findOrCreate(of: "Employee", key: "salary", values: [30, 10]).created.isEmpty)
  }

  @Test("FET-134: of several objects with one value the first is given, the others are told")
  func duplicates() throws {
    for _ in 0..<2 { try context.insert("Employee", ["name": "Bob"]) }
    try context.save()
    let unsaved = try context.insert("Employee", ["name": "Bob"])
    let found = try context.findOrCreate(of: "Employee", key: "name", values: ["Bob"])
    #expect(found.objects.map(\.objectID.shortForm) == ["Employee/p2"])
    #expect(found.duplicates.map(\.objectID.shortForm).dropLast() == ["Employee/p5", "Employee/p6"])
    #expect(found.duplicates.last === unsaved)
  }

  @Test("FET-133, FET-023: nil values and keys that are no attributes are refused before anything is asked")
  func refusedKeys() throws {
    for (key, values, code) in [
      ("name", [Value.string("x"), .null], "invalid-request"), ("nam", [.string("x")], "unknown-key"),
      ("department", [.string("x")], "wrong-property-kind"),
    ] {
      let error = try inMemory {
        #expect(throws: GraphStoreError.self) {
          try context.findOrCreate(of: "Employee", key: key, values: values)
        }
      }
      #expect(error?.code.rawValue == code)
    }
    #expect(throws: (any Error).self) {
      try context.findOrCreate(of: "Employee", key: "salary", values: ["many"])
    }
    #expect(context.insertedObjects.isEmpty)
  }

  @Test("FET-135: requests of a class are built, configured and run")
  func configured() throws {
    #expect(try context.count(of: Employee.self) == 4)
    #expect(try context.count(of: Employee.self) { $0.predicate = try predicate("salary > 15") } == 3)
    let found = try context.fetch(of: Employee.self) {
      $0.sortDescriptors = [try QuerySortDescriptor(parsing: "salary")]
      $0.fetchLimit = 2
    }
    #expect(try found.map { try $0.string("name") } == ["Ada", "Bob"])
    struct Refused: Error {}
    #expect(throws: Refused.self) { try context.fetch(of: Employee.self) { _ in throw Refused() } }
  }

  @Test("FET-136: a class declares its entity, its order and its condition")
  func declared() throws {
    let all = try context.fetch(Employee.sortedFetchRequest)
    #expect(try all.map { try $0.string("name") } == ["Cy", "Bob", "Ada"])
    let some = try context.fetch(Employee.sortedFetchRequest(with: predicate("salary != 20")))
    #expect(try some.map { try $0.string("name") } == ["Cy", "Ada"])
    #expect(try context.fetch(Staff.fetchRequest()).count == 1)
    #expect(try context.count(of: Staff.self) == 1)
    #expect(Staff.defaultSortDescriptors.isEmpty)
    #expect(Staff.defaultPredicate == .constant(true))
  }

  @Test(
    "FET-126: existing objects come in the order of the identifiers, repeated and without those that are gone"
  )
  func existing() throws {
    let ids = try context.fetchIdentifiers(
      FetchRequest(entityName: "Employee", sortDescriptors: [try QuerySortDescriptor(parsing: "name")]))
    try stack.removeRow(ids[1])
    let wanted = [ids[3], ids[0], ids[1], ids[3]]
    var found: [ManagedObject] = []
    let statements = try stack.statements { found = try context.existingObjects(with: wanted) }
    #expect(statements == (stack.has(.statements) ? 1 : 0))
    #expect(found.map(\.objectID) == [ids[3], ids[0], ids[3]])
    #expect(try inMemory { try context.existingObjects(with: [ids[0], ids[3]]) }.count == 2)
  }
}
