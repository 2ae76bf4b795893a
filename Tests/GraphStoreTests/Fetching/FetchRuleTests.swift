import Testing

@testable import GraphStore

/// Identity, order, windows, identifiers and sub-entities of fetches, over every type of store.
@Suite("Rules of fetches", .everyStore)
struct FetchRuleTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    let departments = try ["R&D", "Sales"].map { try stack.context.insert("Department", ["name": $0]) }
    for number in 0..<10 {
      let entity = number == 9 ? "Manager" : "Employee"
      let employee = try stack.context.insert(entity, ["name": "E\(number)", "salary": number / 3])
      try employee.setValue(departments[number % 2], forKey: "department")
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func request(
    _ predicate: String? = nil, sort: String? = nil, limit: Int = 0, offset: Int = 0
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try sort.map { try QuerySortDescriptor.list(parsing: $0) } ?? [], fetchLimit: limit,
      fetchOffset: offset)
  }

  private func names(_ request: FetchRequest<ManagedObject>) throws -> [String] {
    try context.fetch(request).compactMap { try $0.string("name") }
  }

  private func numbers(_ request: FetchRequest<ManagedObject>) throws -> [Int] {
    try names(request).compactMap { Int($0.dropFirst()) }
  }

  // MARK: Identity

  @Test("FET-024, FET-026, FET-030: every fetch asks the store; one record is one object of one context")
  func identity() throws {
    var first: [ManagedObject] = []
    var second: [ManagedObject] = []
    let asked = try stack.statements {
      first = try context.fetch(request(sort: "name"))
      second = try context.fetch(request(sort: "name"))
    }
    #expect(asked == (stack.has(.statements) ? 2 : 0))
    #expect(zip(first, second).allSatisfy { $0 === $1 })
    let other = stack.newContext()
    let elsewhere = try other.fetch(request(sort: "name"))
    #expect(elsewhere.map(\.objectID) == first.map(\.objectID))
    #expect(elsewhere.allSatisfy { $0.managedObjectContext === other })
    #expect(zip(first, elsewhere).allSatisfy { $0 !== $1 })
  }

  @Test("FET-025, FET-031: rows enter the row cache, related objects are not made", .needs(.statements))
  func rowCache() throws {
    let found = try context.fetch(request(sort: "name"))
    #expect(context.registeredCount == 10)
    let other = stack.newContext()
    let same = try other.object(with: found[3].objectID)
    #expect(try stack.statements { try check(try same.string("name") == "E3") } == 0)
    let reference = try #require(try found[0].object(forKey: "department"))
    #expect(reference.isFault)
    #expect(try stack.statements { _ = try reference.string("name") } == 1)
    #expect(try stack.statements { _ = try found[0].objects(forKey: "reports") } == 1)
  }

  @Test("FET-032: no match is an empty list, and a failure leaves the context as it was")
  func emptyAndFailing() throws {
    #expect(try context.fetch(request("name == 'nobody'")).isEmpty)
    let new = try context.insert("Employee", ["name": "New"])
    #expect(throws: (any Error).self) { try context.fetch(request("nothing == 1")) }
    #expect(context.insertedObjects == [new])
    #expect(context.registeredCount == 1)
  }

  @Test("FET-038, FET-039: what is inserted is found in its own context, with its inverses, and in no other")
  func unsavedObjects() throws {
    let department = try context.all("Department", "name == 'R&D'")[0]
    let new = try context.insert("Employee", ["name": "New"])
    try department.addObjects([new], forKey: "employees")
    #expect(try names(request("department.name == 'R&D' AND name == 'New'")) == ["New"])
    #expect(try stack.newContext().all("Employee", "name == 'New'").isEmpty)
    try context.delete(department)
    #expect(try numbers(request("department == nil", sort: "name")) == [0, 2, 4, 6, 8])
  }

  // MARK: Order and windows

  @Test(
    "FET-044, FET-045, FET-046: later descriptors decide where earlier ones find equals, then the key does")
  func order() throws {
    #expect(try numbers(request(sort: "-salary,name")) == [9, 6, 7, 8, 3, 4, 5, 0, 1, 2])
    #expect(try numbers(request(sort: "salary,-name")) == [2, 1, 0, 5, 4, 3, 8, 7, 6, 9])
    #expect(try numbers(request(sort: "department.name,-name")) == [8, 6, 4, 2, 0, 9, 7, 5, 3, 1])
    #expect(try numbers(request(sort: "salary")) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(try numbers(request(sort: "-salary")) == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    for (name, salary) in [("E20", 2), ("E10", 0), ("E21", 2)] {
      try context.insert("Employee", ["name": name, "salary": salary])
    }
    #expect(try numbers(request(sort: "salary")) == [0, 1, 2, 10, 3, 4, 5, 6, 7, 8, 20, 21, 9])
    #expect(try numbers(request(sort: "-salary")) == [9, 8, 7, 6, 20, 21, 5, 4, 3, 2, 1, 0, 10])
  }

  @Test("FET-049: an order that the store does not have is the same, and makes no difference to a window")
  func orderInMemory() throws {
    let sort = "-name:localized"
    #expect(try numbers(request(sort: sort)) == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    #expect(
      try numbers(
        request("NOT name MATCHES name OR name BETWEEN {'E2', 'E8'}", sort: sort, limit: 3, offset: 1)) == [
          7, 6, 5,
        ])
  }

  @Test("FET-047, FET-050: a window without an order counts by key; identifiers keep the order")
  func keyOrder() throws {
    try context.insert("Employee", ["name": "E10"])
    #expect(try numbers(request(limit: 4, offset: 8)) == [8, 9, 10])
    #expect(try numbers(request(offset: 8)) == [8, 9, 10])
    #expect(try numbers(request("name MATCHES name", limit: 2, offset: 9)) == [9, 10])
    let sorted = try request(sort: "-salary,name")
    #expect(try context.fetchIdentifiers(sorted) == context.fetch(sorted).map(\.objectID))
  }

  @Test("FET-051, FET-052, FET-053, FET-058: the window is cut last, and counted as it is cut")
  func window() throws {
    #expect(try numbers(request(sort: "name", limit: 3, offset: 4)) == [4, 5, 6])
    #expect(try numbers(request(sort: "name", offset: 10)).isEmpty)
    #expect(try numbers(request(sort: "name", limit: 5, offset: 100)).isEmpty)
    #expect(try numbers(request(sort: "name", limit: 100, offset: 8)) == [8, 9])
    for (limit, offset, count) in [(3, 4, 3), (0, 4, 6), (5, 8, 2), (5, 20, 0), (0, 0, 10)] {
      let request = try request(sort: "name", limit: limit, offset: offset)
      #expect(try context.count(for: request) == count)
      #expect(try context.fetchIdentifiers(request).count == count)
    }
    #expect(try numbers(request(sort: "name", limit: Int.max, offset: 3)).count == 7)
  }

  @Test(
    "FET-057: windows of one size, one after the other, give everything once",
    arguments: [nil, "salary", "-name"])
  func pages(sort: String?) throws {
    for _ in 0..<2 {
      var pages: [Int] = []
      while true {
        let page = try numbers(request("salary < 50", sort: sort, limit: 3, offset: pages.count))
        pages += page
        if page.count < 3 { break }
      }
      #expect(Set(pages).count == pages.count)
      #expect(pages == (try numbers(request("salary < 50", sort: sort, limit: 100))))
      // Unsaved changes make no difference to that.
      try context.insert("Employee", ["name": "E30", "salary": 1])
      try context.all("Employee", "name == 'E5'")[0].setValue(0, forKey: "salary")
    }
  }

  // MARK: By identifier

  @Test(
    "FET-121, FET-123, FET-125: objects and identifiers name what is found; those that are gone do not appear"
  )
  func byIdentifier() throws {
    let all = try context.fetch(request(sort: "name"))
    let one = try QueryPredicate("SELF == %@", all[3])
    #expect(try context.fetch(FetchRequest(entityName: "Employee", predicate: one)) == [all[3]])
    try stack.removeRow(all[5].objectID)
    let mixed: [any ValueConvertible] = [all[1], all[2].objectID, all[5].objectID, all[2]]
    var several = try request(sort: "name")
    several.predicate = try QueryPredicate("SELF IN %@", Value.list(mixed.map(\.queryValue)))
    #expect(try context.fetch(several) == [all[1], all[2]])
    several.predicate = try QueryPredicate("SELF IN %@", Value.list([]))
    #expect(try context.fetch(several).isEmpty)
    let scope = all[0].objectID.scope
    let many = (1...100_000).map { key in
      Value.object(
        ObjectReference(ManagedObjectID(scope: scope, entityIndex: all[0].layout.index, key: Int64(key))))
    }
    several.predicate = try QueryPredicate("SELF IN %@", Value.list(many))
    let statements = try stack.statements { try check(try context.fetch(several).count == 9) }
    #expect(statements == (stack.has(.statements) ? 1 : 0))
  }

  @Test(
    "FET-122, FET-119: a fetch by identifiers renews rows, and realises faults that are held",
    .needs(.statements))
  func renewed() throws {
    let held = try context.fetch(request(sort: "name"))
    context.refreshAll(held)
    var again = try request(sort: "name")
    again.predicate = try QueryPredicate("SELF IN %@", Value.list(held.map(\.queryValue)))
    again.returnsObjectsAsFaults = false
    #expect(held.allSatisfy { $0.isFault })
    #expect(try stack.statements { try check(try context.fetch(again) == held) } == 1)
    #expect(held.allSatisfy { !$0.isFault })
    let departments = try context.all("Department")
    var inverse = FetchRequest(entityName: "Employee")
    inverse.predicate = try QueryPredicate("department IN %@", Value.list(departments.map(\.queryValue)))
    #expect(try stack.statements { try check(try context.fetch(inverse).count == 10) } == 1)
  }

  @Test(
    "FET-124: identifiers of other entities, stores and contexts match nothing; those of sub-entities match")
  func foreignIdentifiers() throws {
    let manager = try context.all("Manager")[0]
    let department = try context.all("Department")[0]
    let unsaved = try stack.newContext().insert(entityNamed: "Employee")
    let foreign = try TestStack(TestModels.company())
    try foreign.context.insert("Employee", ["name": "x"])
    try foreign.context.save()
    let other = try foreign.context.all("Employee")[0]
    var found = try request()
    let ids = [manager, department, unsaved, other].map(\.objectID.queryValue)
    found.predicate = try QueryPredicate("SELF IN %@", Value.list(ids))
    #expect(try context.fetch(found) == [manager])
    found.includesSubentities = false
    #expect(try context.fetch(found).isEmpty)
  }

  @Test("FET-120: the identifiers of destinations are read without firing them", .needs(.statements))
  func identifiersOfDestinations() throws {
    let all = try context.fetch(request(sort: "name"))
    for object in all { _ = try object.string("name") }
    let ids = try stack.statements {
      let ids = try all.map { try $0.value(forKeyPath: "department.objectID") as? ManagedObjectID }
      try check(Set(ids).count == 2)
    }
    #expect(ids == 0)
    #expect(try all.allSatisfy { try $0.object(forKey: "department")?.isFault == true })
  }

  @Test(
    "FET-127: faults are realised with one statement an entity tree; others, and an empty list, cost none")
  func realizing() throws {
    let departments = try context.all("Department")
    let employees = try context.fetch(request(sort: "name"))
    context.refreshAll(departments + employees)
    context.forgetRows(departments + employees)
    let statements = try stack.statements { try context.realizeFaults(in: departments + employees) }
    #expect(statements == (stack.has(.statements) ? 2 : 0))
    #expect((departments + employees).allSatisfy { !$0.isFault })
    #expect(
      try stack.statements {
        try context.realizeFaults(in: employees)
        try context.realizeFaults(in: [])
      } == 0)
  }

  // MARK: Sub-entities

  @Test("FET-242, FET-243, FET-245: sub-entities are mixed in, left out, or chosen by name")
  func subentities() throws {
    #expect(try context.fetch(request(sort: "name")).map(\.entity.name).last == "Manager")
    var own = try request(sort: "name")
    own.includesSubentities = false
    #expect(try numbers(own) == Array(0..<9))
    #expect(try context.count(for: own) == 9)
    #expect(try numbers(request("entity.name == 'Manager'")) == [9])
    #expect(try numbers(request("entity.name IN {'Employee'}", sort: "name")) == Array(0..<9))
    try context.insert("Manager", ["name": "E11"])
    #expect(try numbers(request("entity.name == 'Manager'", sort: "name")) == [11, 9])
    #expect(try numbers(own) == Array(0..<9))
  }
}

extension ManagedObjectContext {
  /// Turns objects into faults.
  fileprivate func refreshAll(_ objects: [ManagedObject]) {
    for object in objects { try? refresh(object, mergeChanges: false) }
  }

  /// Has the row cache forget the rows of objects.
  fileprivate func forgetRows(_ objects: [ManagedObject]) {
    for object in objects {
      registry.caches[Int(object.storeIndex)].forget(
        object.layout.rootIndex, [object.key], in: .committed)
    }
  }
}
