import Foundation
import GraphStore
import Testing

/// An object whose values are read one by one, as those of any source are.
private final class PlainReading: PropertySource {
  private let object: ManagedObject

  init(_ object: ManagedObject) {
    self.object = object
  }

  var _objectReference: ObjectReference? { object._objectReference }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand { try object._operand(forKey: key) }
}

@Suite struct FieldTestTests {
  private static let texts = ["", "a", "Ab", "AB", "é", "e\u{301}", "STRASSE", "straße", "Σας", "か\u{3099}"]
  private static let numbers: [Value] = [
    .int(0), .int(1), .int(-3), .int(50_000), .int(.max), .int(.min), .int(9_007_199_254_740_993),
    .double(0.1), .double(-0.5), .double(50_000), .double(50_000.25), .double(1e30), .double(.infinity),
    .double(.nan), .double(9_007_199_254_740_992), .bool(true), .bool(false),
    .decimal(Decimal(string: "0.1")!), .decimal(Decimal(string: "50000.25")!), .decimal(50_000),
    .decimal(Decimal(string: "12345678901234567890.5")!), .decimal(Decimal(string: "1e25")!),
  ]
  private static let tags = (1...3).compactMap {
    UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)")
  }
  private static let keys = [
    "small", "medium", "large", "money", "ratio", "single", "text", "flag", "moment", "tag", "link", "bytes",
    "passing",
  ]

  @Test(
    "PRD-004, PRD-005: a comparison with a field as it lies in memory is that with its value",
    arguments: TestSeed.sequence(1, from: 4))
  func agreement(seed: TestSeed) throws {
    var random = seed.generator
    let stack = try TestStack(TestModels.types)
    for _ in 0..<40 { try insertThing(stack.context, &random) }
    try stack.context.save()
    let context = stack.newContext()
    var things = try context.all("Thing")
    for _ in 0..<10 { things.append(try insertThing(context, &random)) }
    let readings = things.map(PlainReading.init)
    for _ in 0..<800 {
      let predicate = QueryPredicate.comparison(comparison(&random))
      for logic in [PredicateLogic.twoValued, .threeValued] {
        let options = EvaluationOptions(logic: logic, locale: Locale(identifier: "en_US"))
        let evaluator = try PredicateEvaluator(predicate, options: options)
        for (thing, reading) in zip(things, readings) {
          let found = try evaluator.truth(.source(thing))
          let wanted = try evaluator.truth(.source(reading))
          if found != wanted { Issue.record("\(seed): \(predicate) for \(thing), \(logic)") }
        }
      }
    }
  }

  @Test("PRD-122: keys behind to-one relationships and of the members of a sub-query too")
  func paths() throws {
    let stack = try TestStack(TestModels.company())
    let sales = try stack.context.insert("Department", ["name": "Sales"])
    let lab = try stack.context.insert("Department", ["name": "Lab"])
    try stack.context.insert("Employee", ["name": "Ada", "salary": Int64(60), "department": sales])
    try stack.context.insert("Employee", ["name": "Bob", "salary": Int64(40), "department": lab])
    try stack.context.insert("Employee", ["name": "Cy", "salary": Int64(70)])
    let names = { (predicate: String) in
      try stack.context.all("Employee", predicate, sort: ["name"]).map { try $0.string("name") }
    }
    #expect(try names("department.name == 'Sales'") == ["Ada"])
    #expect(try names("department.name != 'Sales'") == ["Bob"])
    #expect(try names("department.name == nil") == ["Cy"])
    #expect(try names("salary BETWEEN {60, 70}") == ["Ada", "Cy"])
    let departments = try stack.context.all(
      "Department", "SUBQUERY(employees, $e, $e.salary > 50).@count > 0")
    #expect(try departments.map { try $0.string("name") } == ["Sales"])
  }

  // MARK: Random data

  @discardableResult
  private func insertThing(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> ManagedObject {
    let thing = try context.insert(entityNamed: "Thing")
    for key in Self.keys where Bool.random(using: &random) {
      let value = self.value(for: key, &random)
      // What the attribute cannot hold stays nil.
      try? thing.setQueryValue(value, forKey: key)
    }
    return thing
  }

  private func value(for key: String, _ random: inout SeededGenerator) -> Value {
    switch key {
    case "text", "passing": .string(Self.texts.randomElement(using: &random) ?? "")
    case "moment": .date(Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -2...2, using: &random))))
    case "tag": .uuid(Self.tags.randomElement(using: &random) ?? UUID())
    case "link": .uri(URL(fileURLWithPath: Self.texts.randomElement(using: &random) ?? ""))
    case "bytes": .data(Data([UInt8.random(in: 0...2, using: &random)]))
    default: Self.numbers.randomElement(using: &random) ?? .null
    }
  }

  private func comparison(_ random: inout SeededGenerator) -> QueryComparison {
    let key = Self.keys.randomElement(using: &random) ?? "text"
    let comparator = QueryComparison.Operator.allCases.filter {
      $0 != .matches && $0 != .typeConformsTo && $0 != .typeEquals
    }.randomElement(using: &random)
    let options = QueryComparison.Options(rawValue: UInt8.random(in: 0...15, using: &random))
    let other = Int.random(in: 0..<6, using: &random) == 0
    var constant = value(for: other ? Self.keys.randomElement(using: &random) ?? key : key, &random)
    if Int.random(in: 0..<10, using: &random) == 0 { constant = .null }
    if key == "text", !other, case .string(let text) = constant, Bool.random(using: &random) {
      constant = .string(text + "*")
    }
    if comparator == .between { constant = .list([constant, value(for: key, &random)]) }
    if comparator == .in { constant = .list([constant, .null, value(for: key, &random)]) }
    return QueryComparison(
      left: .key(key), comparator: comparator ?? .equal, options: options,
      right: QueryExpression(.constant(constant)))
  }
}
