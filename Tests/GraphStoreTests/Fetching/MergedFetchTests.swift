import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Fetching from several stores")
struct MergedFetchTests {
  private let stack: SeveralStores
  private var context: ManagedObjectContext { stack.context }

  /// Employees 0 to 29, the even ones in the first store; both stores have the same keys.
  init() throws {
    stack = try SeveralStores()
    for number in 0..<30 {
      try stack.insert("Employee", ["name": "E\(number)", "salary": number / 2 * 10], into: number % 2)
    }
    try context.save()
    context.reset()
  }

  private func request(
    _ predicate: String? = nil, sort: [String] = ["name"], limit: Int = 0, offset: Int = 0
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try sort.map { try QuerySortDescriptor(parsing: $0) }, fetchLimit: limit,
      fetchOffset: offset)
  }

  private func names(_ objects: [ManagedObject]) throws -> [String?] {
    try objects.map { try $0.string("name") }
  }

  /// What one store would give.
  private func expected(_ isMeant: (Int) -> Bool = { _ in true }) -> [String] {
    (0..<30).filter(isMeant).map { "E\($0)" }.sorted()
  }

  @Test("STO-123, FET-034, FET-048: the rows of one entity in two stores come as one sorted result")
  func union() throws {
    #expect(try names(context.fetch(request())) == expected())
    #expect(try names(context.fetch(request("salary < 50"))) == expected { $0 / 2 * 10 < 50 })
    #expect(try names(context.fetch(request(sort: ["name:desc"]))) == expected().reversed())
    #expect(try context.count(for: request("salary >= 50")) == expected { $0 / 2 * 10 >= 50 }.count)
    #expect(try context.fetchIdentifiers(request()).count == 30)
  }

  @Test("FET-048: equal sort keys stay in the order of the stores, as in a sort that is stable")
  func ties() throws {
    let objects = try context.fetch(request(sort: ["salary"]))
    #expect(try names(objects) == (0..<30).map { "E\($0)" })
  }

  @Test("STO-124: limit and offset cut the merged result, and a store gives at most their sum")
  func window() throws {
    for (limit, offset) in [(1, 0), (5, 0), (5, 7), (0, 25), (100, 3), (4, 28), (3, 40), (Int.max, 2)] {
      let rest = expected().dropFirst(offset)
      let wanted = limit > 0 ? Array(rest.prefix(limit)) : Array(rest)
      let request = try request(limit: limit, offset: offset)
      #expect(try names(context.fetch(request)) == wanted, "\(limit) from \(offset)")
      #expect(try context.count(for: request) == wanted.count, "\(limit) from \(offset)")
      #expect(try context.fetchIdentifiers(request).count == wanted.count)
    }
    context.reset()
    let kept = try context.fetch(request(limit: 2, offset: 3))
    #expect(kept.count == 2)
    // The objects of the rows that were read but are not in the result have been let go of.
    var read = 0
    let explanation = try context.analyze(request(limit: 2, offset: 3))
    read = explanation.rows.read ?? 0
    #expect(read == 10)
  }

  @Test("STO-124: with unsaved changes the window is that of the corrected answer")
  func windowWithChanges() throws {
    try context.insert("Employee", ["name": "E"])
    try context.delete(context.fetch(request("name == 'E1'"))[0])
    let wanted = (["E"] + expected { $0 != 1 }).sorted()
    #expect(try names(context.fetch(request(limit: 4, offset: 1))) == Array(wanted.dropFirst().prefix(4)))
    #expect(try context.count(for: request()) == 30)
  }

  @Test("STO-125: without an order stores follow each other in the order of adding")
  func unsorted() throws {
    let objects = try context.fetch(request(sort: []))
    #expect(try names(objects) == (0..<30).sorted { ($0 % 2, $0) < ($1 % 2, $1) }.map { "E\($0)" })
    #expect(try names(context.fetch(request(sort: [], limit: 4, offset: 13))) == ["E26", "E28", "E1", "E3"])
    let ids = try context.fetchIdentifiers(request(sort: [], limit: 4, offset: 13))
    #expect(
      try ids.map { try context.existingObject(with: $0).string("name") } == ["E26", "E28", "E1", "E3"])
    var values: [String] = []
    try context.enumerateFields(request(sort: []), keyPaths: ["name"]) { row in values.append("\(row)") }
    #expect(values.count == 30)
  }

  @Test("STO-123, CTX-006: equal keys of two stores are two objects, each with the links of its own store")
  func equalKeys() throws {
    let stack = try SeveralStores()
    for number in 0..<2 {
      let department = try stack.insert("Department", ["name": "D\(number)"], into: number)
      for name in ["a", "b"] {
        try stack.insert("Employee", ["name": "\(name)\(number)", "department": department], into: number)
      }
    }
    try stack.context.save()
    let context = stack.newContext()
    var request = FetchRequest(
      entityName: "Department", sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
    request.relationshipKeyPathsForPrefetching = ["employees"]
    let departments = try context.fetch(request)
    #expect(departments.map(\.key) == [1, 1] && departments[0].objectID != departments[1].objectID)
    for (number, department) in departments.enumerated() {
      #expect(Set(try department.names("employees")) == ["a\(number)", "b\(number)"])
    }
    var employees = FetchRequest(
      entityName: "Employee", sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
    employees.relationshipKeyPathsForPrefetching = ["department.employees"]
    for employee in try context.fetch(employees) {
      let department = try #require(try employee.object(forKey: "department"))
      #expect(try department.string("name")?.last == employee.string("name")?.last)
    }
    let found = try context.all("Employee", "department.name == 'D1'", sort: ["name"])
    #expect(try names(found) == ["a1", "b1"])
    try context.delete(departments[0])
    try context.processPendingChanges()
    #expect(try context.all("Employee", "department == nil").count == 2)
    try context.save()
    #expect(
      try context.all("Employee", "department == nil", sort: ["name"]).map { try $0.string("name") } == [
        "a0", "b0",
      ])
    #expect(try stack.names("Department", in: 1) == ["D1"])
    #expect(try stack.findings().isEmpty)
    try context.checkInvariants()
  }

  // MARK: Affected stores

  @Test("STO-129, FET-017: affectedStores restricts every kind of fetch; an empty list gives nothing")
  func affectedStores() throws {
    var request = try request(limit: 5)
    request.affectedStores = [stack.stores[1]]
    #expect(try names(context.fetch(request)) == Array(expected { $0 % 2 == 1 }.prefix(5)))
    request.fetchLimit = 0
    #expect(try context.count(for: request) == 15 && context.fetchIdentifiers(request).count == 15)
    request.affectedStores = stack.stores
    #expect(try context.count(for: request) == 30)
    request.affectedStores = []
    #expect(try context.fetch(request).isEmpty && context.count(for: request) == 0)
    #expect(try context.fetchIdentifiers(request).isEmpty)
    try context.insert("Employee", ["name": "new"])
    #expect(try context.fetch(request).isEmpty && context.count(for: request) == 0)
    var typed = FetchRequest<ManagedObject>(entityName: "Employee")
    typed.affectedStores = [stack.stores[1]]
    #expect(try context.fetch(typed).count == 15)
  }

  @Test(
    "STO-129, FET-017: a store that the coordinator does not have throws unknown-store, also beside others")
  func unknownStore() throws {
    let other = try SeveralStores()
    var request = try request()
    request.affectedStores = [stack.stores[0], other.stores[0]]
    let error = failure { _ = try context.fetch(request) }
    #expect(error?.code == .unknownStore && error?.number == 136009)
    #expect(code { _ = try context.count(for: request) } == .unknownStore)
    #expect(code { _ = try context.fetchIdentifiers(request) } == .unknownStore)
    try stack.coordinator.remove(stack.stores[1])
    request.affectedStores = [stack.stores[1]]
    #expect(code { _ = try context.fetch(request) } == .unknownStore)
  }

  @Test(
    "FET-067: of unsaved objects those take part that are assigned to an affected store, or would be put there"
  )
  func unsavedObjects() throws {
    let boss = try #require(try context.fetch(request("name == 'E1'")).first)
    try stack.insert("Employee", ["name": "assigned"], into: 1)
    try stack.insert("Employee", ["name": "free"])
    try stack.insert("Employee", ["name": "related", "manager": boss])
    var request = try request("salary == nil OR salary == 0")
    request.affectedStores = [stack.stores[1]]
    #expect(try names(context.fetch(request)) == ["E1", "assigned", "related"])
    #expect(try context.count(for: request) == 3)
    request.affectedStores = [stack.stores[0]]
    #expect(try names(context.fetch(request)) == ["E0", "free"])
    request.affectedStores = nil
    #expect(try context.count(for: request) == 5)
    // A changed object takes part in its own store only.
    try boss.setValue(999, forKey: "salary")
    request = try self.request("salary == 999")
    request.affectedStores = [stack.stores[0]]
    #expect(try context.fetch(request).isEmpty)
    request.affectedStores = [stack.stores[1]]
    #expect(try names(context.fetch(request)) == ["E1"])
    try context.save()
    #expect(try stack.names("Employee", in: 1).contains("related"))
    #expect(try stack.names("Employee", in: 0).contains("free"))
  }

  // MARK: Identifiers

  @Test(
    "STO-135: URIs resolve in the store that they name; those of unknown stores and temporary ones are nil")
  func identifiers() throws {
    for object in try context.fetch(request()) {
      let id = stack.coordinator.managedObjectID(forURIRepresentation: object.objectID.uriRepresentation)
      #expect(id == object.objectID)
      #expect(try id.map { try context.existingObject(with: $0) } === object)
    }
    let second = try #require(try context.fetch(request("name == 'E1'")).first?.objectID)
    #expect(stack.coordinator.managedObjectID(forShortForm: second.shortForm) != second)
    let new = try context.insert("Employee", [:])
    #expect(
      stack.coordinator.managedObjectID(forURIRepresentation: new.objectID.uriRepresentation) == nil)
    context.rollback()
    try stack.coordinator.remove(stack.stores[1])
    #expect(stack.coordinator.managedObjectID(forURIRepresentation: second.uriRepresentation) == nil)
    #expect(code { _ = try context.object(with: second) } == .foreignObjectID)
  }

  @Test("STO-123: a store that is added later takes part in the fetches of contexts that exist")
  func addedLater() throws {
    #expect(try context.count(for: request()) == 30)
    let third = try stack.coordinator.addStore(at: stack.folder.file("3.db"))
    let new = try context.insert("Employee", ["name": "E99"])
    try context.assign(new, to: third)
    try context.save()
    #expect(try names(context.fetch(request())) == (expected() + ["E99"]).sorted())
    #expect(new.objectID.uriText.contains(third.identifier.uuidString))
    try context.checkInvariants()
  }

  @Test("A context that is older than all stores inserts and saves as any other")
  func olderContext() throws {
    let folder = try LayoutFolder()
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let object = try context.insert("Department", ["name": "D"])
    #expect(code { try context.save() } == .noStore)
    try coordinator.addStore(at: folder.file("s"))
    try context.save()
    #expect(!object.objectID.isTemporaryID && !context.hasChanges)
    #expect(try context.all("Department") == [object])
  }
}
