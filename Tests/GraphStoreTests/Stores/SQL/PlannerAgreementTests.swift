import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("The planner and memory agree")
struct PlannerAgreementTests {
  private static let locale = Locale(identifier: "tr_TR")

  // With those of the random models there are 10,000 in all.
  @Test(
    "PRD-230, PRD-255: random predicates find the same objects in the store and in memory",
    arguments: TestSeed.sequence(6, from: 230))
  func agreement(seed: TestSeed) throws {
    var random = seed.generator
    var inStore = 0
    var checked = 0
    var telling = 0
    let graph = try PlannerGraph(&random)
    var predicates = PlannerPredicates(SeededGenerator(seed: random.next()), graph)
    for _ in 0..<700 {
      guard let predicate = try? graph.fixture.checked(predicates.next(), of: "Person"),
        let answer = try compare(predicate, graph)
      else { continue }
      checked += 1
      if answer.isInStore { inStore += 1 }
      if answer.count > 0, answer.count < graph.people.count { telling += 1 }
    }
    #expect(checked >= 600, "only \(checked) of 700 predicates fit the entity")
    #expect(inStore * 2 > checked, "only \(inStore) of \(checked) went down whole")
    #expect(telling * 4 > checked, "only \(telling) of \(checked) tell objects apart")
  }

  @Test(
    "PRD-159, PRD-187, PRD-230: integers beyond 64 bits are the same numbers in the store and in memory",
    arguments: TestSeed.sequence(4, from: 159))
  func overflow(seed: TestSeed) throws {
    var random = seed.generator
    let graph = try PlannerGraph(&random)
    var predicates = PlannerPredicates(SeededGenerator(seed: random.next()), graph)
    var inStore = 0
    for _ in 0..<300 {
      let text = predicates.overflowing()
      let predicate = try graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
      let answer = try #require(try compare(predicate, graph), "\(text)")
      if answer.isInStore { inStore += 1 }
    }
    #expect(inStore > 250, "only \(inStore) of 300 went down")
  }

  @Test(
    "PRD-062, PRD-230: a floating constant beside numbers of several kinds counts the same on both sides",
    arguments: [
      "modulus:by:(1e15, min:(age, CAST('0.00000000000000012345', 'NSDecimalNumber'))) > 123456789012345",
      "modulus:by:(2.0, abs:(big)) > 9223372036854775806", "2.0 + abs:(big) > 9223372036854775806",
      "0.5 * -big < 9223372036854775806",
      "0.1 + max:(age, price) > 3", "max:(age, price) - 0.1 < 3", "2.5 * min:(age, price) >= 10",
      "0.5 ** max:(age, price) < 1", "max:(age, price) / 0.3 != 10", "score == 0.10000000000000001",
      "score IN {0.10000000000000001, 0.49999999999999999}", "max:(age, score) == 0.10000000000000001",
      "score BETWEEN {0.10000000000000001, 0.50000000000000001}", "score * 1 >= 0.10000000000000001",
      "max:(age, score, price) == 0.10000000000000001", "0.10000000000000001 IN {age, score}",
    ])
  func floatingConstants(text: String) throws {
    var random = SeededGenerator(seed: 62)
    let graph = try PlannerGraph(&random)
    let predicate = try graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
    #expect(try compare(predicate, graph)?.isInStore == true)
  }

  @Test(
    "PRD-091, PRD-230: membership behind a missing to-one is false on both sides, never unknown",
    arguments: [
      "NOT nick IN department.members.nick", "NOT nil IN department.members.nick",
      "NOT department.members.name CONTAINS name", "NOT age IN manager.reports.age",
      "NOT lowercase:(name) IN manager.reports.name",
      "SUBQUERY(reports, $r, NOT $r.nick IN $r.department.members.nick).@count > 0",
      "SUBQUERY(reports.manager.manager, $m, NOT 'a' IN $m.reports.nick).@count > 0",
      "SUBQUERY(reports.manager.manager, $m, NOT $m.manager.reports.nick CONTAINS 'a').@count > 0",
    ])
  func missingCollections(text: String) throws {
    var random = SeededGenerator(seed: 91)
    let graph = try PlannerGraph(&random)
    let predicate = try graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
    #expect(try #require(try compare(predicate, graph)).count > 0)
  }

  @Test(
    "PRD-060, PRD-098: whole numbers that no double equals are in no list of doubles",
    arguments: ["score IN {9007199254740993, 0.5}", "ratio IN {9007199254740993, 0.5, 20}"])
  func wholeNumbersAmongDoubles(text: String) throws {
    var random = SeededGenerator(seed: 98)
    let graph = try PlannerGraph(&random)
    #expect(graph.people.contains { $0.values["score"] == .double(9_007_199_254_740_992) })
    let predicate = try graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
    #expect(try compare(predicate, graph)?.isInStore == true)
  }

  /// How many objects match, and whether the whole predicate went down; nil where memory finds an error.
  /// Records an issue where the sides differ.
  private func compare(
    _ predicate: QueryPredicate, _ graph: PlannerGraph
  ) throws -> (count: Int, isInStore: Bool)? {
    let options = EvaluationOptions(logic: .threeValued, locale: Self.locale)
    let evaluator = try PredicateEvaluator(predicate, options: options)
    guard let expected = try? graph.people.filter({ try evaluator.evaluate($0) }).map(\.key) else {
      return nil
    }
    let request = FetchRequest(entityName: "Person", predicate: predicate)
    let plan = try SQLPlanner(schema: graph.fixture.schema, dialect: SQLiteDialect(locale: Self.locale))
      .plan(request.storeRequest(.identifiers))
    var found = try graph.fixture.keys(plan).sorted()
    if let residual = plan.residual {
      let rest = try PredicateEvaluator(residual, options: options)
      found = try found.filter { try rest.evaluate(graph.people[Int($0) - 1]) }
    }
    #expect(
      found == expected,
      "\(predicate.predicateFormat)\n\(plan.sql)\n\(plan.bindings)")
    return (expected.count, plan.residual == nil)
  }
}
