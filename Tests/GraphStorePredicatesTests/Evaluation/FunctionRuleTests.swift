import Foundation
import GraphStorePredicates
import Testing

@Suite struct FunctionRuleTests {
  private static let sample: Value = .dictionary([
    "decimal": .decimal(Decimal(string: "1.1") ?? 0),
    "list": .list([.int(3), .int(1), .int(3), .double(1), .null]),
    "words": .list([.string("b"), .string("é"), .string("B"), .null]), "text": .string("a😀e\u{301}"),
    "dates": .list([5, 2, 9].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }), "one": .int(1),
  ])

  private func value(_ text: String, locale: String = "en_US") throws -> Value {
    try ExpressionEvaluator(
      QueryExpression(parsing: text), options: EvaluationOptions(locale: Locale(identifier: locale))
    ).value(for: .value(Self.sample))
  }

  /// Checks value and kind, which `==` on numbers does not tell.
  private func expect(_ text: String, _ expected: Value, locale: String = "en_US") throws {
    let found = try value(text, locale: locale)
    #expect("\(found)" == "\(expected)", "\(text)")
  }

  @Test("PRD-162: a power is a double, or a decimal of a decimal and a whole exponent from 0")
  func powers() throws {
    try expect("2 ** 3", .double(8))
    try expect("2 ** -1", .double(0.5))
    try expect("decimal ** 2", .decimal(Decimal(string: "1.21") ?? 0))
    try expect("decimal ** 0", .decimal(1))
    try expect("4 ** 0.5", .double(2))
    try expect("CAST('4', 'NSDecimalNumber') ** 0.5", .double(2))
    try expect("CAST('4', 'NSDecimalNumber') ** -1", .double(0.25))
    try expect("(-8) ** 0.5", .null)
  }

  @Test("PRD-166: aggregate functions take one collection or several values")
  func aggregateForms() throws {
    for (several, expected) in [
      ("sum:(1, 5, 10)", Value.int(16)), ("count:(1, 5, 10)", .int(3)), ("min:(5, 1, 10)", .int(1)),
      ("max:(1, 5, 10)", .int(10)), ("average:(1, 5, 9)", .double(5)), ("median:(9, 1, 5)", .double(5)),
      ("mode:(1, 5, 5)", .list([.int(5)])), ("stddev:(1, 3)", .double(1)), ("max:(one, 5)", .int(5)),
      ("sum:(one)", .int(1)),
    ] {
      try expect(several, expected)
      let one = several.replacingOccurrences(of: "(", with: "({").replacingOccurrences(of: ")", with: "})")
      try expect(one, expected)
    }
  }

  @Test("PRD-168: roots, logarithms and powers of e are doubles, and nil outside of their domain")
  func realFunctions() throws {
    try expect("sqrt:(9)", .double(3))
    try expect("log:(1000)", .double(3))
    try expect("ln:(1)", .double(0))
    try expect("exp:(0)", .double(1))
    try expect("sqrt:(CAST('9', 'NSDecimalNumber'))", .double(3))
    for text in ["sqrt:(-1)", "log:(0)", "log:(-1)", "ln:(0)", "ln:(-0.5)", "sqrt:('9')", "exp:('a')"] {
      try expect(text, .null)
    }
  }

  @Test("PRD-171: letter case is mapped in full and without locale; canonical: gives the [cd] key")
  func letterCase() throws {
    for locale in ["en_US", "tr_TR", "lt_LT"] {
      try expect("uppercase:('straße ﬁ i')", .string("STRASSE FI I"), locale: locale)
      try expect("lowercase:('AΣ ΣA I')", .string("aς σa i"), locale: locale)
      try expect("canonical:('Ärger Straße')", .string("arger strasse"), locale: locale)
    }
    try expect("uppercase:(5)", .null)
  }

  @Test("PRD-172: the length of a text is its number of UTF-16 units, as a function and as a key")
  func lengths() throws {
    for (text, length) in [("a😀e\u{301}", 5), ("", 0), ("abc", 3), ("👨‍👩‍👧", 8)] {
      try expect("length:('\(text)')", .int(Int64(length)))
      try expect("'\(text)'.length", .int(Int64(length)))
    }
    try expect("text.length", .int(5))
    try expect("length:(5)", .null)
  }

  @Test("PRD-174: noindex: is its operand")
  func noIndex() throws {
    for operand in ["one", "text", "list", "5", "'a'", "nil", "one + 1", "missing"] {
      try expect("noindex:(\(operand))", value(operand))
    }
    #expect(try truth("noindex:(0.1) == decimal - 1", Self.sample) == .yes)
    #expect(
      try truth("noindex:(missing) == nil", Self.sample, .threeValued)
        == truth("missing == nil", Self.sample, .threeValued))
  }

  @Test("PRD-175: distinct: keeps first occurrences; objectFrom:withIndex: is an index")
  func distinct() throws {
    try expect("distinct:(list)", .list([.int(3), .int(1), .null]))
    try expect("distinct:({})", .list([]))
    try expect("objectFrom:withIndex:(list, 1)", .int(1))
    try expect("objectFrom:withIndex:(list, 9)", .null)
    #expect(
      try QueryExpression(parsing: "objectFrom:withIndex:(list, 1)") == QueryExpression(parsing: "list[1]"))
  }

  @Test("PRD-185: aggregates over no values", arguments: ["{}", "{nil}", "{nil, nil}"])
  func empty(list: String) throws {
    try expect("sum:(\(list))", .int(0))
    for name in ["average:", "min:", "max:", "median:", "stddev:"] { try expect("\(name)(\(list))", .null) }
    try expect("percentile:(\(list), 0.5)", .null)
    try expect("mode:(\(list))", .list([]))
    try expect("count:({})", .int(0))
  }

  @Test("PRD-186: median, deviation and mode")
  func statistics() throws {
    try expect("median:({4, 1, 2, 3})", .double(2.5))
    try expect("median:({4, 1, 2})", .double(2))
    guard case .double(let deviation) = try value("stddev:({1, 2, 3, 4, 4, 5, 9, 11})") else {
      Issue.record("a deviation is a double")
      return
    }
    #expect((deviation * 10_000).rounded() == 32_186)
    try expect("stddev:({5})", .double(0))
    try expect("mode:({3, 1, 3, 2, 1})", .list([.int(1), .int(3)]))
    try expect("mode:({'b', 'a'})", .list([.string("a"), .string("b")]))
  }

  @Test("PRD-297, PRD-186: percentiles lie at their place, or between two values in proportion")
  func percentiles() throws {
    for (fraction, expected) in [("0", 10.0), ("0.25", 20), ("0.5", 30), ("0.9", 46), ("1", 50), ("1.0", 50)]
    {
      try expect("percentile:({50, 10, nil, 40, 20, 30}, \(fraction))", .double(expected))
    }
    try expect("percentile:({7}, 0.3)", .double(7))
    // As doubles 0.29 * 100 is a little less than 29.
    let hundred = (0...100).map(String.init).joined(separator: ", ")
    try expect("percentile:({\(hundred)}, 0.29)", .double(29))
    try expect(
      "percentile:({decimal, CAST('2.3', 'NSDecimalNumber')}, 0.25)", .decimal(Decimal(string: "1.4") ?? 0))
    try expect("percentile:(dates, 0.75)", .date(Date(timeIntervalSinceReferenceDate: 7)))
    try expect("median:(dates)", .date(Date(timeIntervalSinceReferenceDate: 5)))
    try expect("percentile:({-1.5e308, 1.5e308}, 0.5)", .double(0))
    for wrong in ["1.5", "-0.1", "'a'", "nil", "one + 1"] {
      try expect("percentile:({1, 2}, \(wrong))", .null)
    }
    try expect("percentile:(words, 0.5)", .null)
  }

  @Test("PRD-166: avg: and mean: are read as average:, by which name they print")
  func synonyms() throws {
    for text in ["avg:({1, 2})", "mean:({1, 2})", "avg({1, 2})", "mean({1, 2})"] {
      try expect(text, .double(1.5))
      #expect(try QueryExpression(parsing: text).description == "average:({1, 2})")
    }
    let percentile = try QueryExpression(parsing: "percentile:(team.age, 0.9)")
    #expect(percentile.description == "percentile:(team.age, 0.9)")
    #expect(throws: QueryPredicateError.self) { try QueryExpression(parsing: "percentile:(team.age)") }
  }

  @Test("PRD-189: the least and the greatest are those of <, of texts by bytes")
  func extremes() throws {
    try expect("min:(words)", .string("B"))
    try expect("max:(words)", .string("é"))
    try expect("min:({2, 1.5, YES})", .bool(true))
    try expect("max:({9007199254740993, 9007199254740992.0})", .int(9_007_199_254_740_993))
    try expect("max:(dates)", .date(Date(timeIntervalSinceReferenceDate: 9)))
    try expect("min:(dates)", .date(Date(timeIntervalSinceReferenceDate: 2)))
  }

  @Test("PRD-191: count: of nil is 0, of a single value 1")
  func counts() throws {
    try expect("count:(nil)", .int(0))
    try expect("count:(missing)", .int(0))
    try expect("count:(one)", .int(1))
    try expect("count:('abc')", .int(1))
    try expect("count:(list)", .int(5))
  }
}
