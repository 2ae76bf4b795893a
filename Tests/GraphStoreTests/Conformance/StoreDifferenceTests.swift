import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// The same model, graph, changes and requests in stores of all types: one is the oracle of the other.
@Suite("Types of stores agree")
struct StoreDifferenceTests {
  @Test(
    "STO-051, STO-052, STO-049, STO-048: random requests have the same answers from each type of store",
    arguments: TestSeed.sequence(6, from: 51))
  func agreement(seed: TestSeed) throws {
    var random = seed.generator
    // Answers tell records by their numbers.
    let graphs = try StoreFactory.all.filter { !$0.lacks.contains(.keysOfTrees) }.map { factory in
      // Each begins alike.
      var random = random
      return try StoreFactory.$current.withValue(factory) { try AgreementGraph(&random) }
    }
    random = SeededGenerator(seed: random.next())
    let first = random.next()
    // Of each graph's own objects.
    var predicates = graphs.map { AgreementPredicates(SeededGenerator(seed: first), $0) }
    var telling = 0
    for round in 0..<4 {
      for _ in 0..<60 {
        let entity = random.pick(graphs[0].model.entities)
        var request = FetchRequest(entityName: entity.name)
        request.includesSubentities = random.chance(80)
        Self.sort(&request, entity, &random)
        let answers = try graphs.indices.map { index in
          request.predicate = try? predicates[index].next(of: graphs[index].model.entities[entity.index])
          return try Self.answer(request, graphs[index])
        }
        #expect(
          answers.allSatisfy { $0 == answers[0] },
          "\(seed), round \(round): \(entity.name) \(request.predicate?.predicateFormat ?? "") \(request.sortDescriptors)"
        )
        if answers[0].count(where: { $0 == "," }) > 3 { telling += 1 }
      }
      let next = random.next()
      for graph in graphs {
        var random = SeededGenerator(seed: next)
        try graph.change(&random)
        try? graph.stack.context.save()
      }
    }
    #expect(telling > 40, "only \(telling) requests tell records apart")
  }

  /// What a fresh context finds, or which error it meets, as text.
  private static func answer(
    _ request: FetchRequest<ManagedObject>, _ graph: AgreementGraph
  ) throws -> String {
    let context = graph.stack.newContext()
    do {
      let fetched = try context.fetch(request).map(\.objectID.shortForm)
      let identifiers = try context.fetchIdentifiers(request).map(\.shortForm)
      let count = try context.count(for: request)
      return "\(fetched), \(identifiers), \(count)"
    } catch let error as QueryPredicateError {
      return "\(error.code)"
    }
  }

  private static func sort(
    _ request: inout FetchRequest<ManagedObject>, _ entity: EntityDescription, _ random: inout SeededGenerator
  ) {
    var keys = entity.attributes.filter { !$0.isTransient }.map(\.name) + ["objectID", "entity.name"]
    for relationship in entity.relationships {
      if relationship.isToMany {
        keys.append(relationship.name + ".@count")
      } else if relationship.inverse?.isOrdered == true {
        keys.append(relationship.name)
      }
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      guard let path = try? QueryKeyPath(parsing: random.pick(keys)) else { continue }
      request.sortDescriptors.append(
        QuerySortDescriptor(
          keyPath: path, ascending: random.chance(50),
          comparator: random.pick([.compare, .caseInsensitive, .localizedStandard])))
    }
    // What has no order is compared in that of the keys.
    if request.sortDescriptors.isEmpty {
      request.sortDescriptors = [QuerySortDescriptor(keyPath: QueryKeyPath(steps: [.key("objectID")]))]
    }
    if random.chance(30) { request.fetchLimit = Int.random(in: 1...6, using: &random) }
    if random.chance(20) { request.fetchOffset = Int.random(in: 1...4, using: &random) }
  }
}
