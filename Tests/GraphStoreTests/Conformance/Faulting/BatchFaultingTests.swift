import Foundation
import GraphStore
import Testing

@Suite("Realising many faults, and prefetching", .everyStore)
struct BatchFaultingTests {
  private let stack: TestStack
  private let ids: [ManagedObjectID]
  private var context: ManagedObjectContext { stack.context }
  /// What one statement counts as in the store that is tested.
  private var one: Int { stack.has(.statements) ? 1 : 0 }

  /// Six employees in three departments, two in each, and a manager.
  init() throws {
    stack = try TestStack(TestModels.company())
    let context = stack.context
    let departments = try ["A", "B", "C"].map { try context.insert("Department", ["name": $0]) }
    let people = try (0..<6).map {
      try context.insert("Employee", ["name": "\($0)", "department": departments[$0 / 2]])
    }
    try context.save()
    ids = people.map(\.objectID)
    context.reset()
  }

  private func names(_ people: [ManagedObject]) throws -> [String?] {
    try people.map { try $0.object(forKey: "department")?.string("name") }
  }

  private func request(
    _ predicate: String? = nil, prefetching paths: [String] = []
  ) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) })
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
    request.relationshipKeyPathsForPrefetching = paths
    return request
  }

  @Test(
    "FLT-140: a fetch of SELF IN held objects realises their faults by one statement, whatever becomes of its result"
  )
  func selfIn() throws {
    let faults = try ids.map { try context.object(with: $0) }
    var request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate("SELF IN %@", faults))
    request.returnsObjectsAsFaults = false
    #expect(try stack.statements { _ = try context.fetch(request) } == one)
    #expect(!faults.contains { $0.isFault })
    #expect(try stack.statements { try check(faults.map { try $0.string("name") }.count == 6) } == 0)
  }

  @Test("FLT-141: realising any collection costs a statement a tree, and none without faults")
  func realizing() throws {
    let faults = try ids.map { try context.object(with: $0) }
    let departments = try (1...3).map {
      try context.object(with: #require(stack.coordinator.managedObjectID(forShortForm: "Department/p\($0)")))
    }
    #expect(try stack.statements { try context.realizeFaults(in: faults + departments + faults) } == 2 * one)
    #expect(!(faults + departments).contains { $0.isFault })
    #expect(try stack.statements { try context.realizeFaults(in: faults) } == 0)
    #expect(try stack.statements { try context.realizeFaults(in: []) } == 0)
    let new = try context.insert("Employee", [:])
    #expect(try stack.statements { try context.realizeFaults(in: [new]) } == 0)
  }

  @Test("FLT-142: what was realised or prefetched and is held by nobody is gone at once, with its row")
  func notHeld() throws {
    _ = try context.fetch(request(prefetching: ["department"]))
    #expect(context.registeredCount == 0 && stack.cachedRows == 0)
    let held = try context.fetch(request(prefetching: ["department"]))
    #expect(context.registeredCount == 9 && stack.cachedRows == 9)
    #expect(try stack.statements { try check(names(held) == ["A", "A", "B", "B", "C", "C"]) } == 0)
  }

  @Test(
    "FLT-147: where nothing is found, and where a step has no destinations, no further statement runs",
    .needs(.statements))
  func nothingFound() throws {
    let deep = ["department.employees.desk", "projects.members"]
    let alone = try stack.statements { _ = try context.fetch(request("name == 'nobody'")) }
    #expect(
      try stack.statements { _ = try context.fetch(request("name == 'nobody'", prefetching: deep)) } == alone)
    // Nobody has a manager: the step behind costs nothing.
    let first = try stack.statements { _ = try context.fetch(request(prefetching: ["manager"])) }
    let second = try stack.statements {
      _ = try context.fetch(request(prefetching: ["manager.department.employees"]))
    }
    #expect(first == second)
  }

  @Test(
    "FLT-148, FLT-198: each destination is read once, all with one statement, and none fires by itself",
    .needs(.statements))
  func onceEach() throws {
    var people: [ManagedObject] = []
    let texts = try stack.recordedStatements {
      people = try context.fetch(request(prefetching: ["department"]))
    }
    #expect(texts.filter { $0.contains("FROM ZDEPARTMENT") }.count == 1 && texts.count == 2, "\(texts)")
    #expect(context.registeredCount == 9)
    #expect(try stack.statements { _ = try names(people) } == 0)
  }

  @Test("FLT-149: the same by hand, by the inverse or by identifiers collected without firing")
  func byHand() throws {
    let people = try context.fetch(request())
    for person in people { _ = try person.string("name") }
    let departments = try people.flatMap { try $0.objectIDs(forRelationshipNamed: "department") }
    #expect(departments.count == 6 && context.registeredCount == 6)
    var byIdentifier = FetchRequest(
      entityName: "Department", predicate: try QueryPredicate("SELF IN %@", Set(departments)))
    byIdentifier.returnsObjectsAsFaults = false
    var held: [ManagedObject] = []
    #expect(try stack.statements { held = try context.fetch(byIdentifier) } == one)
    #expect(try held.count == 3 && stack.statements { _ = try names(people) } == 0)
    context.reset()
    let owners = try context.all("Department")
    var byInverse = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate("department IN %@", owners))
    byInverse.returnsObjectsAsFaults = false
    var members: [ManagedObject] = []
    #expect(try stack.statements { members = try context.fetch(byInverse) } == one)
    #expect(members.count == 6 && !members.contains(where: \.isFault))
    #expect(
      try stack.statements { try check(Set(members.map { try $0.object(forKey: "department") }).count == 3) }
        == 0)
  }

  @Test(
    "FLT-202: six employees in three departments cost 4 statements, or 2 with a prefetch", .needs(.statements)
  )
  func departments() throws {
    #expect(try stack.statements { try check(names(context.fetch(request())).count == 6) } == 4)
    context.reset()
    var held: [ManagedObject] = []
    #expect(
      try stack.statements {
        held = try context.fetch(request(prefetching: ["department"]))
        try check(names(held) == ["A", "A", "B", "B", "C", "C"])
      } == 2)
  }

  @Test(
    "FLT-203, REL-444: a loop over the members of a to-many costs 1 + n, all of them at once 2",
    .needs(.statements),
    arguments: [3, 12])
  func members(_ count: Int) throws {
    let department = try context.insert("Department", ["name": "D"])
    for number in 0..<count {
      try context.insert("Employee", ["name": "\(number)", "department": department])
    }
    try context.save()
    let id = department.objectID
    func cost(_ use: (ManagedObject) throws -> Void) throws -> Int {
      context.reset()
      let owner = try context.existingObject(with: id)
      return try stack.statements { try use(owner) }
    }
    #expect(
      try cost { for member in try $0.objects(forKey: "employees") { _ = try member.string("name") } } == 1
        + count)
    #expect(try cost { _ = try $0.value(forKeyPath: "employees.name") } == 2)
    #expect(
      try cost {
        let members = try $0.objects(forKey: "employees")
        try context.realizeFaults(in: members)
        for member in members { _ = try member.string("name") }
      } == 2)
    // With the members' rows in the cache resolving is all there is to pay.
    let other = stack.newContext()
    let held = try other.all("Employee")
    #expect(
      try cost { for member in try $0.objects(forKey: "employees") { _ = try member.string("name") } } == 1)
    _ = held
  }
}
