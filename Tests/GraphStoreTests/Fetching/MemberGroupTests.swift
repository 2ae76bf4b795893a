import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Groups over to-many relationships")
struct MemberGroupTests {
  private typealias Customer = MemberGraph.Customer

  /// A grouping value as text, and as the test computes it of one combination of members.
  private struct Key {
    var text: String
    var needs: Set<MemberGraph.Member>
    var value: (MemberGraph.Route) -> Value
  }

  private static var keys: [Key] {
    [
      Key(text: "orders.note", needs: [.order]) { $0.order?.note ?? .null },
      Key(text: "orders.total", needs: [.order]) { $0.order?.total ?? .null },
      Key(text: "orders.placed", needs: [.order]) { $0.order?.placed ?? .null },
      Key(text: "year:(orders.placed)", needs: [.order]) { $0.order?.year ?? .null },
      Key(text: "uppercase:(orders.note)", needs: [.order]) { route in
        if case .string(let note)? = route.order?.note { .string(note.uppercased()) } else { .null }
      },
      Key(text: "orders.lines.item", needs: [.order, .line]) { $0.line ?? .null },
      Key(text: "tags.label", needs: [.tag]) { $0.tag ?? .null },
      Key(text: "region.name", needs: []) { $0.customer.region },
      Key(text: "region.customers.points", needs: [.neighbour]) { $0.neighbour ?? .null },
      Key(text: "points", needs: []) { $0.customer.points },
    ]
  }

  private struct Aggregate {
    var text: String
    var value: ([Customer]) -> Value
  }

  private static func points(_ customers: [Customer]) -> [Int64] {
    customers.compactMap { if case .int(let number) = $0.points { number } else { nil } }
  }

  private static func percentile(_ customers: [Customer], _ fraction: Double) -> Value {
    let sorted = points(customers).map(Double.init).sorted()
    guard let last = sorted.last else { return .null }
    let place = fraction * Double(sorted.count - 1)
    let lower = sorted[Int(place)]
    let upper = Int(place) + 1 < sorted.count ? sorted[Int(place) + 1] : last
    return .double(lower + (upper - lower) * (place - place.rounded(.down)))
  }

  private static var aggregates: [Aggregate] {
    [
      Aggregate(text: "count:(SELF)") { .int(Int64($0.count)) },
      Aggregate(text: "sum:(points)") { .int(points($0).reduce(0, +)) },
      Aggregate(text: "count:(distinct:(points))") { .int(Int64(Set(points($0)).count)) },
      Aggregate(text: "max:(name)") { customers in customers.map(\.name).max().map { .string($0) } ?? .null },
      Aggregate(text: "sum:(orders.@count)") { .int(Int64($0.map(\.orders.count).reduce(0, +))) },
      Aggregate(text: "median:(points)") { percentile($0, 0.5) },
      Aggregate(text: "percentile:(points, 0.25)") { percentile($0, 0.25) },
    ]
  }

  private static var predicates: [(text: String, isMeant: (Customer) -> Bool)] {
    [
      ("TRUEPREDICATE", { _ in true }),
      ("points > 1", { if case .int(let number) = $0.points { number > 1 } else { false } }),
      ("ANY orders.note == 'a'", { $0.orders.contains { $0.note == .string("a") } }),
      ("orders.@count == 0", { $0.orders.isEmpty }),
    ]
  }

  private static func property(_ text: String) throws -> ResultProperty {
    guard text.contains("(") else { return .keyPath(text) }
    return .expression(try ExpressionDescription(parsing: text))
  }

  private struct Made {
    var request: FetchRequest<ManagedObject>
    var expected: [[Value]]
  }

