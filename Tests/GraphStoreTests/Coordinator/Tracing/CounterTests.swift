import Foundation
import Testing

@testable import GraphStore

@Suite("Counters of what contexts and stores do", .everyStore)
struct CounterTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private var coordinator: PersistentStoreCoordinator { stack.context.coordinator }
  private let ids: [ManagedObjectID]
  private let departments: [ManagedObjectID]

  init() throws {
    stack = try TestStack(TestModels.company(isDepartmentOptional: false))
    let departments = try ["A", "B", "C"].map { [context = stack.context] in
      try context.insert("Department", ["name": $0])
    }
    let people = try (0..<6).map { [context = stack.context] number in
      try context.insert("Employee", ["name": "E\(number)", "department": departments[number % 3]])
    }
    try stack.context.save()
    ids = people.map(\.objectID)
    self.departments = departments.map(\.objectID)
    stack.context.reset()
    coordinator.resetCounters()
  }

  /// Reads the name of each employee's department.
  private func readNames(prefetching keyPaths: [String] = []) throws {
    var request = FetchRequest(entityName: "Employee")
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = keyPaths
    let people = try context.fetch(request)
    let names = try people.map { try $0.object(forKey: "department")?.string("name") }
    #expect(Set(names) == ["A", "B", "C"])
  }

  @Test("DGN-064, DGN-060, DGN-061, FLT-172, FLT-173, FLT-202: six employees in three departments")
  func worked() throws {
    let selects = stack.has(.statements)
    try readNames()
    var counters = coordinator.counters
    #expect(counters.objectFaults == 3 && counters.objectMisses == 3)
    #expect(counters.fetches == 1 && counters.fetchedObjects == 6)
    if selects { #expect(counters.statements.select == 4) }

    context.reset()
    coordinator.resetCounters()
    try readNames(prefetching: ["department"])
    counters = coordinator.counters
    #expect(counters.objectFaults == 3 && counters.objectMisses == 0)
    #expect(counters.prefetches == 1 && counters.fetches == 1)
    if selects { #expect(counters.statements.select == 2) }

    context.reset()
    coordinator.resetCounters()
    var request = FetchRequest(entityName: "Department")
    request.returnsObjectsAsFaults = false
    let held = try context.fetch(request)
    try readNames()
    counters = coordinator.counters
    #expect(counters.objectFaults == 0 && counters.objectMisses == 0 && held.count == 3)
    if selects { #expect(counters.statements.select == 2) }
  }

  @Test(
    "DGN-063: each step of a key path is a prefetch and no fetch, and the faults that it has spared are counted"
  )
  func prefetches() throws {
    var request = FetchRequest(entityName: "Employee")
    request.relationshipKeyPathsForPrefetching = ["department.employees", "manager"]
    let people = try context.fetch(request)
    #expect(coordinator.counters.prefetches == 3)
    #expect(coordinator.counters.fetches == 1 && coordinator.counters.fetchedObjects == 6)
    #expect(coordinator.counters.objectFaults == 0 && coordinator.counters.relationshipFaults == 0)
    for person in people { _ = try person.object(forKey: "department")?.string("name") }
    #expect(coordinator.counters.objectFaults == 9 && coordinator.counters.objectMisses == 0)
  }

  @Test("DGN-062: a to-many counts once, when its members are first asked for")
  func members() throws {
    let department = try context.existingObject(with: departments[0])
    coordinator.resetCounters()
    _ = try department.hasFault(forRelationshipNamed: "employees")
    #expect(coordinator.counters.relationshipFaults == 0)
    #expect(try department.objects(forKey: "employees").count == 2)
    #expect(try department.objects(forKey: "employees").count == 2)
    #expect(coordinator.counters.relationshipFaults == 1 && coordinator.counters.relationshipMisses == 1)
    #expect(coordinator.counters.objectFaults == 0)
  }

  @Test("DGN-061: look-ups and faults realised together are faults, and misses where a store is asked")
  func lookups() throws {
    let first = try context.existingObject(with: ids[0])
    #expect(coordinator.counters.objectFaults == 1 && coordinator.counters.objectMisses == 1)
    _ = try context.existingObject(with: ids[0])
    #expect(coordinator.counters.objectFaults == 1)
    _ = try stack.newContext().existingObject(with: first.objectID)
    #expect(coordinator.counters.objectFaults == 2 && coordinator.counters.objectMisses == 1)
    let faults = try ids[1...3].map { try context.object(with: $0) }
    try context.realizeFaults(in: faults + [first])
    #expect(coordinator.counters.objectFaults == 5 && coordinator.counters.objectMisses == 4)
    let others = try context.existingObjects(with: Array(ids[4...5]) + [ids[0]])
    #expect(coordinator.counters.objectFaults == 7 && coordinator.counters.objectMisses == 6)
    #expect(others.count == 3)
  }

  @Test("DGN-049: each way to fetch is one fetch, with the objects that it gave or counted")
  func fetches() throws {
    var request = FetchRequest(entityName: "Employee")
    request.fetchLimit = 4
    _ = try context.fetch(request)
    _ = try context.count(for: request)
    _ = try context.fetchIdentifiers(request)
    try context.enumerateFields(request, keyPaths: ["name"]) { _ in }
    #expect(coordinator.counters.fetches == 4 && coordinator.counters.fetchedObjects == 16)
    try context.insert("Department", ["name": "New"]).setValue("Newer", forKey: "name")
    try context.enumerateFields(request, keyPaths: ["name"]) { _ in }
    #expect(coordinator.counters.fetches == 5 && coordinator.counters.fetchedObjects == 20)
  }

  @Test("FET-253: fetches, their objects and times are counted for each entity that was asked for")
  func fetchesByEntity() throws {
    var request = FetchRequest(entityName: "Employee")
    _ = try context.count(for: request)
    request.fetchLimit = 2
    _ = try context.fetch(request)
    _ = try stack.newContext().fetch(FetchRequest(entityName: "Department"))
    let counters = coordinator.counters
    #expect(counters.fetchesByEntity.keys.sorted() == ["Department", "Employee"])
    #expect(
      counters.fetchesByEntity["Employee"] == ActivityCounters.Fetches(count: 2, objects: 8, time: .zero))
    #expect(
      counters.fetchesByEntity["Department"] == ActivityCounters.Fetches(count: 1, objects: 3, time: .zero))
    #expect(counters.fetches == 3 && counters.fetchedObjects == 11)
    coordinator.resetCounters()
    coordinator.measuresTime = true
    defer { coordinator.measuresTime = false }
    _ = try context.fetch(request)
    let measured = coordinator.counters
    #expect(measured.fetchesByEntity.keys.sorted() == ["Employee"])
    #expect(measured.fetchTime > .zero && measured.fetchesByEntity["Employee"]?.time == measured.fetchTime)
  }

  @Test("DGN-050, CTX-481: a save counts if it reaches a store, once, whatever becomes of it")
  func saves() throws {
    try context.save()
    #expect(coordinator.counters.saves == 0)
    let person = try context.existingObject(with: ids[0])
    try person.setValue("New", forKey: "name")
    try context.save()
    #expect(coordinator.counters.saves == 1)
    try person.setValue(nil, forKey: "department")
    #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(coordinator.counters.saves == 1)
  }

  @Test("DGN-058, DGN-059: times are summed only while somebody asks for them; a reset sets all to 0")
  func times() throws {
    try readNames()
    #expect(coordinator.counters.fetchTime == .zero)
    coordinator.measuresTime = true
    try readNames()
    let measured = coordinator.counters.fetchTime
    #expect(measured > .zero)
    try context.insert("Department", ["name": "D"]).setValue("E", forKey: "name")
    try context.save()
    #expect(coordinator.counters.saveTime > .zero)
    coordinator.measuresTime = false
    try readNames()
    #expect(coordinator.counters.fetchTime == measured)
    coordinator.resetCounters()
    #expect(coordinator.counters == ActivityCounters())
  }

  @Test(
    "DGN-058: what contexts have done that are gone stays counted, and so do statements of a closed store")
  func gone() throws {
    do {
      let other = ManagedObjectContext(coordinator: coordinator)
      _ = try other.existingObject(with: ids[0])
    }
    #expect(coordinator.counters.objectFaults == 1)
    let statements = coordinator.counters.statements
    coordinator.close()
    #expect(coordinator.counters.statements.select == statements.select)
  }

  @Test("DGN-058: statements are counted by kind")
  func kinds() throws {
    guard stack.has(.statements) else { return }
    let person = try context.existingObject(with: ids[0])
    let doomed = try context.existingObject(with: ids[1])
    _ = try context.insert("Department", ["name": "New"])
    try person.setValue("New", forKey: "name")
    try context.delete(doomed)
    coordinator.resetCounters()
    try context.save()
    let statements = coordinator.counters.statements
    #expect(statements.begin == 1 && statements.commit == 1 && statements.rollback == 0)
    #expect(statements.insert == 1 && statements.delete >= 1 && statements.update >= 1)
    #expect(statements.total == coordinator.counters.statements.total)
  }
}
