import Foundation
import GraphStore
import GraphStorePredicates
import Testing

/// What the store runs itself, and what it says of the rest.
struct StoreEvaluationTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    for (name, salary) in [("Ada", 10), ("Bob", 20)] {
      try stack.context.insert("Employee", ["name": name, "salary": salary, "department": department])
    }
    try stack.context.save()
  }

  private func request(
    _ entity: String, _ predicate: String, sort: String = ""
  ) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: entity, predicate: try QueryPredicate(parsing: predicate))
    if !sort.isEmpty { request.sortDescriptors = try QuerySortDescriptor.list(parsing: sort) }
    return request
  }

  @Test("PRD-187, FET-090: a sum beyond 64 bits counts on in conditions, and throws where it is a result")
  func overflow() throws {
    for employee in try stack.context.all("Employee") { try employee.setValue(Int64.max, forKey: "salary") }
    try stack.context.save()
    for predicate in [
      "employees.@sum.salary > 9223372036854775807", "sum:(employees.salary) != employees.@max.salary",
      "employees.@sum.salary - employees.@max.salary >= 9223372036854775807",
      "SUBQUERY(employees, $e, $e.salary + 1 > 9223372036854775807).@count == 2",
    ] {
      let found = try stack.newContext().fetch(try request("Department", predicate))
      #expect(!found.isEmpty, "\(predicate)")
    }
    let all = try request("Department", "TRUEPREDICATE")
    let error = #expect(throws: QueryPredicateError.self) {
      try stack.newContext().enumerateFields(all, keyPaths: ["employees.@sum.salary"]) { _ in }
    }
    #expect(error?.code == .arithmeticOverflow)
  }

  @Test("FET-018: a refused request names every part that needs memory, and reads nothing")
  func refused() throws {
    var request = try request("Employee", "random:(salary) == 1 AND salary > 1 AND name MATCHES name")
    request.inMemoryEvaluation = .refused
    var error: GraphStoreError?
    let statements = stack.statements {
      error = #expect(throws: GraphStoreError.self) { _ = try stack.context.fetch(request) }
    }
    #expect(statements == 0)
    #expect(error?.code == .unsupportedInStore)
    #expect(error?.errors.count == 2)
    let places = (error?.errors ?? []).compactMap { ($0.underlying as? QueryPredicateError)?.offset }
    #expect(places == [0, 40])
    #expect(error?.message.contains("regular expression") == true)
  }

  @Test("FET-018: unsaved changes do not let a refused request pass")
  func refusedWithChanges() throws {
    try stack.context.insert("Employee", ["name": "Cy"])
    var request = try request("Employee", "random:(salary) == 1")
    request.inMemoryEvaluation = .refused
    #expect(throws: GraphStoreError.self) { _ = try stack.context.fetch(request) }
  }

  @Test("DGN-070, DGN-071: explain tells kind, place and reason of each part")
  func explained() throws {
    let explanation = try stack.context.explain(
      try request(
        "Employee", "salary > 1 AND name CONTAINS[c] 'a' AND name MATCHES name", sort: "name:localized"))
    #expect(explanation.parts.map(\.kind) == [.predicate, .predicate, .predicate, .sort])
    #expect(explanation.parts.map(\.place) == [.store, .storeFunction, .memory, .storeFunction])
    #expect(explanation.parts.map(\.reason) == [nil, nil, .regularExpression, nil])
    #expect(explanation.parts[1].range == SourceRange(offset: 15, length: 20))
    #expect(explanation.parts[1].range?.offset == 15)
  }

  @Test("PRD-118, PRD-286: options do not fold the names of entities, saved or not")
  func entityNames() throws {
    #expect(try stack.context.all("Employee", "entity.name ==[c] 'employee'").isEmpty)
    try stack.context.insert("Employee", ["name": "Cy"])
    #expect(try stack.context.all("Employee", "entity.name ==[c] 'employee'").isEmpty)
    #expect(try stack.context.all("Employee", "entity.name ==[c] 'Employee'").count == 3)
  }

  @Test("PRD-224: entity names are a sort key of the store, and order as text")
  func sortedByEntity() throws {
    try stack.context.insert("Manager", ["name": "Zoe"])
    try stack.context.save()
    var request = FetchRequest(
      entityName: "Employee", sortDescriptors: try QuerySortDescriptor.list(parsing: "-entity.name,name"))
    request.inMemoryEvaluation = .refused
    #expect(try stack.context.fetch(request).map { try $0.string("name") } == ["Zoe", "Ada", "Bob"])
  }

  @Test("PRD-061: NaN in a list is nil, and not zero")
  func nanInList() throws {
    for employee in try stack.context.all("Employee") { try employee.setValue(0, forKey: "salary") }
    try stack.context.insert("Employee", ["name": "Nil"])
    try stack.context.save()
    let list = Value.list([.double(.nan), .int(3)])
    let predicate = try QueryPredicate(parsing: "salary IN $list").substituting(["list": list])
    let found = try stack.context.fetch(FetchRequest(entityName: "Employee", predicate: predicate))
    #expect(try found.map { try $0.string("name") } == ["Nil"])
  }
}
