#if PostgreSQL
import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Dictionaries of a PostgreSQL store", .enabled(if: TestStores.areThere))
struct PostgreSQLResultTests {
  private static let keys = [
    "name", "age", "count", "ratio", "salary", "hired", "isActive", "department", "department.name",
    "entity.name",
  ]
  private static let aggregates = [
    "count:(SELF)", "count:(name)", "count:(distinct:(age))", "sum:(age)", "sum:(count)", "average:(age)",
    "min:(name)", "max:(name)", "min:(salary)", "max:(ratio)", "min:(isActive)", "max:(hired)",
    "sum:(salary)",
    "average:(ratio)", "sum:(age * 2)", "max:(department.name)", "sum:(projects.@count)", "median:(age)",
  ]

  @Test(
    "FET-078 to FET-106, PRD-229: groups and different results are those of a store in memory",
    arguments: TestSeed.sequence(4))
  func agreement(seed: TestSeed) throws {
    var random = seed.generator
    let stores = TestStores()
    let contexts = [
      ManagedObjectContext(coordinator: try stores.coordinator(StaffModel.model)),
      ManagedObjectContext(coordinator: try .inMemory(model: StaffModel.model)),
    ]
    let start = random.next()
    for context in contexts { try Self.fill(context, SeededGenerator(seed: start)) }
    var (checked, inStore) = (0, 0)
    for _ in 0..<60 {
      let request = try Self.request(&random)
      // Of a sum that is beyond 64 bits memory tells before it cuts the window.
      guard let expected = try? Self.results(contexts[1], request) else { continue }
      checked += 1
      let found = try Self.results(contexts[0], request)
      #expect(found == expected, "\(request)")
      if try contexts[0].explain(request).parts.allSatisfy(\.isInStore) { inStore += 1 }
    }
    #expect(checked > 30 && inStore > 10, "\(checked) checked, \(inStore) by the server alone")
  }

  private static func fill(_ context: ManagedObjectContext, _ random: SeededGenerator) throws {
    var random = random
    let departments = try ["Sales", "sales", "IT", ""].map { name in
      let department = try context.insert(entityNamed: "Department")
      try department.setQueryValue(.string(name), forKey: "name")
      return department
    }
    for _ in 0..<60 {
      let employee = try context.insert(entityNamed: "Employee")
      func set(_ key: String, _ values: [Value]) throws {
        let value = random.pick(values)
        if random.chance(80) { try employee.setQueryValue(value, forKey: key) }
      }
      try set("name", ["Ann", "ann", "Bob", "Änne", "", "😀"].map(Value.string))
      try set("age", [-3, 0, 20, 41, 32_767].map(Value.int))
      try set("count", [.min, -1, 0, 7, 1 << 40, .max].map(Value.int))
      try set("ratio", [-0.5, 0, 0.1, 2, 1e300].map(Value.double))
      try set("salary", ["0", "2.50", "12345678901234567890.125"].map { .decimal(Decimal(string: $0) ?? 0) })
      try set("hired", [0, 0.5, -1e9].map { .date(Date(timeIntervalSinceReferenceDate: $0)) })
      try set("isActive", [.bool(true), .bool(false)])
      let place = Int.random(in: 0..<5, using: &random)
      if place < departments.count { try employee.setValue(departments[place], forKey: "department") }
    }
    try context.save()
  }

  private static func request(_ random: inout SeededGenerator) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.resultType = .dictionary
    let groups = Array(keys.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)))
    var properties = groups.map(ResultProperty.keyPath)
    if random.chance(75) {
      request.propertiesToGroupBy = groups.isEmpty ? nil : properties
      for place in 0..<Int.random(in: 1...3, using: &random) {
        let text = random.pick(aggregates)
        properties.append(.expression(try ExpressionDescription(name: "a\(place)", parsing: text)))
      }
      if !groups.isEmpty, random.chance(40) {
        request.havingPredicate = try QueryPredicate(parsing: "count:(SELF) > 1 AND $a0 != nil")
      }
    } else {
      request.returnsDistinctResults = random.chance(60)
      if properties.isEmpty { properties = ["age"] }
    }
    request.propertiesToFetch = properties
    if random.chance(50) { request.predicate = try QueryPredicate(parsing: "age > 0 AND name !=[c] 'bob'") }
    if random.chance(60) {
      let isGrouped = properties.count > groups.count
      let order = random.pick(groups + (isGrouped ? ["a0"] : ["age"]))
      request.sortDescriptors = try QuerySortDescriptor.list(
        parsing: (random.chance(50) ? "-" : "") + order)
    }
    if random.chance(40) {
      request.fetchLimit = Int.random(in: 0...5, using: &random)
      request.fetchOffset = Int.random(in: 0...3, using: &random)
    }
    return request
  }

  /// The values as texts, objects by their keys; rows without an order by their texts.
  private static func results(
    _ context: ManagedObjectContext, _ request: FetchRequest<ManagedObject>
  ) throws -> [[String]] {
    let rows = try context.fetchDictionaries(request).map { $0.values.map(text) }
    let hasOrder =
      request.propertiesToGroupBy != nil || !request.sortDescriptors.isEmpty || request.fetchLimit > 0
    return hasOrder || request.fetchOffset > 0 ? rows : rows.sorted { $0.joined() < $1.joined() }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .object(let reference):
      reference.identifier(as: ManagedObjectID.self).map { "p\($0.key)" } ?? "?"
    case .double(let number): "\(number + 0)"
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    default: "\(value)"
    }
  }
}
#endif
