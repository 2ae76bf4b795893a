import GraphStorePredicates
import Testing

@Suite struct VisitorTests {
  private struct Recorder: PredicateVisitor {
    var seen: [String] = []
    mutating func visit(_ predicate: QueryPredicate) { seen.append(predicate.predicateFormat) }
    mutating func visit(_ expression: QueryExpression) { seen.append(expression.expressionFormat) }
  }

  @Test("PRD-013: a visitor sees every node once, parents before children, left before right")
  func order() throws {
    var recorder = Recorder()
    try QueryPredicate(
      parsing: "a + 1 == {b, 2} AND NOT TERNARY(c == 3, d, e) == SUBQUERY(f, $x, $x.g == 4)[0]"
    )
    .walk(&recorder)
    #expect(
      recorder.seen == [
        "a + 1 == {b, 2} AND NOT TERNARY(c == 3, d, e) == SUBQUERY(f, $x, $x.g == 4)[0]",
        "a + 1 == {b, 2}", "a + 1", "a", "1", "{b, 2}", "b", "2",
        "NOT TERNARY(c == 3, d, e) == SUBQUERY(f, $x, $x.g == 4)[0]",
        "TERNARY(c == 3, d, e) == SUBQUERY(f, $x, $x.g == 4)[0]", "TERNARY(c == 3, d, e)", "c == 3", "c", "3",
        "d", "e", "SUBQUERY(f, $x, $x.g == 4)[0]", "SUBQUERY(f, $x, $x.g == 4)", "f", "$x.g == 4", "$x.g",
        "$x",
        "4", "0",
      ])
  }

  @Test("PRD-013: expressions are rewritten, children before parents")
  func expressions() throws {
    let predicate = try QueryPredicate(parsing: "a + 1 == 2 AND SUBQUERY(b, $x, $x.c == 3).@count == 1")
    let rewritten = predicate.mapExpressions { expression in
      if case .constant(.int(let value)) = expression.kind { return .constant(value * 10) }
      return expression
    }
    #expect(rewritten.predicateFormat == "a + 10 == 20 AND SUBQUERY(b, $x, $x.c == 30).@count == 10")
    #expect(predicate.predicateFormat == "a + 1 == 2 AND SUBQUERY(b, $x, $x.c == 3).@count == 1")
  }

  @Test("PRD-013: predicates are rewritten, those inside SUBQUERY and TERNARY too")
  func predicates() throws {
    let predicate = try QueryPredicate(
      parsing: "a == 1 OR SUBQUERY(b, $x, $x.c == 3).@count == TERNARY(d == 1, 1, 2)")
    let rewritten = predicate.mapPredicates { part in
      guard case .comparison(let comparison) = part, comparison.comparator == .equal else { return part }
      return .compare(comparison.left, .notEqual, comparison.right)
    }
    #expect(
      rewritten.predicateFormat == "a != 1 OR SUBQUERY(b, $x, $x.c != 3).@count != TERNARY(d != 1, 1, 2)")
  }

  @Test("PRD-013: an error of the closure comes out of the rewriting")
  func failure() throws {
    struct Stop: Error {}
    let predicate = try QueryPredicate(parsing: "a == 1")
    #expect(throws: Stop.self) { try predicate.mapExpressions { _ throws(Stop) in throw Stop() } }
  }

  @Test("PRD-014: keys, key paths, variables and functions are listed once, in the order of the text")
  func names() throws {
    let names = try QueryPredicate(
      parsing:
        "SUBQUERY(a.b, $x, $x.c == $d AND max:($x.e.@avg.f, now()) > 1).@count > 0 AND a.b == FUNCTION(g, 'h:')"
    ).names
    #expect(names.keys == ["a", "b", "c", "e", "f", "g"])
    #expect(names.keyPaths == ["a.b", "$x.c", "$x.e.@avg.f", "@count", "g"])
    #expect(names.variables == ["d"])
    #expect(names.functions == ["max:", "now", "h:"])
    #expect(!names.hasBlock)
    #expect(QueryPredicate.not(.block(PredicateBlock { _, _ in true })).containsBlock)
  }
}
