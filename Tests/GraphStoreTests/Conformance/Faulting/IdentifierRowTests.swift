import Testing

@testable import GraphStore

@Suite("Rows of identifier results", .everyStore)
struct IdentifierRowTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    for (name, salary) in [("Ada", 1), ("Bob", 2), ("Cas", 3)] {
      try stack.context.insert("Employee", ["name": name, "salary": salary])
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func request(_ predicate: String? = nil, sort: String = "name") throws -> FetchRequest<
    ManagedObject
  > {
    var request = FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try QuerySortDescriptor.list(parsing: sort))
    request.resultType = .managedObjectID
    return request
  }

  private func names(_ ids: [ManagedObjectID], in context: ManagedObjectContext) throws -> [String?] {
    try ids.map { try context.object(with: $0).string("name") }
  }

  @Test(
    "FET-072, FLT-054, FLT-059: the rows are cached without objects, and another context realises them without a statement"
  )
  func realised() throws {
    var ids: [ManagedObjectID] = []
    let count = try stack.statements { ids = try context.fetchIdentifiers(request()) }
    #expect(count == (stack.has(.statements) ? 1 : 0))
    #expect(ids.count == 3 && stack.cachedRows == 3 && context.registeredObjects.isEmpty)
    let other = stack.newContext()
    #expect(try stack.statements { try check(names(ids, in: other) == ["Ada", "Bob", "Cas"]) } == 0)
    guard case .identifiers(let again) = try context.fetchResults(request()) else {
      Issue.record("no identifiers")
      return
    }
    #expect(again == ids && stack.cachedRows == 3)
    try context.checkInvariants()
  }

  @Test(
    "FET-072, FLT-055: with includesPropertyValues off, and of a request for objects, keys alone are read")
  func keysAlone() throws {
    var keys = try request()
    keys.includesPropertyValues = false
    #expect(try context.fetchIdentifiers(keys).count == 3 && stack.cachedRows == 0)
    keys.includesPropertyValues = true
    keys.resultType = .managedObject
    #expect(try context.fetchIdentifiers(keys).count == 3 && stack.cachedRows == 0)
    keys.fetchBatchSize = 2
    #expect(try context.fetchBatched(keys).count == 3 && stack.cachedRows == 0)
  }

  @Test("FET-073: they stay until the context processes its changes, and those that somebody holds longer")
  func lifetime() throws {
    let ids = try context.fetchIdentifiers(request())
    let other = stack.newContext()
    var held: ManagedObject? = try other.object(with: ids[1])
    try other.processPendingChanges()
    #expect(stack.cachedRows == 3)
    try context.processPendingChanges()
    #expect(stack.cachedRows == 1)
    #expect(try stack.statements { _ = try held?.string("name") } == 0)
    held = nil
    #expect(stack.cachedRows == 0)
    // What is held twice stays until both have let go.
    var twice = try request()
    twice.includesPendingChanges = false
    for _ in 0..<2 { _ = try context.fetchIdentifiers(twice) }
    _ = try other.fetchIdentifiers(twice)
    #expect(stack.cachedRows == 3)
    try context.processPendingChanges()
    #expect(stack.cachedRows == 3)
    try other.processPendingChanges()
    #expect(stack.cachedRows == 0)
  }

  @Test("FET-073: a reset, a save, the end of a block and that of the context let go of them")
  func ends() throws {
    _ = try context.fetchIdentifiers(request())
    context.reset()
    #expect(stack.cachedRows == 0)
    _ = try context.fetchIdentifiers(request())
    try context.save()
    #expect(stack.cachedRows == 0)
    let inside = try context.performAndWait { [stack] in
      _ = try stack.context.fetchIdentifiers(request())
      return stack.cachedRows
    }
    #expect(inside == 3 && stack.cachedRows == 0)
    var passing: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
    _ = try passing?.fetchIdentifiers(request())
    #expect(stack.cachedRows == 3)
    passing = nil
    #expect(stack.cachedRows == 0)
  }

  @Test("FET-077, FET-028: they are the newest rows, also for faults that the context has already")
  func renewing() throws {
    let faults = try context.fetch(
      FetchRequest(entityName: "Employee", sortDescriptors: request().sortDescriptors))
    let realised = faults[2]
    try realised.realize()
    let other = try stack.otherProcess()
    for employee in try other.all("Employee") {
      try employee.setValue(try employee.string("name").map { $0 + "!" }, forKey: "name")
    }
    try other.save()
    let ids = try context.fetchIdentifiers(request())
    #expect(ids == faults.map(\.objectID) && faults[0].isFault && !realised.isFault)
    #expect(try stack.statements { try check(faults[0].string("name") == "Ada!") } == 0)
    #expect(try realised.string("name") == "Cas")
    try context.checkInvariants()
  }

  @Test("FET-072, FLT-060: what another context saves reaches them, a deletion too")
  func saved() throws {
    let ids = try context.fetchIdentifiers(request())
    let other = stack.newContext()
    try other.object(with: ids[0]).setValue("Ann", forKey: "name")
    try other.delete(other.object(with: ids[1]))
    try other.save()
    let third = stack.newContext()
    #expect(try stack.statements { try check(third.object(with: ids[0]).string("name") == "Ann") } == 0)
    #expect(stack.cachedRows == 2)
    try context.processPendingChanges()
    try context.checkInvariants()
  }

  @Test(
    "FET-065, FET-072, FET-284: of rows that memory judges, and beside unsaved objects, those of the result alone"
  )
  func judged() throws {
    context.functions.register("odd") { _, arguments in
      guard case .value(.int(let number))? = arguments.first else { return .value(.null) }
      return .value(.int(number % 2))
    }
    let odd = try request("FUNCTION(SELF, 'odd', salary) == 1")
    #expect(try names(context.fetchIdentifiers(odd), in: stack.newContext()) == ["Ada", "Cas"])
    context.reset()
    _ = try context.fetchIdentifiers(odd)
    #expect(stack.cachedRows == 2)
    let new = try context.insert("Employee", ["name": "Abe", "salary": 9])
    var window = try request()
    window.fetchLimit = 2
    let ids = try context.fetchIdentifiers(window)
    #expect(ids.first == new.objectID && ids.count == 2 && stack.cachedRows == 1)
    #expect(
      try stack.statements { try check(stack.newContext().object(with: ids[1]).string("name") == "Ada") } == 0
    )
    context.rollback()
    try context.processPendingChanges()
    #expect(stack.cachedRows == 0)
    try context.checkInvariants()
  }

  @Test("FET-034, FET-072: of several stores each has the rows of its part of the window", .needs(.files))
  func severalStores() throws {
    let stores = try SeveralStores()
    for number in 0..<6 { try stores.insert("Employee", ["name": "\(number)"], into: number % 2) }
    try stores.context.save()
    stores.context.reset()
    var window = try request()
    window.fetchLimit = 3
    let ids = try stores.context.fetchIdentifiers(window)
    #expect(stores.coordinator.mounts.map(\.store.rowCache.count) == [2, 1] && ids.count == 3)
    let other = ManagedObjectContext(coordinator: stores.coordinator)
    let before = stores.coordinator.statementCount
    #expect(try names(ids, in: other) == ["0", "1", "2"])
    #expect(stores.coordinator.statementCount == before)
  }
}
