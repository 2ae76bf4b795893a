import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Random requests for dictionaries")
struct ResultAgreementTests {
  private typealias Sale = ResultGraph.Sale

  /// An aggregate as text, and as the test computes it.
  private struct Aggregate {
    let text: String
    let value: ([Sale]) -> Value
  }

  private static func present(_ sales: [Sale], _ key: String) -> [Value] {
    sales.map { $0.value(key) }.filter { !$0.isNull }
  }

  private static func whole(_ value: Value) -> Int64 {
    if case .int(let number) = value { number } else { 0 }
  }

  private static func decimal(_ value: Value) -> Decimal {
    if case .decimal(let number) = value { number } else { 0 }
  }

  private static func extreme(_ values: [Value], isLeast: Bool) -> Value {
    values.min { left, right in
      ReferenceOrder.isLess(isLeast ? left : right, isLeast ? right : left) ?? false
    } ?? .null
  }

  private static var aggregates: [Aggregate] { plainAggregates + extremes }

  private static func count(_ sales: [Sale], _ key: String) -> Value {
    .int(Int64(present(sales, key).count))
  }

  private static func distinctCount(_ sales: [Sale], _ key: String) -> Value {
    .int(Int64(Set(present(sales, key)).count))
  }

  private static func wholeSum(_ sales: [Sale], _ key: String, times factor: Int64 = 1) -> Value {
    var sum: Int64 = 0
    for value in present(sales, key) { sum += whole(value) * factor }
    return .int(sum)
  }

  private static func decimalSum(_ sales: [Sale], _ key: String) -> Value {
    var sum = Decimal(0)
    for value in present(sales, key) { sum += decimal(value) }
    return .decimal(sum)
  }

  private static func doubleSum(_ sales: [Sale], _ key: String) -> Double {
    var sum = 0.0
    for value in present(sales, key) { sum += ReferenceOrder.number(value) }
    return sum
  }

  private static func mean(_ sales: [Sale], _ key: String) -> Value {
    let count = present(sales, key).count
    return count == 0 ? .null : .double(doubleSum(sales, key) / Double(count))
  }

  private static func span(_ sales: [Sale]) -> Value {
    let greatest = extreme(present(sales, "amount"), isLeast: false)
    let least = extreme(present(sales, "small"), isLeast: true)
    return greatest.isNull || least.isNull ? .null : .int(whole(greatest) - whole(least))
  }

