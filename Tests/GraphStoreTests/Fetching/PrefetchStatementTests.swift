import Foundation
import GraphStore
import GraphStorePredicates
import Testing

@Suite("What a prefetch costs, shape by shape", .everyStore)
struct PrefetchStatementTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  /// Three departments, of which the last is empty; six employees, one of them a manager, with friends among
  /// each other; two projects with the same members in opposite orders.
  init() throws {
    stack = try TestStack(TestModels.company(isOrdered: true))
    let context = stack.context
    let departments = try ["A", "B", "C"].map { try context.insert("Department", ["name": $0]) }
    let people = try (0..<6).map { number in
      try context.insert(
        number == 5 ? "Manager" : "Employee",
        ["name": "\(number)", "department": departments[number % 2], "salary": number])
    }
    try departments[0].setValue([people[4], people[0], people[2]], forKey: "employees")
    for (left, right) in [(0, 1), (0, 2), (1, 2), (5, 0)] {
      try people[left].addObjects([people[right]], forKey: "friends")
    }
    for (name, members) in [("x", people), ("y", people.reversed())] {
      let project = try context.insert("Project", ["name": name])
      try project.setValue(members, forKey: "members")
    }
    try context.save()
    context.reset()
  }

  private func fetch(
    _ entity: String, _ paths: String..., in context: ManagedObjectContext? = nil
  ) throws -> [ManagedObject] {
    var request = FetchRequest(entityName: entity)
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
    request.relationshipKeyPathsForPrefetching = paths
    return try (context ?? self.context).fetch(request)
  }

  private func names(_ objects: [ManagedObject], _ key: String) throws -> [[String]] {
    try objects.map { try $0.objects(forKey: key).map { try $0.string("name") ?? "" } }
  }

  @Test(
    "FLT-143, FET-111, FET-113, FET-118: a step is one statement, whatever its shape, and reading costs none",
    .needs(.statements),
    arguments: [
      ("Department", "employees", [["4", "0", "2"], ["1", "3", "5"], []]),
      ("Project", "members", [["0", "1", "2", "3", "4", "5"], ["5", "4", "3", "2", "1", "0"]]),
      ("Employee", "projects", Array(repeating: ["x", "y"], count: 6)),
      ("Employee", "friends", [["1", "2", "5"], ["0", "2"], ["0", "1"], [], [], ["0"]]),
    ])
  func shapes(_ entity: String, _ key: String, _ expected: [[String]]) throws {
    var owners: [ManagedObject] = []
    #expect(try stack.statements { owners = try fetch(entity, key) } == 2)
    #expect(try owners.allSatisfy { try !$0.hasFault(forRelationshipNamed: key) })
    #expect(try stack.statements { try check(names(owners, key) == expected) } == 0)
    #expect(owners.flatMap { (try? $0.objects(forKey: key)) ?? [] }.allSatisfy { !$0.isFault })
  }

  @Test("FLT-143, REL-002: every store gives the members in their order, and those without one by identifier")
  func everyStore() throws {
    #expect(
      try names(fetch("Department", "employees"), "employees") == [["4", "0", "2"], ["1", "3", "5"], []])
    #expect(try names(fetch("Project", "members"), "members")[1] == ["5", "4", "3", "2", "1", "0"])
    #expect(
      try names(fetch("Employee", "friends"), "friends") == [
        ["1", "2", "5"], ["0", "2"], ["0", "1"], [], [], ["0"],
      ])
    let manager = try #require(fetch("Department", "employees")[1].objects(forKey: "employees").last)
    #expect(manager.entity.name == "Manager")
  }

  @Test(
    "FET-111, FET-112: a chain is one statement a step, and a beginning that paths share runs once",
    .needs(.statements))
  func chains() throws {
    var departments: [ManagedObject] = []
    #expect(try stack.statements { departments = try fetch("Department", "employees.projects.members") } == 4)
    context.reset()
    let before = stack.coordinator.counters.prefetches
    let paths = try stack.statements {
      departments = try fetch("Department", "employees.projects", "employees.friends", "employees")
    }
    // The rows of the friends are there, but who is whose friend is not.
    #expect(paths == 4 && stack.coordinator.counters.prefetches - before == 3)
    #expect(
      try stack.statements {
        for employee in try departments.flatMap({ try $0.objects(forKey: "employees") }) {
          _ = try (employee.names("projects"), employee.names("friends"))
        }
      } == 0)
  }

  @Test("FLT-143: the number of objects makes no difference", .needs(.statements), arguments: [10, 1_000])
  func size(_ count: Int) throws {
    for number in 0..<count {
      let department = try context.insert("Department", ["name": "\(number)"])
      for name in ["a", "b"] { try context.insert("Employee", ["name": name, "department": department]) }
    }
    try context.save()
    context.reset()
    #expect(try stack.statements { _ = try fetch("Department", "employees", "employees.friends") } == 3)
  }

  @Test("FLT-148: a member of several owners is read once", .needs(.statements))
  func sharedMembers() throws {
    var texts: [String] = []
    var projects: [ManagedObject] = []
    texts = try stack.recordedStatements { projects = try fetch("Project", "members") }
    #expect(texts.count == 2 && texts[1].contains(" JOIN "), "\(texts)")
    #expect(context.registeredCount == 8 && stack.cachedRows == 8)
    let members = try projects.map { try $0.objects(forKey: "members") }
    #expect(members[0] == members[1].reversed())
  }

  @Test("FLT-146: what is resolved stays so, and only rows that nobody has are read")
  func resolved() throws {
    let other = try stack.otherProcess()
    let held = try fetch("Department")
    let members = try held[0].objects(forKey: "employees")
    _ = try members[0].string("name")
    let theirs = try other.all("Employee", "name == '4'")[0]
    try theirs.setValue(nil, forKey: "department")
    try theirs.setValue("four", forKey: "name")
    try other.save()
    let departments = try fetch("Department", "employees")
    #expect(try departments[0].objects(forKey: "employees") == members)
    #expect(try members[0].string("name") == "4")
    #expect(try stack.statements { _ = try names(departments, "employees") } == 0)
  }

  @Test("FET-113, REL-101: unsaved members are there, and unsaved leavers are not")
  func unsaved() throws {
    let departments = try fetch("Department")
    let people = try fetch("Employee")
    try people[0].setValue(departments[2], forKey: "department")
    try context.insert("Employee", ["name": "new", "department": departments[2]])
    let project = try context.insert("Project", ["name": "z"])
    try project.setValue([people[3]], forKey: "members")
    let prefetched = try fetch("Department", "employees", "employees.projects")
    #expect(try names(prefetched, "employees") == [["4", "2"], ["1", "3", "5"], ["0", "new"]])
    let third = try #require(
      prefetched[1].objects(forKey: "employees").first { try $0.string("name") == "3" })
    #expect(try names([third], "projects") == [["x", "y", "z"]])
  }

  @Test(
    "FET-114: destinations that have their values keep them, and empty relationships are known",
    .needs(.statements))
  func realised() throws {
    let ada = try fetch("Employee")[0]
    try ada.setValue("changed", forKey: "name")
    let departments = try fetch("Department", "employees")
    #expect(try names(departments, "employees")[0] == ["4", "changed", "2"])
    #expect(try stack.statements { try check(departments[2].objects(forKey: "employees").isEmpty) } == 0)
    let boss = try fetch("Employee", "manager")[1]
    #expect(try stack.statements { try check(boss.object(forKey: "manager") == nil) } == 0)
  }

  @Test(
    "FET-115, FET-116: the list holds what was prefetched, and the window decides of what it is",
    .needs(.statements))
  func window() throws {
    var request = FetchRequest(entityName: "Department")
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
    request.relationshipKeyPathsForPrefetching = ["employees"]
    request.fetchOffset = 1
    request.fetchLimit = 1
    var held = try context.fetch(request)
    #expect(held.count == 1 && context.registeredCount == 4 && stack.cachedRows == 4)
    held = []
    #expect(context.registeredCount == 0 && stack.cachedRows == 0)
  }

  @Test(
    "FET-117, FET-023: a path that is none of relationships is refused before a store is asked, with a code of its own",
    arguments: [
      ("departmnt", "unknown-key"), ("department.nam", "unknown-key"),
      ("department.name", "wrong-property-kind"),
      ("name", "wrong-property-kind"), ("friends.@count", "wrong-property-kind"),
    ])
  func codes(_ path: String, _ code: String) throws {
    let coordinator = stack.coordinator
    let before = coordinator.statementCount
    var request = FetchRequest(entityName: "Employee")
    request.relationshipKeyPathsForPrefetching = [path]
    for run in [
      { _ = try context.fetch(request) }, { _ = try context.count(for: request) },
      { _ = try context.fetchIdentifiers(request) }, { _ = try context.explain(request) },
    ] {
      var found: String?
      do { try run() } catch let error as GraphStoreError {
        found = error.code.rawValue
      } catch let error as QueryPredicateError { found = error.code.rawValue }
      #expect(found == code)
    }
    #expect(coordinator.statementCount == before)
  }

  @Test("FET-117: a count and identifiers prefetch nothing", .needs(.statements))
  func ignored() throws {
    var request = FetchRequest(entityName: "Department")
    request.relationshipKeyPathsForPrefetching = ["employees"]
    #expect(try stack.statements { try check(context.count(for: request) == 3) } == 1)
    #expect(try stack.statements { try check(context.fetchIdentifiers(request).count == 3) } == 1)
    #expect(context.registeredCount == 0)
  }
}
