import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Fields that are expressions", .everyStore)
struct ComputedFieldTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  /// E0 leads E1 to E4; those of even number are of the Labs, and everybody earns as much as the number says.
  init() throws {
    stack = try TestStack(TestModels.company())
    let context = stack.context
    let labs = try context.insert("Department", ["name": "Labs"])
    let people = try (0..<6).map { number in
      try context.insert("Employee", ["name": "E\(number)", "salary": Int64(number)])
    }
    for number in 1...4 { try people[number].setValue(people[0], forKey: "manager") }
    for number in [0, 2, 4] { try people[number].setValue(labs, forKey: "department") }
    try people[5].setValue(nil, forKey: "salary")
    try context.save()
    context.reset()
  }

  private func request() throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "name != 'Z'"),
      sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
    request.variables = ["factor": .int(3)]
    return request
  }

  /// The values of a field of each record, objects by their short form.
  private func values(_ text: String, _ context: ManagedObjectContext) throws -> [Value] {
    var values: [Value] = []
    let scope = context.mounts[0].scope
    try context.enumerateFields(request(), keyPaths: ["name", text]) { row in
      var collector = ValueCollector(scope)
      let value = collector.value(of: row, 1)
      guard case .object(let reference) = value else { return values.append(value) }
      values.append(.string(reference.identifier(as: ManagedObjectID.self)?.shortForm ?? ""))
    }
    return values
  }

  private static let expected: [(text: String, values: [Value])] = [
    ("salary * 12", [.int(0), .int(12), .int(24), .int(36), .int(48), .null]),
    ("$factor * salary", [.int(0), .int(3), .int(6), .int(9), .int(12), .null]),
    ("length:(name) + salary", [.int(2), .int(3), .int(4), .int(5), .int(6), .null]),
    ("1 + 2", [.int(3), .int(3), .int(3), .int(3), .int(3), .int(3)]),
    ("reports.@count + 1", [.int(5), .int(1), .int(1), .int(1), .int(1), .int(1)]),
    (
      "TERNARY(manager == nil, 'none', manager.name)",
      ["none", "E0", "E0", "E0", "E0", "none"].map { .string($0) }
    ),
    (
      "uppercase:(department.name)",
      [.string("LABS"), .null, .string("LABS"), .null, .string("LABS"), .null]
    ),
    ("SELF", (1...6).map { .string("Employee/p\($0)") }),
    ("salary / 0", [Value](repeating: .null, count: 6)),
    ("entity.name", [Value](repeating: .string("Employee"), count: 6)),
  ]

  @Test(
    "FET-084, FET-070: they are computed of what one statement reads, without objects",
    .needs(.keysOfTrees))
  func ofPaths() throws {
    for (text, expected) in Self.expected {
      let context = stack.newContext()
      let count = try stack.statements {
        let found = try values(text, context)
        #expect(found == expected, "\(text)")
      }
      #expect(count == (stack.has(.statements) ? 1 : 0) && context.registeredObjects.isEmpty, "\(text)")
      let explanation = try context.explain(request(), fields: [text])
      let isComputed = explanation.notes.contains {
        $0.hasPrefix(text + " is computed of what the statement")
      }
      #expect(isComputed == !["entity.name", "SELF"].contains(text), "\(text): \(explanation.notes)")
    }
  }

  @Test(
    "FET-059, FET-084: beside unsaved changes they are computed of objects, to the same values",
    .needs(.keysOfTrees))
  func ofObjects() throws {
    try context.insert("Employee", ["name": "Z"])
    let chief = try #require(try context.all("Employee", "name == 'E0'").first)
    for (text, expected) in Self.expected {
      let found = try values(text, context)
      #expect(found == expected, "\(text)")
    }
    try chief.setValue(Int64(7), forKey: "salary")
    #expect(try values("salary * 12", context)[0] == .int(84))
    #expect(try values("SUBQUERY(reports, $r, $r.salary > 2).@count", context)[0] == .int(2))
  }

  @Test("FET-059, FET-070: unsaved changes of what is shown are seen, whatever the predicate looks at")
  func shownChanges() throws {
    let chief = try #require(try context.all("Employee", "name == 'E0'").first)
    let labs = try #require(try context.all("Department").first)
    try chief.setValue(Int64(7), forKey: "salary")
    #expect(try values("salary", context)[0] == .int(7))
    #expect(try values("salary * 12", context)[0] == .int(84))
    #expect(try values("manager.salary", context)[1] == .int(7))
    #expect(try values("department.name", context)[0] == .string("Labs"))
    try labs.setValue("New", forKey: "name")
    #expect(try values("department.name", context)[0] == .string("New"))
    // What is not shown costs nothing: one statement reads the fields, and no object is made.
    try chief.setValue(nil, forKey: "manager")
    let count = context.registeredCount
    #expect(try stack.statements { _ = try values("name", context) } == (stack.has(.statements) ? 1 : 0))
    #expect(context.registeredCount == count)
    #expect(try context.explain(request(), fields: ["salary"]).isInStore)
  }

  @Test(
    "FET-084: what takes more than single values is computed of objects, and prefetching reads them together")
  func collections() throws {
    let text = "SUBQUERY(reports, $r, $r.salary > 2).@count"
    let other = stack.newContext()
    #expect(try values(text, other) == [.int(2), .int(0), .int(0), .int(0), .int(0), .int(0)])
    #expect(try values("max:(reports.salary)", other).first == .int(4))
    var request = try request()
    let explanation = try other.explain(request, fields: [text])
    #expect(explanation.notes.contains("\(text) is computed of objects"))
    request.relationshipKeyPathsForPrefetching = ["reports"]
    let count = try stack.statements {
      let context = stack.newContext()
      try context.enumerateFields(request, keyPaths: [text]) { _ in }
    }
    #expect(count == (stack.has(.statements) ? 2 : 0))
    let statements = try other.explain(request, fields: [text]).statements
    #expect(statements.contains { $0.prefetches == "reports" } || !stack.has(.statements))
    let plain = try other.explain(request, fields: ["salary + 1"])
    #expect(!plain.statements.contains { $0.prefetches != nil })
    #expect(plain.notes.contains { $0.hasPrefix("nothing is prefetched") })
  }

  @Test(
    "FET-023, FET-084: one that the entity does not have, or that cannot be computed, is refused before anything is read"
  )
  func refused() throws {
    let codes: [(String, QueryPredicateError.Code)] = [
      ("salry * 12", .unknownKey), ("salary *", .syntax), ("name - 1", .typeMismatch),
      ("$nothing + 1", .unboundVariable),
    ]
    for (text, code) in codes {
      let count = stack.statements {
        let error = #expect(throws: QueryPredicateError.self) {
          try context.enumerateFields(request(), keyPaths: ["name", text]) { _ in }
        }
        #expect(error?.code == code && error?.source == text, "\(text)")
      }
      #expect(count == 0)
    }
    let deep = String(repeating: "1 + (", count: 600) + "salary" + String(repeating: ")", count: 600)
    #expect(throws: QueryPredicateError.self) {
      try context.enumerateFields(request(), keyPaths: [deep]) { _ in }
    }
    let nested = String(repeating: "abs:(", count: 300) + "salary" + String(repeating: ")", count: 300)
    #expect(try values(nested, context)[3] == .int(3))
  }
}
