import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// When requests take sessions of stores, and how many at a time.
@Suite("Sessions of requests")
struct SessionUseTests {
  private let stack: SeveralStores
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try SeveralStores()
    for number in 0..<4 {
      try stack.insert("Employee", ["name": "E\(number)", "salary": number], into: number % 2)
    }
    try context.save()
    context.reset()
  }

  private func request(
    _ predicate: String? = nil, limit: Int = 0
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      fetchLimit: limit)
  }

  /// Has all readers of a store taken while a body runs.
  private func takingReaders(of number: Int, _ body: () throws -> Void) throws {
    let pool = try #require(stack.pool(number))
    let taken = try (0..<4).map { _ in try pool.takeReader(takesReaderSlot: true) }
    defer { for reader in taken { pool.giveBackReader(reader, takesReaderSlot: true) } }
    try body()
  }

  @Test("STO-274: a request of which memory does a part waits for no reader, however it turns out")
  func residual() throws {
    let single = try SeveralStores(TestModels.company(), [nil])
    try single.insert("Employee", ["name": "A", "salary": 1])
    try single.context.save()
    let pool = try #require(single.pool(0))
    let taken = try (0..<4).map { _ in try pool.takeReader(takesReaderSlot: true) }
    defer { for reader in taken { pool.giveBackReader(reader, takesReaderSlot: true) } }
    let inMemory = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "random:(salary) >= 0"))
    #expect(try single.context.fetch(inMemory).count == 1)
    #expect(try single.context.count(for: inMemory) == 1)
    #expect(try single.context.fetchIdentifiers(inMemory).count == 1)
  }

  @Test("FET-048: a store is not asked once those before it have filled the window")
  func window() throws {
    try takingReaders(of: 1) {
      let found = try context.fetch(request(limit: 2))
      #expect(found.count == 2)
    }
  }

  @Test("STO-015: fields of several stores are read store by store: what is done with is not held")
  func parts() throws {
    var names: [String] = []
    var isRemoved = false
    try context.enumerateFields(request(), keyPaths: ["name"]) { row in
      var collector = ValueCollector(stack.stores[0].mount.scope)
      if case .string(let name) = collector.value(of: row, 0) { names.append(name) }
      if names.count == 3, !isRemoved {
        isRemoved = true
        try stack.coordinator.remove(stack.stores[0])
      }
    }
    #expect(names == ["E0", "E2", "E1", "E3"])
    #expect(stack.coordinator.persistentStores.count == 1)
  }

  @Test("FET-018: what no store can run is refused of several stores too, where memory makes the results")
  func refusal() throws {
    var grouped = try request()
    grouped.resultType = .dictionary
    grouped.propertiesToGroupBy = ["name"]
    grouped.propertiesToFetch = [
      "name", .expression(try ExpressionDescription(name: "m", parsing: "max:(random:(salary))")),
    ]
    #expect(try context.fetchDictionaries(grouped).count == 4)
    grouped.inMemoryEvaluation = .refused
    #expect(code { _ = try context.fetchDictionaries(grouped) } == .unsupportedInStore)
  }
}
