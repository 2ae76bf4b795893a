import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("What incremental stores are asked")
struct IncrementalFetchTests {
  /// Requests of every kind, as text: predicate, sort, offset and limit.
  private static let requests: [(predicate: String?, sort: [String], offset: Int, limit: Int)] = [
    (nil, [], 0, 0), (nil, ["salary:desc"], 0, 0), (nil, ["name"], 2, 3), (nil, [], 0, 2),
    ("salary > 21", [], 0, 0), ("salary > 12 AND name != 'E33'", ["name:desc"], 1, 4),
    ("department.name == 'D2'", ["salary"], 0, 0), ("department == nil OR salary == nil", ["name"], 0, 0),
    ("ANY projects.name == 'P3'", ["department.name:desc", "salary"], 1, 0),
    ("projects.@count == 0", ["name"], 0, 0), ("department.employees.@count > 2", ["name"], 0, 5),
    ("name LIKE 'E?1'", ["department.name", "name"], 0, 2), ("salary > 1000", ["name"], 0, 3),
    ("NOT (salary < 25)", ["salary", "name"], 3, 2), ("FALSEPREDICATE", [], 0, 0),
  ]

  private static let sets: [IncrementalStoreCapabilities] =
    [[], .all, [.versions]]
    + [.predicates, .sorting, .windows, .counts, .identifiers].flatMap {
      part -> [IncrementalStoreCapabilities] in
      [part, .all.subtracting(part)]
    }