  private static func median(_ sales: [Sale]) -> Value {
    let sorted = present(sales, "small").map(whole).sorted()
    if sorted.isEmpty { return .null }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return .double(Double(sorted[middle])) }
    return .double(Double(sorted[middle - 1] + sorted[middle]) / 2)
  }

  /// The value at a place that is a quarter of the way, exactly as decimals have it.
  private static func quartile(_ sales: [Sale]) -> Value {
    let sorted = present(sales, "price").map(decimal).sorted()
    guard let last = sorted.last else { return .null }
    let (index, rest) = (sorted.count - 1).quotientAndRemainder(dividingBy: 4)
    if rest == 0 { return .decimal(sorted[index]) }
    let next = index + 1 < sorted.count ? sorted[index + 1] : last
    return .decimal(sorted[index] + (next - sorted[index]) * Decimal(rest) / 4)
  }

  private static func latest(_ sales: [Sale]) -> Value {
    extreme(present(sales, "day"), isLeast: false)
  }

  private static var plainAggregates: [Aggregate] {
    [
      Aggregate(text: "count:(SELF)", value: { .int(Int64($0.count)) }),
      Aggregate(text: "count:(region)", value: { count($0, "region") }),
      Aggregate(text: "count:(distinct:(region))", value: { distinctCount($0, "region") }),
      Aggregate(text: "count:(distinct:(shop.size))", value: { distinctCount($0, "shop.size") }),
      Aggregate(text: "count:(distinct:(price))", value: { distinctCount($0, "price") }),
      Aggregate(text: "count:(shop)", value: { count($0, "shop") }),
      Aggregate(text: "sum:(amount)", value: { wholeSum($0, "amount") }),
      Aggregate(text: "sum:(small * 3)", value: { wholeSum($0, "small", times: 3) }),
      Aggregate(text: "sum:(shop.size)", value: { wholeSum($0, "shop.size") }),
      Aggregate(text: "sum:(price)", value: { decimalSum($0, "price") }),
      Aggregate(text: "sum:(ratio)", value: { .double(doubleSum($0, "ratio")) }),
      Aggregate(text: "average:(ratio)", value: { mean($0, "ratio") }),
      Aggregate(text: "average:(small)", value: { mean($0, "small") }),
      Aggregate(text: "max:(amount) - min:(small)", value: { span($0) }),
      Aggregate(text: "median:(small)", value: { median($0) }),
      Aggregate(text: "percentile:(price, 0.25)", value: { quartile($0) }),
      Aggregate(text: "percentile:(day, 1)", value: { latest($0) }),
    ]
  }

  private static var extremes: [Aggregate] {
    let keys = [
      "amount", "price", "ratio", "region", "day", "code", "flag", "shop.name", "place.city", "place.zip",
    ]
    let least = keys.map { key in
      Aggregate(text: "min:(\(key))", value: { extreme(present($0, key), isLeast: true) })
    }
    let greatest = keys.map { key in
      Aggregate(text: "max:(\(key))", value: { extreme(present($0, key), isLeast: false) })
    }
    return least + greatest
  }

  private static var predicates: [(text: String, isMeant: (Sale) -> Bool)] {
    [
      ("small > 0", { whole($0.value("small")) > 0 }),
      ("region != 'east'", { !$0.value("region").isNull && $0.value("region") != .string("east") }),
      (
        "shop.name BEGINSWITH 'N' OR flag == YES",
        {
          $0.value("shop.name") == .string("North") || $0.value("flag") == .bool(true)
        }
      ),
      ("small > 10", { _ in false }),
      ("entity == 'Return'", { $0.isReturn }),
    ]
  }

  private static let keys = [
    "region", "flag", "shop.name", "shop.size", "small", "price", "day", "ratio", "code", "place.city",
    "place.zip",
  ]

  private static func equality(_ value: Value) -> Value {
    if case .double(let number) = value { return .double(number + 0) }
    return value
  }

  // MARK: Requests

  /// A result, and what it is told apart by.
  private struct Result {
    var key: [Value]
    var values: [Value]
  }

  /// A key of an order.
  private struct Order {
    var ascending: Bool
    /// Whether nil is behind all values; by default where it is greater than none.
    var nilsLast: Bool?
    var value: (Result) -> Value
  }

  /// A request made at random, and what it has to give.
  private struct Made {
    var request = FetchRequest(entityName: "Sale")
    var expected: [[Value]] = []
    var text = ""
  }

  private static func grouped(_ sales: [Sale], _ random: inout SeededGenerator) throws -> Made {
    var made = Made()
    var selected = try choosePredicate(sales, &made, &random)
    let groups = Array(keys.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
    let chosen = Array(aggregates.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
    if random.chance(30) {
      made.request.includesSubentities = false
      selected = selected.filter { !$0.isReturn }
    }
    let shown = random.chance(70) ? groups : Array(groups.prefix(1))
    let names = chosen.indices.map { "a\($0)" }
    made.request.resultType = .dictionary
    made.request.propertiesToGroupBy = groups.isEmpty ? nil : groups.map(ResultProperty.keyPath)
    var properties = shown.map(ResultProperty.keyPath)
    for (name, aggregate) in zip(names, chosen) {
      properties.append(.expression(try ExpressionDescription(name: name, parsing: aggregate.text)))
    }
    made.request.propertiesToFetch = properties
    var rows = Dictionary(grouping: selected) { sale in groups.map { equality(sale.value($0)) } }
    if groups.isEmpty { rows = [[]: selected] }
    var results: [Result] = []
    for (key, sales) in rows {
      var values = shown.map { key[groups.firstIndex(of: $0) ?? 0] }
      for aggregate in chosen { values.append(aggregate.value(sales)) }
      results.append(Result(key: key, values: values))
    }
    if !groups.isEmpty, random.chance(40) {
      made.request.havingPredicate = try QueryPredicate(parsing: "count:(SELF) > 1 AND $a0 != nil")
      results = results.filter { result in
        (rows[result.key]?.count ?? 0) > 1 && !result.values[shown.count].isNull
      }
    }
    var order: [Order] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let ascending = random.chance(50)
      let isLast = random.chance(30) ? random.chance(50) : nil
      let nilPlacement = isLast.map { $0 ? QuerySortDescriptor.NilPlacement.last : .first }
      let nilsLast = isLast ?? !ascending
      if random.chance(50), let place = groups.indices.randomElement(using: &random) {
        made.request.sortDescriptors.append(
          try .init(key: groups[place], ascending: ascending, nilPlacement: nilPlacement))
        order.append(Order(ascending: ascending, nilsLast: nilsLast) { $0.key[place] })
      } else {
        let place = Int.random(in: 0..<chosen.count, using: &random)
        made.request.sortDescriptors.append(
          try .init(key: names[place], ascending: ascending, nilPlacement: nilPlacement))
        order.append(Order(ascending: ascending, nilsLast: nilsLast) { $0.values[shown.count + place] })
      }
    }
    let tie = made.request.sortDescriptors.last?.ascending ?? true
    for place in groups.indices { order.append(Order(ascending: tie) { $0.key[place] }) }
    made.expected = window(sort(results, order).map(\.values), &made, &random)
    made.text += "group \(groups) show \(shown) \(chosen.map(\.text))"
    return made
  }

  private static func plain(_ sales: [Sale], _ random: inout SeededGenerator) throws -> Made {
    var made = Made()
    let selected = try choosePredicate(sales, &made, &random)
    let shown = Array(keys.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
    made.request.resultType = .dictionary
    made.request.propertiesToFetch = shown.map(ResultProperty.keyPath)
    made.request.returnsDistinctResults = random.chance(50)
    var order: [Order] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let ascending = random.chance(50)
      let place = Int.random(in: 0..<shown.count, using: &random)
      made.request.sortDescriptors.append(try .init(key: shown[place], ascending: ascending))
      order.append(Order(ascending: ascending) { $0.values[place] })
    }
    let ascending = made.request.sortDescriptors.last?.ascending ?? true
    var results = selected.map { sale in
      Result(key: [.int(Int64(sale.key))], values: shown.map { equality(sale.value($0)) })
    }
    if made.request.returnsDistinctResults {
      var seen: Set<[Value]> = []
      results = results.filter { seen.insert($0.values).inserted }
      for place in shown.indices { order.append(Order(ascending: ascending) { $0.values[place] }) }
    } else {
      order.append(Order(ascending: ascending) { $0.key[0] })
    }
    made.expected = window(sort(results, order).map(\.values), &made, &random)
    made.text += "show \(shown) distinct \(made.request.returnsDistinctResults)"
    return made
  }

  private static func choosePredicate(
    _ sales: [Sale], _ made: inout Made, _ random: inout SeededGenerator
  ) throws -> [Sale] {
    guard random.chance(60) else { return sales }
    let chosen = random.pick(predicates)
    made.request.predicate = try QueryPredicate(parsing: chosen.text)
    made.text = "where \(chosen.text) "
    return sales.filter(chosen.isMeant)
  }

  private static func sort(_ results: [Result], _ order: [Order]) -> [Result] {
    results.sorted { left, right in
      for key in order {
        let (left, right) = (key.value(left), key.value(right))
        if left.isNull != right.isNull { return left.isNull != (key.nilsLast ?? !key.ascending) }
        if let isLess = ReferenceOrder.isLess(left, right) { return isLess == key.ascending }
      }
      return false
    }
  }

  private static func window(
    _ results: [[Value]], _ made: inout Made, _ random: inout SeededGenerator
  ) -> [[Value]] {
    // Without any order a window is one of the rows as they were made; distinct ones have none then.
    guard random.chance(40) else { return results }
    made.request.fetchLimit = Int.random(in: 0...4, using: &random)
    made.request.fetchOffset = Int.random(in: 0...3, using: &random)
    let rest = results.dropFirst(made.request.fetchOffset)
    return Array(made.request.fetchLimit > 0 ? rest.prefix(made.request.fetchLimit) : rest)
  }

  // MARK: Comparing

  /// The same request with a condition that no store can run, and that is always true.
  private static func inMemory(_ request: FetchRequest<ManagedObject>) throws -> FetchRequest<ManagedObject> {
    var request = request
    let always = try QueryPredicate(parsing: "FUNCTION(SELF, 'yes') == 1")
    request.predicate = .all(of: [request.predicate, always].compactMap(\.self))
    return request
  }

  private static func hasOrder(_ request: FetchRequest<ManagedObject>) -> Bool {
    request.propertiesToGroupBy != nil || !request.sortDescriptors.isEmpty || request.fetchLimit > 0
      || request.fetchOffset > 0
  }

  private static func arranged(_ results: [[Value]], _ request: FetchRequest<ManagedObject>) -> [[Value]] {
    guard !hasOrder(request) else { return results }
    // By bytes: texts that Swift takes for equal may be different values.
    return results.sorted { text($0).utf8.lexicographicallyPrecedes(text($1).utf8) }
  }

  /// The values with all of their digits, which the description of a date does not have.
  private static func text(_ row: [Value]) -> String {
    row.map { value in
      if case .date(let date) = value { return "\(date.timeIntervalSinceReferenceDate)" }
      return "\(value)"
    }.joined(separator: ", ")
  }

  private func compare(_ made: Made, _ graph: ResultGraph, _ seed: TestSeed) throws {
    let expected = Self.arranged(made.expected, made.request)
    for (place, request) in [("store", made.request), ("memory", try Self.inMemory(made.request))] {
      let found = try graph.context.fetchDictionaries(request).map { $0.values.map(Self.equality) }
      #expect(
        Self.arranged(found, request) == expected, "\(seed): in \(place), \(made.text), \(made.request)")
      if made.request.propertiesToGroupBy != nil || made.request.returnsDistinctResults {
        #expect(try graph.context.count(for: request) == made.expected.count, "\(seed): \(made.text)")
      }
    }
  }

  @Test(
    "FET-078 to FET-106, PRD-297: store, memory and a computation of the test's own agree on groups and distinct results",
    arguments: TestSeed.sequence(3))
  func agreement(_ seed: TestSeed) throws {
    var random = seed.generator
    for factory in [StoreFactory.sqlite, .memory] {
      let graph = try ResultGraph(
        &random, count: Int.random(in: 0...40, using: &random) + 1, factory: factory)
      for _ in 0..<25 {
        try compare(try Self.grouped(graph.sales, &random), graph, seed)
        try compare(try Self.plain(graph.sales, &random), graph, seed)
      }
    }
  }

  @Test(
    "FET-088, FET-247: what can be said exactly runs in the store, as one statement",
    arguments: TestSeed.sequence(3))
  func statements(_ seed: TestSeed) throws {
    var random = seed.generator
    let graph = try ResultGraph(&random, count: 5, factory: .sqlite)
    for _ in 0..<30 {
      let made = try Self.grouped(graph.sales, &random)
      let others = try graph.context.explain(made.request).parts.filter { !$0.isInStore }
      #expect(others.isEmpty, "\(made.text): \(others)")
      let count = try graph.stack.statements { _ = try graph.context.fetchDictionaries(made.request) }
      #expect(count == 1, "\(made.text)")
    }
  }
}
