import Synchronization
import Testing

@testable import GraphStore

/// What a fetch reads, makes and judges, with unsaved changes and with parts that memory runs, and what it
/// leaves alone.
struct FetchEconomyTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    let departments = try ["R&D", "Sales"].map { try stack.context.insert("Department", ["name": $0]) }
    for number in 0..<100 {
      let employee = try stack.context.insert("Employee", ["name": "E\(number + 100)", "salary": number])
      try employee.setValue(departments[number % 2], forKey: "department")
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func request(
    _ predicate: String?, sort: String? = nil, limit: Int = 0, offset: Int = 0
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try sort.map { try QuerySortDescriptor.list(parsing: $0) } ?? [], fetchLimit: limit,
      fetchOffset: offset)
  }

  private func names(_ request: FetchRequest<ManagedObject>) throws -> [String?] {
    try context.fetch(request).map { try $0.string("name") }
  }

  private func employee(_ number: Int) throws -> ManagedObject {
    try context.all("Employee", "name == 'E\(number + 100)'")[0]
  }

  /// How many rows the store hands over for a request.
  private func rowsRead(_ request: FetchRequest<ManagedObject>) throws -> Int? {
    try context.analyze(request).rows.read
  }

  /// Whether unsaved changes have the context look beyond what the store says.
  private func isCorrected(_ request: FetchRequest<ManagedObject>) throws -> Bool {
    try context.needsCorrection(context.prepare(request))
  }

  @Test(
    "FET-055: with unsaved changes a store is asked for offset, limit and one row for each changed object")
  func window() throws {
    try employee(5).setValue(1000, forKey: "salary")
    try employee(6).setValue(-1, forKey: "salary")
    try context.delete(employee(0))
    try context.insert("Employee", ["name": "New", "salary": 2])
    let request = try request("salary < 500", sort: "salary,name", limit: 4, offset: 1)
    #expect(try names(request) == ["E101", "E102", "New", "E103"])
    #expect(try rowsRead(request) == 4 + 1 + 3)
    // Without an order of its own the window counts by primary key.
    let byKey = try self.request("salary < 500", limit: 3, offset: 97)
    #expect(try names(byKey) == ["E199", "New"])
    let first = try self.request("salary > 90", limit: 2)
    #expect(try names(first) == ["E105", "E191"])
    #expect(try rowsRead(first) == 2 + 3)
  }

  @Test("FET-055, FET-024: a corrected fetch, count or fetch of identifiers is one statement")
  func statements() throws {
    try employee(5).setValue(1000, forKey: "salary")
    try context.delete(employee(7))
    try context.insert("Employee", ["name": "New", "salary": 3])
    // What the deletion leads to is read when it is propagated.
    try context.processPendingChanges()
    for request in [
      try request("salary < 500", sort: "salary", limit: 5), try request("salary > 500"), try request(nil),
    ] {
      #expect(try stack.statements { _ = try context.fetch(request) } == 1)
      #expect(try stack.statements { _ = try context.count(for: request) } == 1)
      #expect(try stack.statements { _ = try context.fetchIdentifiers(request) } == 1)
    }
  }

  @Test("FET-065, FET-066: counts and identifiers are corrected like objects")
  func countsAndIdentifiers() throws {
    try employee(5).setValue(1000, forKey: "salary")
    try employee(50).setValue(-7, forKey: "salary")
    try context.delete(employee(7))
    let new = try context.insert("Employee", ["name": "New", "salary": 3])
    for predicate in [nil, "salary < 500", "salary > 500", "NOT name MATCHES name OR salary < 50"] {
      for (sort, limit, offset) in [
        (nil, 0, 0), ("salary", 0, 0), ("-salary", 7, 2), ("name", 3, 0), (nil, 10, 40),
      ] as [(String?, Int, Int)] {
        let request = try request(predicate, sort: sort, limit: limit, offset: offset)
        let objects = try context.fetch(request)
        #expect(try context.count(for: request) == objects.count, "\(request)")
        let identifiers = try context.fetchIdentifiers(request)
        if sort == nil && limit == 0 {
          #expect(Set(identifiers) == Set(objects.map(\.objectID)))
        } else {
          #expect(identifiers == objects.map(\.objectID), "\(request)")
        }
      }
    }
    #expect(try context.fetchIdentifiers(request("name == 'New'")) == [new.objectID])
  }

  @Test("FET-137: a corrected count makes no object and fills no row cache")
  func countMakesNothing() throws {
    let changed = try employee(5)
    try changed.setValue(1000, forKey: "salary")
    for predicate in ["salary < 50", "name MATCHES name"] {
      let before = context.registeredCount
      #expect(try context.count(for: request(predicate)) > 40)
      #expect(try context.fetchIdentifiers(request(predicate)).count > 40)
      #expect(context.registeredCount == before)
    }
    let id = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p42"))
    let fault = try context.object(with: id)
    #expect(try stack.statements { _ = try fault.string("name") } == 1)
  }

  @Test("FET-139: what memory counts or only names is read in the columns that it looks at")
  func columns() throws {
    let counted = try request("name MATCHES name AND salary > 3")
    var texts = try stack.recordedStatements { try check(try context.count(for: counted) == 96) }
    #expect(texts.count == 1)
    #expect(texts[0].contains("ZNAME"))
    #expect(!texts[0].contains("ZDEPARTMENT"))
    let named = try request("salary > 3", sort: "name", limit: 5)
    try employee(5).setValue(1000, forKey: "salary")
    texts = try stack.recordedStatements { try check(try context.fetchIdentifiers(named).count == 5) }
    #expect(texts.count == 1)
    #expect(!texts[0].contains("ZDEPARTMENT"))
  }

  @Test("FET-070: changes of other entities, and of properties that a request does not touch, cost nothing")
  func untouched() throws {
    try context.all("Department")[0].setValue("Labs", forKey: "name")
    try context.insert("Department", ["name": "New"])
    try employee(3).setValue("Renamed", forKey: "name")
    for request in [
      try request("salary < 50", sort: "salary", limit: 5), try request("salary == 3"),
      try request(nil, limit: 4),
      try request("department != nil", sort: "-salary"),
      try request("SUBQUERY(reports, $r, $r.salary > 1).@count > 1"),
    ] {
      #expect(try !isCorrected(request), "\(request)")
    }
    #expect(try isCorrected(request("name == 'x'")))
    #expect(try isCorrected(request(nil, sort: "name")))
    #expect(try isCorrected(request("department.name == 'x'")))
    #expect(try rowsRead(request("salary < 50", sort: "salary", limit: 5)) == 5)
    // It comes back with the values that it has in memory.
    #expect(try names(request("salary == 3")) == ["Renamed"])
    try context.insert("Employee", ["name": "New"])
    #expect(try isCorrected(request("salary < 50")))
  }

  @Test(
    "FET-062: a change of a related object counts wherever a path reaches it",
    arguments: [
      ("department.name == 'Labs'", 50), ("department.name == 'R&D'", 0), ("ANY reports.name == 'Boss'", 0),
      ("manager.department.name == 'Labs'", 1), ("department.employees.@count > 49", 99),
      ("SUBQUERY(department.employees, $e, $e.name == 'Boss').@count > 0", 50),
      ("department.employees.@max.salary == 5000", 50),
    ])
  func related(predicate: String, count: Int) throws {
    let department = try context.all("Department", "name == 'R&D'")[0]
    let (boss, other) = (try employee(2), try employee(3))
    try other.setValue(boss, forKey: "manager")
    try context.save()
    context.reset()
    let again = try context.object(with: department.objectID)
    try again.setValue("Labs", forKey: "name")
    try context.object(with: boss.objectID).setValue("Boss", forKey: "name")
    try context.object(with: boss.objectID).setValue(5000, forKey: "salary")
    try context.delete(context.all("Employee", "name == 'E199'")[0])
    let unsaved = try context.fetch(request(predicate)).map(\.objectID).sorted()
    #expect(try context.count(for: request(predicate)) == unsaved.count)
    #expect(try context.fetchIdentifiers(request(predicate)).sorted() == unsaved)
    try context.save()
    context.reset()
    #expect(try context.fetch(request(predicate)).map(\.objectID).sorted() == unsaved)
    if predicate.hasPrefix("department.name") || predicate.hasPrefix("manager") {
      #expect(unsaved.count == count)
    }
  }

  @Test("FET-284: rows that memory rejects make no object and do not enter the row cache")
  func rejected() throws {
    let found = try context.fetch(request("NOT name MATCHES name OR name LIKE 'E1?2'", sort: "salary"))
    #expect(found.count == 10)
    #expect(context.registeredCount == 10)
    #expect(found.allSatisfy { $0.isFault })
    let rejected = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p1"))
    let fault = try context.object(with: rejected)
    #expect(try stack.statements { _ = try fault.string("name") } == 1)
    #expect(try stack.statements { for object in found { _ = try object.string("name") } } == 0)
  }

  @Test("FET-284: reading stops when the window is full")
  func stops() throws {
    let judged = Mutex(0)
    context.functions.register("isWanted") { target, _ in
      judged.withLock { $0 += 1 }
      guard case .value(.int(let salary)) = target else { return .value(.bool(false)) }
      return .value(.bool(salary % 2 == 0))
    }
    let predicate = "FUNCTION(salary, 'isWanted') == YES"
    let found = try context.fetch(request(predicate, sort: "salary", limit: 10, offset: 5))
    let salaries = try found.map { try $0.value(forKey: "salary") as? Int64 }
    #expect(salaries == (5..<15).map { Int64($0 * 2) as Int64? })
    // The fifteenth that is wanted is the twenty-ninth of all.
    #expect(judged.withLock { $0 } == 29)
    #expect(context.registeredCount == 10)
  }

  @Test("FET-027, FET-059: what the store selects stays in the answer, with the values that its object has")
  func registeredObjects() throws {
    let held = try context.fetch(request("salary < 3", sort: "salary"))
    for object in held { _ = try object.string("name") }
    let other = stack.newContext()
    for object in try other.all("Employee", "salary < 3") { try object.setValue(700, forKey: "salary") }
    try other.save()
    try context.insert("Employee", ["name": "New", "salary": 650])
    let found = try context.fetch(request("salary > 600", sort: "salary,name"))
    #expect(try found.map { try $0.string("name") } == ["New", "E100", "E101", "E102"])
    #expect(try found.map { try $0.value(forKey: "salary") as? Int64 } == [650, 0, 1, 2])
  }

  @Test("FET-063: without pending changes membership and order are the store's, and deleted objects say so")
  func stored() throws {
    try employee(5).setValue(1000, forKey: "salary")
    try context.delete(employee(0))
    try context.insert("Employee", ["name": "New", "salary": -5])
    var request = try request("salary < 7", sort: "-salary")
    request.includesPendingChanges = false
    let found = try context.fetch(request)
    #expect(try found.map { try $0.string("name") } == (0..<7).reversed().map { "E\($0 + 100)" })
    #expect(found.last?.isDeleted == true)
    #expect(try found[1].value(forKey: "salary") as? Int64 == 1000)
    #expect(try context.count(for: request) == 7)
  }

  @Test("FET-069: an object that was inserted and deleted again is in no fetch")
  func neverThere() throws {
    try context.delete(try context.insert("Employee", ["name": "Ghost", "salary": 1]))
    #expect(try names(request("name == 'Ghost'")).isEmpty)
    #expect(try context.count(for: request("salary == 1")) == 1)
  }
}
