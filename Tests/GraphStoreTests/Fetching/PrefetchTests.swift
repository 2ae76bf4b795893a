import GraphStore
import GraphStorePredicates
import Testing

struct PrefetchTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.company())
    let departments = try ["R&D", "Sales"].map { try stack.context.insert("Department", ["name": $0]) }
    var manager: ManagedObject?
    for (number, name) in ["Ada", "Bob", "Cy", "Dee", "Eve"].enumerated() {
      let employee = try stack.context.insert("Employee", ["name": name])
      if number < 4 { try employee.setValue(departments[number % 2], forKey: "department") }
      try employee.setValue(manager, forKey: "manager")
      manager = employee
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func fetch(_ paths: String..., faults: Bool = true) throws -> [ManagedObject] {
    var request = FetchRequest(entityName: "Employee")
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
    request.relationshipKeyPathsForPrefetching = paths
    request.returnsObjectsAsFaults = faults
    return try stack.context.fetch(request)
  }

  private func departments(_ employees: [ManagedObject]) throws -> [String?] {
    try employees.map { try $0.object(forKey: "department")?.string("name") }
  }

  @Test(
    "FET-023: key paths to prefetch are checked before a store is asked, also where nothing is found",
    arguments: [
      "departmnt", "department.nam", "department.name", "department.employees.foo", "", "name", "department.",
    ])
  func wrongPaths(path: String) throws {
    for predicate in ["TRUEPREDICATE", "name == 'nobody'"] {
      var request = FetchRequest(entityName: "Employee", predicate: try QueryPredicate(parsing: predicate))
      request.relationshipKeyPathsForPrefetching = [path]
      let statements = stack.statements {
        #expect(throws: (any Error).self) { try stack.context.fetch(request) }
        #expect(throws: (any Error).self) { try stack.context.count(for: request) }
      }
      #expect(statements == 0)
    }
  }

  @Test("FLT-144: sources stay faults and use what was prefetched when they are realised")
  func sourcesStayFaults() throws {
    let employees = try fetch("department")
    #expect(employees.allSatisfy { $0.isFault })
    #expect(
      try stack.statements {
        try check(try departments(employees) == ["R&D", "Sales", "R&D", "Sales", nil])
      } == 0)
    #expect(employees.allSatisfy { !$0.isFault })
  }

  @Test("FLT-145, FLT-166: each source holds the destinations it was prefetched with")
  func held() throws {
    let employees = try fetch("department")
    #expect(stack.context.registeredCount == 7)
    let department = try #require(try employees[0].object(forKey: "department"))
    #expect(try employees[2].object(forKey: "department") === department)
  }

  @Test("FLT-146: a destination that is registered already is the one that is taken")
  func registered() throws {
    let known = try stack.context.all("Department", sort: ["name"])
    try known[0].setValue("Research", forKey: "name")
    let employees = try fetch("department")
    #expect(try employees[0].object(forKey: "department") === known[0])
    #expect(try departments(employees) == ["Research", "Sales", "Research", "Sales", nil])
  }

  @Test("FET-112: several relationships of one object, and steps in a row, cost a statement a step")
  func severalSteps() throws {
    var employees: [ManagedObject] = []
    // The main fetch has the managers; nobody has a desk.
    #expect(try stack.statements { employees = try fetch("department", "manager.department", "desk") } == 2)
    #expect(
      try stack.statements {
        try check(try departments(employees) == ["R&D", "Sales", "R&D", "Sales", nil])
        for employee in employees {
          _ = try employee.object(forKey: "manager")?.object(forKey: "department")?.string("name")
          _ = try employee.object(forKey: "desk")
        }
      } == 0)
    #expect(try employees[4].object(forKey: "manager") === employees[3])
  }

  @Test("REL-101: a source that points elsewhere unsaved leads to the new destination")
  func unsaved() throws {
    let changed = try stack.context.all("Employee", sort: ["name"])
    let sales = try stack.context.all("Department", "name == 'Sales'")[0]
    let new = try stack.context.insert("Department", ["name": "New"])
    try changed[0].setValue(sales, forKey: "department")
    try changed[2].setValue(new, forKey: "department")
    #expect(try departments(try fetch("department")) == ["Sales", "Sales", "New", "Sales", nil])
  }

  @Test("FLT-104: a destination that changed elsewhere before the source was realised is not believed")
  func changedElsewhere() throws {
    let employees = try fetch("department")
    let other = stack.newContext()
    let sales = try other.all("Department", "name == 'Sales'")[0]
    let moved = try other.all("Employee", "name == 'Ada'")[0]
    try moved.setValue(sales, forKey: "department")
    try other.save()
    #expect(try departments([employees[0]]) == ["Sales"])
  }

  @Test(
    "FLT-104: a fetch that gives a fault another row lets go of the destination that the former one named")
  func renewedFault() throws {
    let held = try fetch("department")
    let other = stack.newContext()
    try other.all("Employee", "name == 'Ada'")[0].setValue(
      other.all("Department", "name == 'Sales'")[0], forKey: "department")
    try other.save()
    _ = try fetch()
    #expect(held[0].isFault)
    #expect(try departments(held) == ["Sales", "Sales", "R&D", "Sales", nil])
  }

  @Test("REL-300: a prefetched reference to a record that is gone is a fault that reads as nothing")
  func dangling() throws {
    let stack = try TestStack(TestModels.company(employees: .noAction))
    let department = try stack.context.insert("Department", ["name": "Gone"])
    for name in ["Ada", "Bob"] {
      try stack.context.insert("Employee", ["name": name, "department": department])
    }
    try stack.context.save()
    try stack.context.delete(department)
    try stack.context.save()
    stack.context.reset()
    var request = FetchRequest(entityName: "Employee")
    request.relationshipKeyPathsForPrefetching = ["department"]
    let employees = try stack.context.fetch(request)
    let lost = try #require(try employees[0].object(forKey: "department"))
    #expect(lost.objectID == department.objectID)
    #expect(try lost.string("name") == nil)
  }

  @Test(
    "REL-234, FLT-153: a chain that is held at one end only is let go of without exhausting the stack",
    arguments: [["manager"], ["manager", "department"]])
  func longChain(_ paths: [String]) throws {
    let stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", [:])
    var last: ManagedObject?
    for _ in 0..<30_000 {
      let next = try stack.context.insert(entityNamed: "Employee")
      try next.setValue(last, forKey: "manager")
      try next.setValue(department, forKey: "department")
      last = next
    }
    last = nil
    try stack.context.save()
    stack.context.reset()
    var request = FetchRequest(entityName: "Employee")
    request.relationshipKeyPathsForPrefetching = paths
    var employees = try stack.context.fetch(request)
    last = employees.last
    employees = []
    #expect(stack.context.registeredCount >= 30_000)
    last = nil
    #expect(stack.context.registeredCount == 0)
  }
}
