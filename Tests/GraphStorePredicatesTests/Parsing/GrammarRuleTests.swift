import Foundation
import GraphStorePredicates
import Testing

@Suite struct GrammarRuleTests {
  private static let reserved = [
    "AND", "OR", "NOT", "IN", "ANY", "ALL", "SOME", "NONE", "BETWEEN", "LIKE", "MATCHES", "CONTAINS",
    "BEGINSWITH", "ENDSWITH", "NULL", "NIL", "SELF", "TRUE", "FALSE", "YES", "NO", "TRUEPREDICATE",
    "FALSEPREDICATE", "ANYKEY", "CASEINSENSITIVE", "CI",
  ]

  private func number(_ text: String) throws -> Value {
    try ExpressionEvaluator(QueryExpression(parsing: text)).value(for: .null)
  }

  @Test("PRD-017, PRD-019, PRD-020: a reserved word is a key after # or a dot only", arguments: reserved)
  func reservedWords(word: String) throws {
    for spelling in [word, word.lowercased(), word.capitalized] {
      let plain = try? QueryPredicate(parsing: "\(spelling) > 3")
      #expect(plain?.names.keys.contains(spelling) != true)
      let escaped = try QueryPredicate(parsing: "#\(spelling) > 3 AND a.\(spelling) > 3")
      #expect(escaped.names.keys == [spelling, "a"])
      #expect(escaped.predicateFormat == "#\(spelling) > 3 AND a.\(spelling) > 3")
    }
  }

  @Test("PRD-019: a key between backquotes is told by its bytes, also where a mark joins the quote")
  func quotedKeysThatBeginWithMarks() throws {
    for key in ["\u{301}a", "a\u{301}", "\u{651}"] {
      let predicate = try QueryPredicate(parsing: "`\(key)` == 1 AND b.`\(key)` == 2")
      #expect(predicate.names.keys == [key, "b"])
      #expect(try QueryPredicate(parsing: predicate.predicateFormat) == predicate)
    }
    #expect(throws: QueryPredicateError.self) { try QueryPredicate("%K == 1", "a`\u{301}b") }
  }

  @Test(
    "PRD-018, PRD-047: words with a meaning before a parenthesis or in brackets are keys elsewhere",
    arguments: [
      "FIRST", "last", "SIZE", "subquery", "CAST", "TERNARY", "function", "FETCH", "union", "Minus",
    ])
  func contextualWords(word: String) throws {
    #expect(try QueryPredicate(parsing: "\(word) > 3").names.keys == [word])
    #expect(try QueryPredicate(parsing: "a[#\(word)] > 3").names.keys == ["a", word])
  }

  @Test("PRD-047: an identifier before a parenthesis is a function, never a key")
  func calls() throws {
    #expect(parseError("frob (a) == 1")?.code == .unknownFunction)
    #expect(try QueryPredicate(parsing: "sum (a) == 1").names.functions == ["sum:"])
  }

  @Test(
    "PRD-024: escapes that name no scalar are errors",
    arguments: ["\\u{}", "\\u{D800}", "\\uDFFF", "\\u{110000}", "\\u{1234567}", "\\uZZZZ", "\\u{12"])
  func badEscapes(escape: String) throws {
    let error = try #require(parseError("a == '\(escape)'"))
    #expect(error.code == .syntax)
    #expect(error.offset == 6)
  }

  @Test("PRD-024: escapes stand for scalars, other backslashes for themselves")
  func escapes() throws {
    let text = try QueryExpression(parsing: "'\\u0041\\u{1F600}\\\\\\'\\\"\\n\\r\\t\\d\\q'").constantValue
    #expect(text == .string("A😀\\'\"\n\r\t\\d\\q"))
  }

  @Test("PRD-025: nothing is substituted inside quotes")
  func quotes() throws {
    let predicate = try QueryPredicate("name LIKE '$v*' AND a == '%@' AND b == %@", 1)
    #expect(predicate.names.variables == [])
    #expect(predicate.predicateFormat == "name LIKE \"$v*\" AND a == \"%@\" AND b == 1")
  }

  @Test(
    "PRD-031, PRD-032: precedence and grouping, by value",
    arguments: [
      ("4 + 5 - 2 ** 3", 1.0), ("-2 ** 2", -4), ("2 ** -1", 0.5), ("2 ** 3 ** 2", 512), ("1 + 2 * 3", 7),
      ("7 / 2 * 2", 6), ("10 - 4 - 3", 3), ("1 | 2 ^ 3 & 1", 3), ("6 & 3 << 1", 6), ("1 << 1 + 1", 4),
      ("~1 + 3", 1), ("-3 - -2", -1), ("5 ^ 1 | 8", 12), ("2 * -3", -6), ("~0 & 7", 7), ("{1, 2}[1] ** 2", 4),
    ])
  func precedence(text: String, expected: Double) throws {
    #expect(try number(text).isEqual(to: .double(expected)), "\(text)")
  }

