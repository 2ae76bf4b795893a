import Foundation
import GraphStorePredicates
import Testing

@Suite struct ConstantFoldingTests {
  private let now = Date(timeIntervalSinceReferenceDate: 7_200)

  private func folded(_ text: String) throws -> String {
    try QueryPredicate(parsing: text).foldingConstants(now: now).predicateFormat
  }

  @Test(
    "PRD-169, PRD-176, PRD-233, PRD-260: what is the same for every object becomes one constant",
    arguments: [
      ("born > now()", "born > CAST(7200.0, \"NSDate\")"),
      ("born > now() - 3600", "born > CAST(3600.0, \"NSDate\")"),
      ("born > CAST(CAST(now(), 'NSNumber') - 3600, 'NSDate')", "born > CAST(3600.0, \"NSDate\")"),
      ("age == 2 * 3 + 1", "age == 7"), ("-age == -(2 + 3)", "-age == -5"),
      ("name BEGINSWITH[n] normalize:('Béziers')", "name BEGINSWITH[n] \"beziers\""),
      ("name == lowercase:('ABC')", "name == \"abc\""), ("age == 'abc'.length", "age == 3"),
      ("age == max:(1, 5, 10)", "age == 10"), ("age == {3, 4}[1]", "age == 4"),
      ("age IN {1, 2} UNION {2, 3}", "age IN {1, 2, 3}"), ("age == {1, 2}.@count", "age == 2"),
      ("age IN {x, 1 + 1}", "age IN {x, 2}"), ("ANY a.b == 1 + 1", "ANY a.b == 2"),
      ("SUBQUERY(a, $x, $x.b == 1 + 1).@count > 1 - 1", "SUBQUERY(a, $x, $x.b == 2).@count > 0"),
      ("age == TERNARY(1 < 2, a, b)", "age == a"), ("age == TERNARY('a' == 'b', 1, 2)", "age == 2"),
      ("1 == 1", "TRUEPREDICATE"), ("a == 1 AND 1 == 2", "FALSEPREDICATE"), ("a == 1 AND 1 == 1", "a == 1"),
      ("a == 1 OR 'abc' CONTAINS 'b'", "TRUEPREDICATE"), ("NOT (1 == 2 OR 2 == 3)", "TRUEPREDICATE"),
      ("a == 1 OR FALSEPREDICATE OR b == 2", "a == 1 OR b == 2"),
    ])
  func folds(text: String, expected: String) throws {
    #expect(try folded(text) == expected)
  }

  @Test(
    "PRD-062, PRD-281: what is drawn anew, nil, unknown, an error or a computed double stays",
    arguments: [
      "age == random()", "age == random:(5)", "age == noindex:(5)", "age == FUNCTION(\"a\", \"f:\", 1)",
      "age == nil + 1", "nil == nil + 1", "price == 1 + 0.1", "price == TERNARY(a == 1, 1, 2)",
      "ratio == 0.5 * 2", "age == 1 / 0", "age == $x + 1", "age == sum:(9223372036854775807, 1)",
      "a == 1 AND b == 2", "\"I\" ==[cl] \"i\"", "ALL {1} == 1", "name == \"x\"",
      "CAST(\"nan\", \"Double\") == 1", "name MATCHES \"a(\"[0]", "name MATCHES lowercase:(\"A(\")",
    ])
  func stays(text: String) throws {
    let predicate = try QueryPredicate(parsing: text)
    #expect(predicate.foldingConstants(now: now) == predicate)
  }

  @Test(
    "PRD-088, PRD-179: lists combined as sets stay a list, folded or not",
    arguments: [
      "nick IN {1, 2} MINUS {2}", "nick IN {1} UNION {nil}", "nick IN {1} INTERSECT {2}",
      "1 IN {1, 2} UNION {nick}",
    ])
  func combinedLists(text: String) throws {
    let predicate = try QueryPredicate(parsing: text)
    let options = EvaluationOptions(logic: .threeValued, now: now)
    func truth(_ predicate: QueryPredicate) throws -> Ternary {
      try PredicateEvaluator(predicate, options: options).truth(.value(.dictionary([:])))
    }
    #expect(try truth(predicate.foldingConstants(now: now)) == truth(predicate))
  }

  @Test("PRD-194: parsing folds nothing but casts and signs")
  func parsedTreesStay() throws {
    #expect(try QueryPredicate(parsing: "a == 1 + 1 AND 1 == 1").predicateFormat == "a == 1 + 1 AND 1 == 1")
  }

  @Test("PRD-281: a nil test is not what a comparison with a computed nil becomes")
  func computedNil() throws {
    let predicate = try QueryPredicate(parsing: "x == uppercase:(nil)").foldingConstants(now: now)
    #expect(predicate.predicateFormat == "x == uppercase:(nil)")
  }

  @Test("PRD-062: the common value of an expression is known, computed doubles included")
  func commonValues() throws {
    #expect(try QueryExpression(parsing: "1 + 0.5").commonValue(now: now) == .double(1.5))
    #expect(try QueryExpression(parsing: "1 / 0").commonValue(now: now) == .null)
    #expect(try QueryExpression(parsing: "a + 1").commonValue(now: now) == nil)
    #expect(try QueryExpression(parsing: "random()").commonValue(now: now) == nil)
    let beyond = try QueryExpression(parsing: "sum:(9223372036854775807, 1)").commonValue(now: now)
    #expect(beyond == .decimal(Decimal(Int64.max) + 1))
  }
}