  private static func made(_ graph: MemberGraph, _ random: inout SeededGenerator) throws -> Made {
    let groups = Array(keys.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
    let chosen = Array(aggregates.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
    let predicate = random.pick(predicates)
    var request = FetchRequest(entityName: "Customer")
    request.resultType = .dictionary
    request.predicate = try QueryPredicate(parsing: predicate.text)
    request.propertiesToGroupBy = try groups.map { try property($0.text) }
    request.propertiesToFetch = try (groups.map(\.text) + chosen.map(\.text)).map(property)
    var members: [[Value]: [Customer]] = [:]
    let needs = groups.reduce(into: Set<MemberGraph.Member>()) { $0.formUnion($1.needs) }
    for customer in graph.customers where predicate.isMeant(customer) {
      let tuples = Set(graph.routes(of: customer, needs).map { route in groups.map { $0.value(route) } })
      for tuple in tuples { members[tuple, default: []].append(customer) }
    }
    if random.chance(30) {
      request.havingPredicate = try QueryPredicate(parsing: "count:(SELF) > 1")
      members = members.filter { $0.value.count > 1 }
    }
    if random.chance(50) {
      request.sortDescriptors = try [QuerySortDescriptor(parsing: "-\(groups[0].text)")]
    }
    return Made(
      request: request,
      expected: members.map { key, customers in key + chosen.map { $0.value(customers) } })
  }

  private static func text(_ rows: [[Value]]) -> [String] {
    rows.map { row in
      row.map { if case .date(let date) = $0 { "\(date.timeIntervalSinceReferenceDate)" } else { "\($0)" } }
        .joined(separator: "|")
    }.sorted()
  }

  @Test(
    "FET-295, FET-095: store, memory and a computation of the test's own agree on groups over members",
    arguments: TestSeed.sequence(4))
  func agreement(_ seed: TestSeed) throws {
    var random = seed.generator
    for (factory, hasStatements) in [(StoreFactory.sqlite, true), (.memory, false)] {
      let graph = try MemberGraph(&random, count: Int.random(in: 0...14, using: &random), factory)
      let context = graph.stack.context
      for _ in 0..<20 {
        let made = try Self.made(graph, &random)
        var inMemory = made.request
        inMemory.predicate = .all(
          of: [made.request.predicate, try QueryPredicate(parsing: "FUNCTION(SELF, 'yes') == 1")]
            .compactMap(\.self))
        for request in [made.request, inMemory] {
          let found = try context.fetchDictionaries(request).map(\.values)
          #expect(Self.text(found) == Self.text(made.expected), "\(seed): \(request)")
          #expect(try context.count(for: request) == made.expected.count, "\(seed)")
        }
        guard hasStatements else { continue }
        let others = try context.explain(made.request).parts.filter { !$0.isInStore }
        #expect(others.isEmpty, "\(others)")
        let count = try graph.stack.statements { _ = try context.fetchDictionaries(made.request) }
        #expect(count == 1, "\(made.request)")
      }
    }
  }

  // MARK: Single rules

  private func request(groupedBy keys: [ResultProperty], _ shown: [ResultProperty]? = nil)
    -> FetchRequest<ManagedObject>
  {
    var request = FetchRequest(entityName: "Customer")
    request.resultType = .dictionary
    request.propertiesToGroupBy = keys
    request.propertiesToFetch = shown
    return request
  }

  private func stack(_ factory: StoreFactory) throws -> TestStack {
    let stack = try TestStack(MemberGraph.model, factory: factory)
    for (name, notes) in [("Ada", ["a", "a", "b"]), ("Bob", ["b"]), ("Cy", [])] {
      let customer = try stack.context.insert("Customer", ["name": name])
      for note in notes {
        let entity = note == "b" ? "Refund" : "Order"
        try stack.context.insert(entity, ["note": note, "customer": customer])
      }
    }
    try stack.context.save()
    return stack
  }

  @Test(
    "FET-295: an object is in the group of each value once, and one without members in that of nil",
    arguments: [StoreFactory.sqlite, .memory])
  func once(_ factory: StoreFactory) throws {
    let stack = try stack(factory)
    let count = ResultProperty.expression(try ExpressionDescription(name: "n", parsing: "count:(SELF)"))
    var byNote = request(groupedBy: ["orders.note"], ["orders.note", count])
    byNote.sortDescriptors = try [QuerySortDescriptor(parsing: "orders.note:nulls-last")]
    #expect(
      try stack.context.fetchDictionaries(byNote).map(\.values) == [
        [.string("a"), .int(1)], [.string("b"), .int(2)], [.null, .int(1)],
      ])
    byNote.havingPredicate = try QueryPredicate(parsing: "orders.note != nil AND n > 1")
    #expect(try stack.context.fetchDictionaries(byNote).map(\.values) == [[.string("b"), .int(2)]])
    byNote.havingPredicate = nil
    byNote.propertiesToFetch = nil
    #expect(
      try stack.context.fetchDictionaries(byNote).map { $0["orders.note"] as? String } == ["a", "b", nil])
  }

  @Test("FET-295: groups of the members themselves name them", arguments: [StoreFactory.sqlite, .memory])
  func members(_ factory: StoreFactory) throws {
    let stack = try stack(factory)
    let count = ResultProperty.expression(try ExpressionDescription(name: "n", parsing: "count:(SELF)"))
    let rows = try stack.context.fetchDictionaries(request(groupedBy: ["orders"], ["orders", count]))
    let ids = rows.compactMap { $0["orders"] as? ManagedObjectID }
    #expect(rows.count == 5 && ids.count == 4)
    #expect(Set(ids.map(\.entity.name)) == ["Order", "Refund"])
    #expect(rows.allSatisfy { $0.values[1] == .int(1) })
  }

  @Test("FET-295, FET-081, FET-099: what is no group stays refused, by its name")
  func refused() throws {
    let stack = try stack(.sqlite)
    let context = stack.context
    let grouped = request(groupedBy: ["orders.note"], ["orders.total"])
    let plain = request(groupedBy: [], ["orders.note"])
    for wrong in [grouped, plain] {
      let error = #expect(throws: GraphStoreError.self) { try context.fetchDictionaries(wrong) }
      #expect(error?.code == .invalidProperty && error?.property?.hasPrefix("orders.") == true)
    }
    var sorted = request(groupedBy: ["name"], ["name"])
    sorted.sortDescriptors = try [QuerySortDescriptor(parsing: "orders.note")]
    #expect(throws: QueryPredicateError.self) { try context.fetchDictionaries(sorted) }
  }
}
