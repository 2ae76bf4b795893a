import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("The planner and memory agree")
struct PlannerAgreementTests {
  private static let seed =
    ProcessInfo.processInfo.environment["GS_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<1_000_000)

  private static let locale = Locale(identifier: "tr_TR")

  @Test("PRD-230, PRD-255: random predicates find the same objects in the store and in memory")
  func agreement() throws {
    var random = PlannerRandom(seed: Self.seed)
    print("GS_SEED=\(Self.seed)")
    var inStore = 0
    var checked = 0
    var telling = 0
    for _ in 0..<10 {
      let graph = try PlannerGraph(&random)
      var predicates = PlannerPredicates(PlannerRandom(seed: random.next()), graph)
      for _ in 0..<700 {
        guard let predicate = try? graph.fixture.checked(predicates.next(), of: "Person"),
          let answer = try compare(predicate, graph)
        else { continue }
        checked += 1
        if answer.isInStore { inStore += 1 }
        if answer.count > 0, answer.count < graph.people.count { telling += 1 }
      }
    }
    // With those of the random models there are 10,000 in all.
    #expect(checked >= 6_250, "only \(checked) of 7,000 predicates fit the entity, seed \(Self.seed)")
    #expect(inStore * 2 > checked, "only \(inStore) of \(checked) went down whole, seed \(Self.seed)")
    #expect(telling * 3 > checked, "only \(telling) of \(checked) tell objects apart, seed \(Self.seed)")
  }

  @Test(
    "PRD-062, PRD-230: a floating constant beside numbers of several kinds counts the same on both sides",
    arguments: [
      "modulus:by:(1e15, min:(age, CAST('0.00000000000000012345', 'NSDecimalNumber'))) > 123456789012345",
      "0.1 + max:(age, price) > 3", "max:(age, price) - 0.1 < 3", "2.5 * min:(age, price) >= 10",
      "0.5 ** max:(age, price) < 1", "max:(age, price) / 0.3 != 10",
    ])
  func floatingConstants(text: String) throws {
    var random = PlannerRandom(seed: 62)
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
    var random = PlannerRandom(seed: 91)
    let graph = try PlannerGraph(&random)
    let predicate = try graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
    #expect(try #require(try compare(predicate, graph)).count > 0)
  }

  @Test(
    "PRD-060, PRD-098: whole numbers that no double equals are in no list of doubles",
    arguments: ["score IN {9007199254740993, 0.5}", "ratio IN {9007199254740993, 0.5, 20}"])
  func wholeNumbersAmongDoubles(text: String) throws {
    var random = PlannerRandom(seed: 98)
    let graph = try PlannerGraph(&random)
    #expect(graph.people.contains { $0.values["score"] == .double(9_007_199_254_740_992) })
    let predicate = try graph.fixture.checked(QueryPredicate(parsing: text), of: "Person")
    #expect(try compare(predicate, graph)?.isInStore == true)
  }

  /// How many objects match, and whether the whole predicate went down; nil where memory finds an error, such as
  /// a sum beyond 64 bits. Records an issue where the sides differ.
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
      .plan(request, output: .identifiers)
    var found = try graph.fixture.keys(plan).sorted()
    if let residual = plan.residual {
      let rest = try PredicateEvaluator(residual, options: options)
      found = try found.filter { try rest.evaluate(graph.people[Int($0) - 1]) }
    }
    #expect(
      found == expected,
      "seed \(Self.seed): \(predicate.predicateFormat)\n\(plan.sql)\n\(plan.bindings)")
    return (expected.count, plan.residual == nil)
  }
}
