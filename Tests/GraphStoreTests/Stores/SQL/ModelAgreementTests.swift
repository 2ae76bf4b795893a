import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Stores and memory agree over random models")
struct ModelAgreementTests {
  private static let locales = ["en_US", "tr_TR", "sv_SE", "lt_LT", "de_DE"]

  @Test(
    "PRD-005, PRD-133, PRD-230, PRD-255, FET-059: random models, data, changes and requests",
    arguments: TestSeed.sequence(8, from: 59))
  func agreement(seed: TestSeed) throws {
    var random = seed.generator
    var tally = Tally()
    let graph = try AgreementGraph(&random)
    try compare(120, graph, graph.stack.newContext(), "saved", &random, &tally)
    for round in 0..<3 {
      try graph.change(&random)
      try compare(40, graph, graph.stack.context, "changed \(round)", &random, &tally)
    }
    #expect(tally.compared * 100 > tally.made * 95, "only \(tally)")
    #expect(tally.telling * 6 > tally.compared, "only \(tally)")
  }

  private struct Tally {
    var made = 0
    var compared = 0
    var telling = 0
    var failures: [String: Int] = [:]
  }

  private func compare(
    _ count: Int, _ graph: AgreementGraph, _ context: ManagedObjectContext, _ place: String,
    _ random: inout SeededGenerator, _ tally: inout Tally
  ) throws {
    var predicates = AgreementPredicates(SeededGenerator(seed: random.next()), graph)
    for _ in 0..<count {
      let entity = random.pick(graph.model.entities)
      tally.made += 1
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = random.chance(80)
      request.locale = Locale(identifier: random.pick(Self.locales))
      if random.chance(40) { sort(&request, entity, &random) }
      let expected: [ManagedObjectID]
      do {
        request.predicate = try predicates.next(of: entity)
        request = try context.prepare(request).request
        expected = try answer(of: request, graph)
      } catch {
        let code = (error as? QueryPredicateError)?.code.rawValue ?? "\(error)"
        tally.failures[code, default: 0] += 1
        continue
      }
      tally.compared += 1
      if expected.count > 0, try expected.count < graph.copies(of: request).count { tally.telling += 1 }
      check(request, expected, context, place)
    }
  }

  private func sort(
    _ request: inout FetchRequest<ManagedObject>, _ entity: EntityDescription, _ random: inout SeededGenerator
  ) {
    var keys = entity.attributes.filter { !$0.isTransient }.map(\.name) + ["objectID", "entity.name"]
    for relationship in entity.relationships {
      if relationship.isToMany {
        keys.append(relationship.name + ".@count")
      } else {
        keys += relationship.destination.attributes.filter { !$0.isTransient }.map {
          "\(relationship.name).\($0.name)"
        }
        if relationship.inverse?.isOrdered == true { keys.append(relationship.name) }
      }
    }
    let comparators: [QuerySortDescriptor.Comparator] = [
      .compare, .compare, .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
    ]
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      guard let path = try? QueryKeyPath(parsing: random.pick(keys)) else { continue }
      request.sortDescriptors.append(
        QuerySortDescriptor(
          keyPath: path, ascending: random.chance(50), comparator: random.pick(comparators)))
    }
    if random.chance(50) { request.fetchLimit = Int.random(in: 1...6, using: &random) }
    if random.chance(30) { request.fetchOffset = Int.random(in: 1...4, using: &random) }
  }

  /// Memory's answer over the copies; a request without order and window has no order to compare.
  private func answer(
    of request: FetchRequest<ManagedObject>, _ graph: AgreementGraph
  ) throws -> [ManagedObjectID] {
    let options = EvaluationOptions(
      logic: .threeValued, locale: request.locale ?? ProcessLocale.current, now: request.now ?? Date())
    var found = try graph.copies(of: request)
    if let predicate = request.predicate {
      let evaluator = try PredicateEvaluator(predicate, options: options)
      found = try found.filter { try evaluator.evaluate($0) }
    }
    found = try found.sorted(using: SortEvaluator(request.sortDescriptors, options: options))
    let rest = found.dropFirst(request.fetchOffset)
    return (request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest).map(\.identifier)
  }

  private func check(
    _ request: FetchRequest<ManagedObject>, _ expected: [ManagedObjectID], _ context: ManagedObjectContext,
    _ place: String
  ) {
    let isOrdered = !request.sortDescriptors.isEmpty
    let text =
      "\(place): \(request.entityName) \(request.includesSubentities) \(request.locale?.identifier ?? "") "
      + "\(request.predicate?.predicateFormat ?? "") \(request.sortDescriptors) "
      + "\(request.fetchOffset)+\(request.fetchLimit)"
    func inOrder(_ identifiers: [ManagedObjectID]) -> [ManagedObjectID] {
      isOrdered ? identifiers : identifiers.sorted()
    }
    let wanted = inOrder(expected)
    do {
      let fetched = inOrder(try context.fetch(request).map(\.objectID))
      #expect(fetched == wanted, "fetch, \(text)")
      let identifiers = inOrder(try context.fetchIdentifiers(request))
      #expect(identifiers == wanted, "fetchIdentifiers, \(text)")
      let count = try context.count(for: request)
      #expect(count == wanted.count, "count, \(text)")
    } catch {
      Issue.record("\(error), \(text)")
    }
  }
}