  private static func request(_ number: Int) throws -> FetchRequest<ManagedObject> {
    let (predicate, sort, offset, limit) = requests[number]
    var request = FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try sort.map { try QuerySortDescriptor(parsing: $0) })
    (request.fetchOffset, request.fetchLimit) = (offset, limit)
    return request
  }

  private func names(_ context: ManagedObjectContext, _ request: FetchRequest<ManagedObject>) throws
    -> [String]
  {
    let names = try context.fetch(request).map { try $0.string("name") ?? "" }
    return request.sortDescriptors.isEmpty ? names.sorted() : names
  }

  private func fill(_ context: ManagedObjectContext) throws {
    for number in 1...3 {
      let department = try context.insert("Department", ["name": "D\(number)"])
      let project = try context.insert("Project", ["name": "P\(number)"])
      for place in 1...3 {
        let employee = try context.insert(
          place == 2 ? "Manager" : "Employee", ["name": "E\(number)\(place)", "department": department])
        if place != 3 { try employee.setValue(number * 10 + place, forKey: "salary") }
        if number != place { try employee.addObjects([project], forKey: "projects") }
      }
    }
    try context.insert("Employee", ["name": "Nobody"])
    try context.save()
    context.reset()
  }

  // STO-096, STO-097, STO-051, STO-052
  @Test(
    "with every capability, with none and with each alone or missing, answers are those of a store in memory",
    arguments: sets)
  func capabilities(_ capabilities: IncrementalStoreCapabilities) throws {
    let oracle = ManagedObjectContext(
      coordinator: try .inMemory(model: ManagedObjectModel(TestModels.company())))
    try fill(oracle)
    for declined in [[], .predicate, .sort, .window, [.predicate, .sort, .window]]
      as [IncrementalStoreQuery.Parts]
    {
      let stack = try ShelfStack(
        TestModels.company(), .init(capabilities: capabilities, declined: declined))
      try fill(stack.context)
      for number in Self.requests.indices {
        let request = try Self.request(number)
        stack.shelf.forgetCalls()
        #expect(try names(stack.newContext(), request) == names(oracle, request), "\(Self.requests[number])")
        for case .fetch(_, _, let parts) in stack.shelf.calls {
          if parts.contains(.predicate) { #expect(capabilities.contains(.predicates)) }
          if parts.contains(.sort) { #expect(capabilities.contains(.sorting)) }
          if parts.contains(.window) { #expect(capabilities.contains(.windows)) }
        }
        #expect(
          try stack.context.count(for: request) == oracle.count(for: request), "\(Self.requests[number])")
        var identifiers = request
        identifiers.resultType = .managedObjectID
        #expect(
          try stack.context.fetchIdentifiers(identifiers).count == oracle.fetchIdentifiers(identifiers).count)
      }
    }
  }

  // STO-096
  @Test(
    "the library corrects answers by unsaved changes, and makes dictionaries, groups and aggregates of nodes")
  func aboveTheStore() throws {
    let stack = try ShelfStack()
    try fill(stack.context)
    let employee = try stack.context.all("Employee", "name == 'E11'")[0]
    try employee.setValue(500, forKey: "salary")
    try stack.context.insert("Employee", ["name": "New", "salary": 400])
    #expect(
      try stack.context.all("Employee", "salary > 100", sort: ["salary"]).map { try $0.string("name") }
        == ["New", "E11"])
    #expect(try stack.context.count(for: FetchRequest(entityName: "Employee")) == 11)
    stack.context.rollback()
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.resultType = .dictionary
    request.propertiesToGroupBy = ["department.name"]
    request.propertiesToFetch = [
      "department.name", .expression(try ExpressionDescription(name: "total", parsing: "sum:(salary)")),
    ]
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "department.name")]
    stack.shelf.forgetCalls()
    let totals = try stack.newContext().fetchDictionaries(request).map { $0["total"] }
    #expect(totals.suffix(3).map { $0 as? Int64 } == [23, 43, 63])
    // One for the nodes, and one for the departments of all of them.
    #expect(stack.shelf.calls.count == 2)
  }

  // STO-097
  @Test("a request that memory may not complete is refused, whether capabilities or the store decline a part")
  func refused() throws {
    for behaviour in [
      ShelfStore.Behaviour(capabilities: .all.subtracting(.predicates)), .init(declined: .predicate),
    ] {
      let stack = try ShelfStack(TestModels.company(), behaviour).fill()
      var request = try Self.request(4)
      request.inMemoryEvaluation = .refused
      _ = try expectFailure(.unsupportedInStore) { _ = try stack.context.fetch(request) }
      request.predicate = nil
      #expect(try stack.context.fetch(request).count == 9)
    }
  }

  // STO-097
  @Test("an explanation says what the store is asked, and what is done above it")
  func explanation() throws {
    let stack = try ShelfStack(TestModels.company(), .init(capabilities: [.predicates])).fill()
    let explanation = try stack.context.explain(Self.request(6))
    #expect(explanation.parts.map(\.place) == [.customStore, .memory])
    #expect(explanation.parts.map(\.reason) == [nil, .capability])
    #expect(!explanation.isInStore)
  }

  /// A store that answers what it is not asked.
  @Test("an answer of another kind, of other entities, twice the same, or that declines too much is refused")
  func wrongAnswers() throws {
    struct Odd: IncrementalStore {
      let answer: IncrementalStoreAnswer
      var capabilities: IncrementalStoreCapabilities { [.identifiers, .counts] }

      func loadMetadata() async throws -> [String: Value] {
        ["NSStoreType": .string("Odd"), "NSStoreUUID": .string(UUID().uuidString)]
      }
      func fetch(_ query: IncrementalStoreQuery) async throws -> IncrementalStoreAnswer { answer }
      func nodes(for identifiers: [NodeIdentifier]) async throws -> [IncrementalStoreNode] {
        [IncrementalStoreNode(NodeIdentifier(entity: "Employee", reference: 9), values: [:])]
      }
      func members(_ query: IncrementalStoreMemberQuery) async throws -> IncrementalStoreMembers {
        IncrementalStoreMembers([query.owners[0]: [NodeIdentifier(entity: "Department", reference: 1)]])
      }
    }
    let node = IncrementalStoreNode(NodeIdentifier(entity: "Employee", reference: 1), values: [:])
    let other = IncrementalStoreNode(NodeIdentifier(entity: "Desk", reference: 1), values: [:])
    for answer in [
      .count(1), .identifiers([node.identifier]), .nodes([node, node]), .nodes([other]),
      .unsupported(.predicate),
    ] as [IncrementalStoreAnswer] {
      let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
      try coordinator.addStore(Odd(answer: answer))
      let context = ManagedObjectContext(coordinator: coordinator)
      _ = try expectFailure(.storeCorrupt) { _ = try context.all("Employee") }
    }
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
    let store = try coordinator.addStore(Odd(answer: .nodes([node])))
    let context = ManagedObjectContext(coordinator: coordinator)
    let id = try #require(
      try coordinator.managedObjectID(for: NodeIdentifier(entity: "Employee", reference: 3), in: store))
    _ = try expectFailure(.storeCorrupt) { _ = try context.existingObject(with: id) }
    _ = try expectFailure(.storeCorrupt) { _ = try context.all("Employee")[0].objects(forKey: "reports") }
  }

  // MARK: Calls

  // FLT-143, FLT-178
  @Test("prefetching costs one call a level, however many objects there are")
  func prefetching() throws {
    for departments in [2, 20] {
      let stack = try ShelfStack().fill(departments: departments)
      var request = FetchRequest<ManagedObject>(entityName: "Department")
      request.relationshipKeyPathsForPrefetching = ["employees.projects"]
      let context = stack.newContext()
      let found = try context.fetch(request)
      #expect(stack.shelf.calls.count == 3)
      for department in found {
        for employee in try department.objects(forKey: "employees") {
          #expect(try employee.names("projects").count == 1)
        }
      }
      #expect(stack.shelf.calls.count == 3)
    }
  }

  // FLT-143
  @Test("a predicate over two levels that memory evaluates costs one call a level")
  func evaluating() throws {
    for departments in [2, 20] {
      let stack = try ShelfStack(TestModels.company(), .init(capabilities: [])).fill(departments: departments)
      let context = stack.newContext()
      let found = try context.all(
        "Employee", "department.name != 'D1' AND ANY projects.name != 'P1'",
        sort: ["department.name", "name"])
      #expect(found.count == (departments - 1) * 3)
      #expect(stack.shelf.calls.count == 3)
    }
  }

  // FLT-178
  @Test("a fault costs one call, a group of faults one, and a list in batches one a batch")
  func faults() throws {
    let stack = try ShelfStack().fill(departments: 10)
    let context = stack.newContext()
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
    let ids = try context.fetchIdentifiers(request)
    #expect(stack.shelf.calls == [.fetch(entity: "Employee", output: .identifiers, parts: .sort)])
    stack.shelf.forgetCalls()
    let objects = try ids.map { try context.object(with: $0) }
    #expect(stack.shelf.calls.isEmpty)
    _ = try objects[0].string("name")
    #expect(stack.shelf.calls == [.nodes(1)])
    try context.realizeFaults(in: objects)
    #expect(stack.shelf.calls == [.nodes(1), .nodes(29)])
    _ = try objects[0].objects(forKey: "projects").count
    #expect(stack.shelf.calls.last == .members("projects", owners: 1) && stack.shelf.calls.count == 3)
    stack.shelf.forgetCalls()
    request.fetchBatchSize = 10
    let list = try stack.newContext().fetchBatched(request)
    for place in 0..<list.count { _ = try list[place].string("name") }
    #expect(stack.shelf.calls.count == 4 && stack.shelf.calls.dropFirst().allSatisfy { $0 == .nodes(10) })
  }

  // STO-100
  @Test("members are asked for at the first touch, and come in the order of an ordered relationship")
  func members() throws {
    let stack = try ShelfStack(TestModels.company(isOrdered: true))
    let department = try stack.context.insert("Department", ["name": "D"])
    for name in ["c", "a", "b"] {
      try stack.context.insert("Employee", ["name": name, "department": department])
    }
    try stack.context.save()
    let other = try stack.elsewhere()
    let found = try other.all("Department")[0]
    stack.shelf.forgetCalls()
    #expect(try found.names("employees") == ["c", "a", "b"])
    #expect(stack.shelf.calls.first == .members("employees", owners: 1))
    let members = try found.objects(forKey: "employees")
    try found.setValue([members[2], members[0], members[1]], forKey: "employees")
    try other.save()
    let order = try #require(stack.shelf.savedChanges.last?.links.first?.members)
    #expect(order == [members[2], members[0], members[1]].compactMap { $0.objectID.nodeIdentifier })
    // The first context knows the former order, and adds one at its end.
    try stack.context.insert("Employee", ["name": "d", "department": department])
    try stack.context.save()
    #expect(try stack.elsewhere().all("Department")[0].names("employees") == ["b", "c", "a", "d"])
  }

  // STO-053, STO-106
  @Test("the row cache has what the store gave last; a fetch asks again, and so does a fault with an old row")
  func staleness() throws {
    let stack = try ShelfStack().fill()
    let id = stack.identifier("Employee", 1)
    let objectID = try #require(try stack.coordinator.managedObjectID(for: id, in: stack.store))
    let first = try stack.context.existingObject(with: objectID)
    stack.shelf.change(id) { $0.values["name"] = .string("Changed") }
    #expect(try stack.newContext().existingObject(with: objectID).string("name") == "E11")
    _ = try stack.newContext().all("Employee")
    #expect(try first.string("name") == "E11")
    try stack.context.refresh(first, mergeChanges: true)
    #expect(try first.string("name") == "Changed")
    stack.shelf.change(id) { $0.values["name"] = .string("Again") }
    #expect(try stack.newContext().existingObject(with: objectID).string("name") == "Changed")
    let impatient = stack.newContext()
    impatient.stalenessInterval = 0.05
    Thread.sleep(forTimeInterval: 0.2)
    #expect(try impatient.object(with: objectID).string("name") == "Again")
    #expect(try stack.newContext().existingObject(with: objectID).string("name") == "Again")
  }

  // STO-103
  @Test(
    "records are registered while a context uses them, once for all contexts, and unregistered behind the last"
  )
  func registrations() throws {
    let stack = try ShelfStack().fill()
    expectSoon { stack.shelf.recordsInUse.isEmpty }
    var first: ManagedObjectContext? = stack.newContext()
    var second: ManagedObjectContext? = stack.newContext()
    var objects = [try first?.all("Department"), try second?.all("Department")]
    expectSoon { stack.shelf.recordsInUse.count == 3 }
    #expect(stack.shelf.recordsInUse.contains(stack.identifier("Department", 2)))
    let new = try #require(first).insert("Department", ["name": "New"])
    try #require(first).save()
    expectSoon { stack.shelf.recordsInUse.count == 4 }
    _ = new
    objects[0] = nil
    first = nil
    expectSoon { stack.shelf.recordsInUse.count >= 3 }
    objects = []
    second = nil
    withExtendedLifetime(new) {}
  }
}