  @Test("PRD-031: set operators bind more loosely than bitwise ones, comparisons more loosely than both")
  func setPrecedence() throws {
    let predicate = try QueryPredicate(parsing: "a UNION b | c == d MINUS e")
    #expect(
      predicate
        == .compare(
          QueryExpression(
            .setOperation(.union, .key("a"), .function(.bitwiseOr, .key("b"), .key("c")))), .equal,
          QueryExpression(.setOperation(.minus, .key("d"), .key("e")))))
  }

  @Test("PRD-040: options may stand apart, in any order and letter case")
  func options() throws {
    for spelling in ["CONTAINS[CD]", "contains [dc]", "CONTAINS\n[c d]"] {
      #expect(try QueryPredicate(parsing: "a \(spelling) 'x'").predicateFormat == "a CONTAINS[cd] \"x\"")
    }
  }

  @Test("PRD-042: what is no list of two is refused, literals when parsed, values when evaluated")
  func bounds() throws {
    #expect(parseError("a BETWEEN {1, 2, 3}")?.offset == 10)
    #expect(parseError("a BETWEEN 5")?.code == .syntax)
    let predicate = try QueryPredicate(parsing: "a BETWEEN $x")
    let object = Value.dictionary(["a": .int(2)])
    #expect(try predicate.substituting(["x": Value.list([.int(1), .int(2)])]).evaluate(with: object))
    for list in [[Value.int(1)], [.int(1), .int(2), .int(3)]] {
      let error = try #require(throws: QueryPredicateError.self) {
        try predicate.substituting(["x": Value.list(list)]).evaluate(with: object)
      }
      #expect(error.code == .typeMismatch)
      #expect(error.offset == 10)
    }
  }

  @Test(
    "PRD-053, PRD-055: widths, flags, positions and lone percent signs are syntax errors",
    arguments: ["a == %5d", "a == %.2f", "a == %1$@", "a == %-d", "a == %", "a %% 2 == 0"])
  func specifiers(format: String) throws {
    let error = try #require(throws: QueryPredicateError.self) { try QueryPredicate(format, arguments: [1]) }
    #expect(error.code == .syntax, "\(format)")
  }

  @Test("PRD-056: %K and %d take no arguments where there are none, and the hint names variables")
  func noArguments() throws {
    for text in ["%K == 1", "a == %d", "a == %@"] {
      let error = try #require(parseError(text))
      #expect(error.code == .syntax)
      #expect(error.hint?.contains("$name") == true)
    }
  }

  @Test("PRD-052: each specifier takes its types")
  func scalarArguments() throws {
    let optional: Int? = nil
    #expect(try QueryPredicate("a == %c AND b == %c", "x", 65).predicateFormat == "a == \"x\" AND b == 65")
    #expect(try QueryPredicate("a == %f AND b == %a", 3, 0.5).predicateFormat == "a == 3 AND b == 0.5")
    #expect(try QueryPredicate("a == %s", "x").predicateFormat == "a == \"x\"")
    #expect(try QueryPredicate("a == %lld", UInt64.max).predicateFormat == "a == 18446744073709551615")
    #expect(try QueryPredicate("a == %@", optional).predicateFormat == "a == nil")
    let wrong: [(String, Any?)] = [
      ("a == %c", "xy"), ("a == %d", 1.5), ("a == %d", "1"), ("a == %f", "1"), ("a == %s", 1),
      ("a == %d", optional), ("a == %@", Thread.current), ("%K == 1", 3),
    ]
    for (format, argument) in wrong {
      let error = try #require(throws: QueryPredicateError.self) {
        try QueryPredicate(format, arguments: [argument])
      }
      #expect(error.code == .argumentType, "\(format)")
    }
  }

  @Test("PRD-283: a function's name as operator is a call, and a quantifier before it is kept")
  func selectors() throws {
    #expect(
      try QueryPredicate(parsing: "x name: y") == QueryPredicate(parsing: "FUNCTION(x, 'name:', y) == YES"))
    #expect(
      try QueryPredicate(parsing: "ANY x name: y")
        == QueryPredicate(parsing: "ANY FUNCTION(x, 'name:', y) == YES"))
    #expect(
      try QueryPredicate(parsing: "NONE x name: y").predicateFormat
        == "NOT ANY FUNCTION(x, \"name:\", y) == YES")
    #expect(parseError("x name:[c] y")?.code == .syntax)
  }

  @Test("PRD-283, PRD-029: the call counts as a level")
  func selectorDepth() {
    let deep = "x" + String(repeating: "[0]", count: 497)
    #expect(parseError("\(deep) == 1") == nil)
    #expect(parseError("\(deep) name: 1") == nil)
    #expect(parseError("\(deep)[0] name: 1")?.code == .tooDeep)
  }

  @Test("PRD-208: IS NOT NULL is answered with !=")
  func isNotNull() throws {
    #expect(try #require(parseError("x IS NOT NULL")).hint?.contains("x != nil") == true)
    #expect(try #require(parseError("x IS NULL")).hint?.contains("x == nil") == true)
  }
}
