import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Random requests for objects")
struct RandomRequestTests {
  private typealias Sale = ResultGraph.Sale

  /// A sale and its object, as the context has them.
  private struct Entry {
    let id: ManagedObjectID
    var sale: Sale
    /// The position among unsaved objects; nil for a stored one.
    var insertion: Int?
  }

  /// A request, and the identifiers that it has to give.
  private struct Made {
    var request = FetchRequest(entityName: "Sale")
    var expected: [ManagedObjectID] = []
    var text = ""
  }

  private static let sortKeys = [
    "region", "amount", "small", "price", "ratio", "day", "flag", "code", "shop.name", "shop.size",
    "place.city", "place.zip",
  ]

  private static func made(_ entries: [Entry], _ random: inout SeededGenerator) throws -> Made {
    var made = Made()
    var found = entries
    if random.chance(85) {
      let condition = RandomCondition(&random, depth: Int.random(in: 0...3, using: &random))
      made.text = condition.text
      made.request.predicate = try QueryPredicate(parsing: condition.text)
      found = found.filter { condition.selects($0.sale) }
    }
    if random.chance(25) {
      made.request.includesSubentities = false
      found = found.filter { !$0.sale.isReturn }
    }
    let keys = sortKeys.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
    let directions = keys.map { _ in random.chance(50) }
    made.request.sortDescriptors = try zip(keys, directions).map { try .init(key: $0, ascending: $1) }
    found = sorted(found, Array(zip(keys, directions)))
    if random.chance(50) {
      made.request.fetchLimit = Int.random(in: 0...5, using: &random)
      made.request.fetchOffset = Int.random(in: 0...3, using: &random)
      let rest = found.dropFirst(made.request.fetchOffset)
      found = Array(made.request.fetchLimit > 0 ? rest.prefix(made.request.fetchLimit) : rest)
    }
    made.expected = found.map(\.id)
    return made
  }

  /// By keys; equal ones by primary key in the direction of the last, unsaved ones behind as they were
  /// inserted (FET-046, FET-047).
  private static func sorted(_ entries: [Entry], _ keys: [(key: String, ascending: Bool)]) -> [Entry] {
    let ascending = keys.last?.ascending ?? true
    return entries.sorted { left, right in
      for (key, ascending) in keys {
        if let isLess = ReferenceOrder.isLess(left.sale.value(key), right.sale.value(key)) {
          return isLess == ascending
        }
      }
      switch (left.insertion, right.insertion) {
      case (nil, nil): return (left.id.key < right.id.key) == ascending
      case (nil, _): return true
      case (_, nil): return false
      case (let left?, let right?): return left < right
      }
    }
  }

  // MARK: Comparing

  private func hasOrder(_ request: FetchRequest<ManagedObject>) -> Bool {
    !request.sortDescriptors.isEmpty || request.fetchLimit > 0 || request.fetchOffset > 0
  }

  /// Asks a context in every way for the results of a request.
  private func check(_ made: Made, in context: ManagedObjectContext, _ place: String) throws {
    var request = made.request
    func inOrder(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
      hasOrder(made.request) ? ids : ids.sorted()
    }
    let expected = inOrder(made.expected)
    let text =
      "\(place): \(made.text) \(request.sortDescriptors) \(request.fetchOffset)+\(request.fetchLimit)"
    #expect(inOrder(try context.fetch(request).map(\.objectID)) == expected, "objects, \(text)")
    #expect(try context.count(for: request) == expected.count, "count, \(text)")
    request.resultType = .managedObjectID
    #expect(inOrder(try context.fetchIdentifiers(request)) == expected, "identifiers, \(text)")
    request.resultType = .managedObject
    request.fetchBatchSize = 3
    let batched = try context.fetchBatched(request)
    #expect(inOrder(batched.map(\.objectID)) == expected, "batches, \(text)")
    #expect(inOrder(try context.fetch(request).map(\.objectID)) == expected, "faults, \(text)")
    request.fetchBatchSize = 0
    request.predicate = .all(
      of: [request.predicate, try QueryPredicate(parsing: "FUNCTION(SELF, 'yes') == 1")].compactMap(\.self))
    #expect(inOrder(try context.fetch(request).map(\.objectID)) == expected, "in memory, \(text)")
    #expect(try context.count(for: request) == expected.count, "count in memory, \(text)")
  }

