import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Dictionaries of stores")
struct ResultStoreTests {
  private func expression(_ name: String, _ text: String) throws -> ResultProperty {
    .expression(try ExpressionDescription(name: name, parsing: text))
  }

  private func request(_ entity: String, _ properties: [ResultProperty]?) -> FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: entity)
    request.resultType = .dictionary
    request.propertiesToFetch = properties
    return request
  }

  // MARK: Several stores

  @Test("FET-034, FET-095: groups, aggregates, distinct, order and window are those of all stores together")
  func severalStores() throws {
    let stack = try SeveralStores()
    for number in 0..<30 {
      try stack.insert("Employee", ["name": "E\(number)", "salary": number % 3 * 10], into: number % 2)
    }
    try stack.context.save()
    let context = stack.newContext()
    var groups = request(
      "Employee", ["salary", try expression("n", "count:(SELF)"), try expression("total", "sum:(salary)")])
    groups.propertiesToGroupBy = ["salary"]
    groups.sortDescriptors = try [QuerySortDescriptor(parsing: "-salary")]
    #expect(
      try context.fetchDictionaries(groups).map(\.values) == [
        [.int(20), .int(10), .int(200)], [.int(10), .int(10), .int(100)], [.int(0), .int(10), .int(0)],
      ])
    #expect(try context.count(for: groups) == 3)
    let total = request(
      "Employee", [try expression("total", "sum:(salary)"), try expression("n", "count:(SELF)")])
    #expect(try context.fetchDictionaries(total).map(\.values) == [[.int(300), .int(30)]])
    var distinct = request("Employee", ["salary"])
    distinct.returnsDistinctResults = true
    distinct.fetchOffset = 1
    #expect(try context.fetchDictionaries(distinct).map(\.values) == [[.int(10)], [.int(20)]])
    var plain = request("Employee", ["name"])
    plain.sortDescriptors = try [QuerySortDescriptor(parsing: "name")]
    plain.fetchLimit = 3
    #expect(try context.fetchDictionaries(plain).map { $0["name"] as? String } == ["E0", "E1", "E10"])
    plain.affectedStores = [stack.stores[1]]
    #expect(try context.fetchDictionaries(plain).map { $0["name"] as? String } == ["E1", "E11", "E13"])
    plain.affectedStores = []
    #expect(try context.fetchDictionaries(plain).isEmpty)
    var none = total
    none.affectedStores = []
    #expect(try context.fetchDictionaries(none).map(\.values) == [[.int(0), .int(0)]])
    let explanation = try context.explain(groups)
    #expect(explanation.statements.count == 2)
    #expect(explanation.parts.allSatisfy { $0.reason == .severalStores })
  }

  // MARK: Plans

  @Test("FET-088, FET-251: explain says of each part where it runs, and what keeps all of it from the store")
  func explanations() throws {
    let stack = try TestStack(TestModels.company())
    var request = request("Employee", ["department.name", try expression("total", "sum:(salary)")])
    request.propertiesToGroupBy = ["department.name"]
    request.havingPredicate = try QueryPredicate(parsing: "total > 10")
    request.sortDescriptors = try [QuerySortDescriptor(parsing: "-total")]
    request.predicate = try QueryPredicate(parsing: "salary > 1")
    let pushed = try stack.context.explain(request)
    #expect(
      pushed.parts.map(\.kind.rawValue) == ["predicate", "group", "result", "result", "having", "sort"])
    #expect(pushed.parts.allSatisfy(\.isInStore) && pushed.resultType == .dictionary)
    #expect(pushed.sql.contains(" GROUP BY ") && pushed.sql.contains(" HAVING "))
    #expect(pushed.sort == .afterReading)
    request.propertiesToFetch = try [
      expression("total", "sum:(salary)"), expression("middle", "stddev:(salary)"),
    ]
    let left = try stack.context.explain(request)
    #expect(left.parts.filter { $0.kind == .predicate }.allSatisfy { $0.isInStore })
    #expect(left.parts.filter { $0.kind != .predicate }.allSatisfy { !$0.isInStore })
    #expect(left.parts.first { $0.text == "middle" }?.reason == .function)
    #expect(left.parts.first { $0.text == "total" }?.reason == .mixed)
    #expect(!left.sql.contains("GROUP BY") && left.sort == .memory(.mixed))
    request.inMemoryEvaluation = .refused
    let statements = stack.statements {
      let error = #expect(throws: GraphStoreError.self) { try stack.context.fetchDictionaries(request) }
      #expect(error?.code == .unsupportedInStore && error?.message.contains("middle") == true)
    }
    #expect(statements == 0)
  }

  @Test("FET-085, FET-106, FET-247: aggregates, groups and their number are one statement each")
  func statements() throws {
    let stack = try TestStack(TestModels.company())
    try stack.context.insert("Employee", ["name": "A", "salary": Int64(1)])
    try stack.context.save()
    var request = request(
      "Employee",
      [
        "name", try expression("least", "min:(salary)"), try expression("most", "max:(salary)"),
        try expression("mean", "average:(salary)"),
      ])
    request.propertiesToGroupBy = ["name"]
    var texts = try stack.recordedStatements { _ = try stack.context.fetchDictionaries(request) }
    #expect(texts.count == 1)
    texts = try stack.recordedStatements { _ = try stack.context.count(for: request) }
    #expect(
      texts.count == 1 && texts[0].hasPrefix("SELECT COUNT(*) FROM (SELECT 1 FROM ")
        && !texts[0].contains("MIN"))
    request.propertiesToGroupBy = nil
    request.propertiesToFetch = ["name"]
    request.returnsDistinctResults = true
    texts = try stack.recordedStatements { _ = try stack.context.fetchDictionaries(request) }
    #expect(texts.count == 1 && texts[0].hasPrefix("SELECT DISTINCT "))
  }

  @Test("FET-097: rows in memory that follow to-ones read each destination once")
  func fallbackStatements() throws {
    let stack = try TestStack(TestModels.company())
    let labs = try stack.context.insert("Department", ["name": "Labs"])
    for number in 0..<20 {
      try stack.context.insert("Employee", ["name": "E\(number)", "department": labs])
    }
    try stack.context.save()
    var request = request("Employee", ["department.name", try expression("m", "mode:(name)")])
    request.propertiesToGroupBy = ["department.name"]
    let context = stack.newContext()
    let count = try stack.statements { try check(context.fetchDictionaries(request).count == 1) }
    #expect(count == 2)
    #expect(context.registeredObjects.isEmpty)
  }

  // MARK: Values

  @Test(
    "FET-092: values of every type have their own types, from the store and from rows",
    arguments: [false, true])
  func values(inMemory: Bool) throws {
    let stack = try TestStack(TestModels.types)
    let moment = Date(timeIntervalSinceReferenceDate: 12.5)
    let tag = UUID()
    try stack.context.insert(
      "Thing",
      [
        "small": Int16(1), "medium": Int32(2), "large": Int64(3), "money": Decimal(string: "4.25") ?? 0,
        "ratio": 0.5, "single": Float(0.1), "text": "t", "flag": true, "moment": moment, "tag": tag,
        "link": URL(string: "https://example.org/a") ?? URL(fileURLWithPath: "/"), "bytes": Data([1, 2]),
      ])
    try stack.context.insert("Thing", [:])
    try stack.context.save()
    stack.context.functions.register("yes") { _, _ in .value(.int(1)) }
    var request = request("Thing", nil)
    if inMemory { request.predicate = try QueryPredicate(parsing: "FUNCTION(SELF, 'yes') == 1") }
    request.sortDescriptors = try [QuerySortDescriptor(parsing: "-small")]
    let found = try stack.context.fetchDictionaries(request)
    let row = found[0]
    #expect(
      row.names == [
        "small", "medium", "large", "money", "ratio", "single", "text", "flag", "moment", "tag", "link",
        "bytes",
      ])
    #expect(row["small"] as? Int16 == 1 && row["medium"] as? Int32 == 2 && row["large"] as? Int64 == 3)
    #expect(row["money"] as? Decimal == Decimal(string: "4.25") && row["ratio"] as? Double == 0.5)
    #expect(
      row["single"] as? Float == Float(0.1) && row["text"] as? String == "t" && row["flag"] as? Bool == true)
    #expect(row["moment"] as? Date == moment && row["tag"] as? UUID == tag)
    #expect(
      row["link"] as? URL == URL(string: "https://example.org/a") && row["bytes"] as? Data == Data([1, 2]))
    #expect(found[1].values.allSatisfy { $0.isNull })
    var error: GraphStoreError?
    do { _ = try row.decoded("txt") } catch let caught as GraphStoreError { error = caught }
    #expect(error?.code == .unknownKey && error?.suggestions == ["text"])
  }

  @Test("FET-090: sums of decimals are exact, whatever their digits", arguments: [false, true])
  func decimals(inMemory: Bool) throws {
    let stack = try TestStack(TestModels.types)
    let numbers = ["0.1", "0.2", "12345678901234567890.123456789", "-7", "0.000000001", "99999999999999.99"]
    for number in numbers { try stack.context.insert("Thing", ["money": Decimal(string: number) ?? 0]) }
    try stack.context.save()
    stack.context.functions.register("yes") { _, _ in .value(.int(1)) }
    var request = request(
      "Thing",
      [
        try expression("sum", "sum:(money)"), try expression("least", "min:(money)"),
        try expression("most", "max:(money)"), try expression("kinds", "count:(distinct:(money))"),
      ])
    if inMemory { request.predicate = try QueryPredicate(parsing: "FUNCTION(SELF, 'yes') == 1") }
    let sum = numbers.compactMap { Decimal(string: $0) }.reduce(0, +)
    #expect(
      try stack.context.fetchDictionaries(request)[0].values == [
        .decimal(sum), .decimal(-7), .decimal(Decimal(string: numbers[2]) ?? 0), .int(6),
      ])
  }

  @Test(
    "PRD-188: decimals of 38 digits that cancel each other leave the others whole", arguments: [false, true])
  func cancellingDecimals(inMemory: Bool) throws {
    let stack = try TestStack(TestModels.types)
    let large = String(repeating: "9", count: 38)
    for number in [large, "4.4", "-" + large, "0.6"] {
      try stack.context.insert("Thing", ["money": Decimal(string: number) ?? 0])
    }
    try stack.context.save()
    stack.context.functions.register("yes") { _, _ in .value(.int(1)) }
    var request = request(
      "Thing", [try expression("sum", "sum:(money)"), try expression("mean", "average:(money)")])
    if inMemory { request.predicate = try QueryPredicate(parsing: "FUNCTION(SELF, 'yes') == 1") }
    #expect(
      try stack.context.fetchDictionaries(request)[0].values == [
        .decimal(5), .decimal(Decimal(string: "1.25") ?? 0),
      ])
  }

  @Test(
    "FET-079, FET-080, FET-092: composites are dictionaries, transformables decoded, data in files loaded")
  func wideValues() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Photo",
          attributes: [
            AttributeDefinition("name", .string),
            AttributeDefinition("image", .binary, externalStorage: true),
            AttributeDefinition("tag", .transformable),
            AttributeDefinition(
              "place", .composite,
              elements: [AttributeDefinition("city", .string), AttributeDefinition("zip", .int32)]),
          ])
      ]))
    let image = Data(repeating: 7, count: 300_000)
    for number in 0..<3 {
      let photo = try stack.context.insert("Photo", ["name": "P\(number)", "image": image, "tag": "x"])
      try photo.setValue(
        ["city": number < 2 ? "Oslo" : "Rome", "zip": Int32(number)] as [String: Any?], forKey: "place")
    }
    try stack.context.save()
    let context = stack.newContext()
    var all = request("Photo", nil)
    all.sortDescriptors = try [QuerySortDescriptor(parsing: "name")]
    let row = try context.fetchDictionaries(all)[1]
    #expect(row.names == ["name", "image", "tag", "place"])
    #expect(row["image"] as? Data == image && row["tag"] as? String == "x")
    let place = try #require(row["place"] as? [String: Any?])
    #expect(place["city"] as? String == "Oslo" && place["zip"] as? Int32 == 1)
    var chosen = request("Photo", ["image", "tag", "place.city"])
    #expect(try context.explain(chosen).parts.allSatisfy { $0.isInStore })
    #expect(
      try context.fetchDictionaries(chosen).allSatisfy {
        $0["image"] as? Data == image && $0["tag"] as? String == "x"
      })
    chosen = request("Photo", ["place.city", try expression("n", "count:(image)")])
    chosen.propertiesToGroupBy = ["place.city"]
    #expect(
      try context.fetchDictionaries(chosen).map(\.description) == [
        #"{place.city: "Oslo", n: 2}"#, #"{place.city: "Rome", n: 1}"#,
      ])
    chosen = request("Photo", ["image"])
    chosen.returnsDistinctResults = true
    #expect(try context.fetchDictionaries(chosen).count == 1)
    chosen.propertiesToGroupBy = ["place"]
    chosen.returnsDistinctResults = false
    chosen.propertiesToFetch = nil
    let error = #expect(throws: GraphStoreError.self) { try context.fetchDictionaries(chosen) }
    #expect(error?.code == .invalidProperty)
  }
}
