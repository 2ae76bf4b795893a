import Foundation
import GraphStorePredicates
import Testing

@Suite struct MissingValueRuleTests {
  private static let sample: Value = .dictionary(["one": .int(1), "text": .string("")])

  private func value(_ text: String, _ variables: [String: QueryOperand] = [:]) throws -> Value {
    try ExpressionEvaluator(QueryExpression(parsing: text), variables: variables).value(
      for: .value(Self.sample))
  }

  @Test(
    "PRD-081: two-valued, <= and >= hold between two missing values and no other order does",
    arguments: [
      Case("x <= y", .yes, .unknown), Case("x >= y", .yes, .unknown), Case("x < y", .no, .unknown),
      Case("x > y", .no, .unknown), Case("x <= 1", .no, .unknown), Case("x >= 1", .no, .unknown),
      Case("x < 1", .no, .unknown), Case("x > 1", .no, .unknown), Case("1 >= x", .no, .unknown),
      Case("x BEGINSWITH 'a'", .no, .unknown), Case("'a' ENDSWITH x", .no, .unknown),
      Case("x CONTAINS x", .no, .unknown), Case("x LIKE '*'", .no, .unknown),
      Case("x MATCHES '.*'", .no, .unknown),
      Case("x ==[cd] y", .yes, .unknown), Case("x BETWEEN {y, y}", .yes, .unknown),
    ])
  func orders(_ expected: Case) throws {
    try check(expected, Self.sample)
  }

  @Test(
    "PRD-085: the connectives of three-valued logic",
    arguments: [
      Case("NOT x == 1", .yes, .unknown), Case("one == 2 AND x == 1", .no), Case("x == 1 AND one == 2", .no),
      Case("one == 1 AND x == 1", .no, .unknown), Case("x == 1 AND one == 1", .no, .unknown),
      Case("one == 1 OR x == 1", .yes), Case("x == 1 OR one == 1", .yes),
      Case("one == 2 OR x == 1", .no, .unknown), Case("x == 1 OR one == 2", .no, .unknown),
      Case("x == 1 AND y == 1", .no, .unknown), Case("x == 1 OR y == 1", .no, .unknown),
      Case("NOT (x == 1 OR NOT y == 1)", .no, .unknown),
    ])
  func connectives(_ expected: Case) throws {
    try check(expected, Self.sample)
  }

  @Test(
    "PRD-086: BETWEEN is the two comparisons, with a missing bound too",
    arguments: [
      Case("one BETWEEN {nil, 0}", .no, .no), Case("one BETWEEN {nil, 2}", .no, .unknown),
      Case("one BETWEEN {2, nil}", .no, .no), Case("one BETWEEN {0, nil}", .no, .unknown),
      Case("one BETWEEN {nil, nil}", .no, .unknown), Case("x BETWEEN {0, 2}", .no, .unknown),
      Case("NOT one BETWEEN {nil, 0}", .yes, .yes), Case("NOT one BETWEEN {nil, 2}", .yes, .unknown),
      Case("x BETWEEN {nil, nil}", .yes, .unknown), Case("one BETWEEN {x, 0}", .no, .no),
    ])
  func between(_ expected: Case) throws {
    try check(expected, Self.sample)
  }

  @Test(
    "PRD-088: a missing value in a list without one",
    arguments: [
      Case("x IN {1, 2}", .no, .unknown), Case("x IN {}", .no, .no), Case("{1, 2} CONTAINS x", .no, .unknown),
      Case("NOT x IN {1}", .yes, .unknown), Case("NOT x IN {}", .yes, .yes),
      Case("x IN {1, 2, 3, 4, 5, 6, 7}", .no, .unknown), Case("x IN {one, 2}", .no, .unknown),
    ])
  func lists(_ expected: Case) throws {
    try check(expected, Self.sample)
  }

  @Test("PRD-090: a bare %K of a missing value is false, or unknown")
  func bareKey() throws {
    let predicate = try QueryPredicate("%K", "isOpen")
    for (logic, expected) in [(PredicateLogic.twoValued, Ternary.no), (.threeValued, .unknown)] {
      let evaluator = try PredicateEvaluator(predicate, options: EvaluationOptions(logic: logic))
      #expect(try evaluator.truth(.value(.dictionary([:]))) == expected)
      #expect(try evaluator.truth(.value(object(["isOpen": true]))) == .yes)
      #expect(try evaluator.truth(.value(object(["isOpen": false]))) == .no)
    }
  }

  @Test(
    "PRD-092: a function of a missing value is missing, whichever operand it is",
    arguments: QueryFunction.allCases)
  func functions(function: QueryFunction) throws {
    guard !function.isAggregate, function != .noIndex, function.arity.lowerBound > 0 else { return }
    let operand: QueryExpression = function == .normalizeWith ? .constant("Lower") : .constant(1)
    for place in 0..<function.arity.lowerBound {
      var arguments = Array(repeating: operand, count: function.arity.lowerBound)
      arguments[place] = .key("x")
      let expression = QueryExpression(.function(function, arguments))
      #expect(try ExpressionEvaluator(expression).value(for: .value(Self.sample)) == .null, "\(expression)")
    }
  }

  @Test("PRD-092: casts, keys and positions of a missing value are missing; counts and conditionals are not")
  func exceptions() throws {
    for text in [
      "CAST(x, 'NSString')", "x.length", "x[0]", "x['k']", "x[SIZE]", "x.y.z", "noindex:(x)", "-x",
    ] {
      #expect(try value(text) == .null, "\(text)")
    }
    #expect(try value("count:(x)") == .int(0))
    #expect(try value("sum:({1, x})") == .int(1))
    #expect(try value("max:(x, 2)") == .int(2))
    #expect(try value("TERNARY(x == nil, 1, 2)") == .int(1))
    #expect(try value("TERNARY(one == 1, 1, x)") == .int(1))
  }

  @Test(
    "PRD-093: TERNARY takes its third operand where the condition is unknown or false",
    arguments: [
      Case("TERNARY(x == 1, 1, 2) == 2", .yes), Case("TERNARY(x != 1, 1, 2) == 2", .no, .yes),
      Case("TERNARY(one == 2, 1, 2) == 2", .yes), Case("TERNARY(one == 1, 1, 2) == 1", .yes),
      Case("TERNARY(NOT x == 1, 1, 2) == 1", .yes, .no),
    ])
  func conditionals(_ expected: Case) throws {
    try check(expected, Self.sample)
  }

  @Test(
    "PRD-094: an empty string is a value",
    arguments: [
      Case("text == nil", .no), Case("text != nil", .yes), Case("text == ''", .yes),
      Case("text != 'a'", .yes),
      Case("text < 'a'", .yes), Case("text IN {'', 'b'}", .yes), Case("text.length == 0", .yes),
      Case("x == ''", .no, .unknown), Case("uppercase:(text) == ''", .yes),
    ])
  func emptyString(_ expected: Case) throws {
    try check(expected, Self.sample)
  }
}