  // MARK: Changing

  private func entries(of graph: ResultGraph) throws -> [Entry] {
    let ids = try graph.context.all("Sale", sort: ["objectID"]).map(\.objectID)
    return zip(ids, graph.sales).map { Entry(id: $0, sale: $1, insertion: nil) }
  }

  /// Makes changes that are not saved.
  private func change(
    _ entries: inout [Entry], _ graph: ResultGraph, _ random: inout SeededGenerator
  ) throws {
    for number in 0..<6 {
      let place = entries.indices.randomElement(using: &random)
      switch (Int.random(in: 0..<5, using: &random), place) {
      case (0, _), (_, nil):
        let isReturn = random.chance(30)
        let object = try graph.context.insert(entityNamed: isReturn ? "Return" : "Sale")
        let values = ResultGraph.values(&random)
        for (key, value) in values { try ResultGraph.set(value, of: object, key) }
        var sale = Sale(key: 0, isReturn: isReturn, shop: nil, values: values)
        if random.chance(70) { try graph.move(&sale, object, to: Int.random(in: 0..<4, using: &random)) }
        let last = entries.compactMap(\.insertion).max() ?? 0
        entries.append(Entry(id: object.objectID, sale: sale, insertion: last + 1))
      case (1, let place?):
        try graph.context.delete(graph.context.object(with: entries[place].id))
        entries.remove(at: place)
      case (2, let place?):
        let object = try graph.context.object(with: entries[place].id)
        let shop = random.chance(30) ? nil : Int.random(in: 0..<4, using: &random)
        try graph.move(&entries[place].sale, object, to: shop)
      case (3, _) where number > 3:
        let shop = Int.random(in: 0..<4, using: &random)
        let name = Value.string(random.pick(["North", "Ny", "Süd"]))
        try graph.changeShop(shop, name: name, size: .int(Int64.random(in: 0...3, using: &random)))
        for place in entries.indices where entries[place].sale.shop == shop {
          entries[place].sale.values.merge(graph.shops[shop].values) { $1 }
        }
      case (_, let place?):
        let object = try graph.context.object(with: entries[place].id)
        for (key, value) in ResultGraph.values(&random) where random.chance(30) {
          try ResultGraph.set(value, of: object, key)
          entries[place].sale.values[key] = value
        }
      }
    }
  }

  @Test(
    "FET-044 to FET-066, FET-072, FET-142, FET-147: objects, identifiers, counts and batches are those of a reference",
    arguments: TestSeed.sequence(3, from: 44))
  func agreement(_ seed: TestSeed) throws {
    var random = seed.generator
    for factory in [StoreFactory.sqlite, .memory] {
      let graph = try ResultGraph(&random, count: Int.random(in: 1...30, using: &random), factory: factory)
      let stored = try entries(of: graph)
      let fresh = graph.stack.newContext()
      fresh.functions = graph.context.functions
      for _ in 0..<12 { try check(try Self.made(stored, &random), in: fresh, "\(seed) stored, \(factory)") }
      var changed = stored
      for round in 0..<2 {
        try change(&changed, graph, &random)
        for _ in 0..<9 {
          try check(try Self.made(changed, &random), in: graph.context, "\(seed) round \(round), \(factory)")
        }
      }
      // Without them, the stores alone have a say, in what belongs and in the order (FET-063).
      for _ in 0..<6 {
        var made = try Self.made(stored, &random)
        made.request.includesPendingChanges = false
        try check(made, in: graph.context, "\(seed) without changes, \(factory)")
      }
      try graph.context.checkInvariants()
      try fresh.checkInvariants()
    }
  }
}
