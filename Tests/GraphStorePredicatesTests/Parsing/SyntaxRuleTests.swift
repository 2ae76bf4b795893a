import Foundation
import GraphStorePredicates
import Testing

@Suite struct SyntaxRuleTests {
  private func parsed(_ text: String) throws -> QueryPredicate { try QueryPredicate(parsing: text) }

  @Test("PRD-001: a format, a text and parts in code give the same tree")
  func threeWays() throws {
    let built = QueryPredicate.and([
      .compare(.key("name"), .beginsWith, .constant("A"), options: .caseInsensitive),
      .compare(.keys("boss", "age"), .greater, .constant(3)),
    ])
    #expect(try parsed("name BEGINSWITH[c] 'A' AND boss.age > 3") == built)
    #expect(try QueryPredicate("name BEGINSWITH[c] %@ AND %K > %d", "A", "boss.age", 3) == built)
  }

  @Test(
    "PRD-033: NOT binds tighter than AND, and AND than OR",
    arguments: [
      ("NOT a == 1 AND b == 2", "(NOT a == 1) AND b == 2"),
      ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
      ("a == 1 AND b == 2 OR c == 3", "(a == 1 AND b == 2) OR c == 3"),
      ("NOT a == 1 OR b == 2", "(NOT a == 1) OR b == 2"),
      ("NOT NOT a == 1 AND b == 2", "(NOT (NOT a == 1)) AND b == 2"),
    ])
  func precedence(text: String, grouped: String) throws {
    #expect(try parsed(text) == parsed(grouped))
    #expect(try parsed(text) != parsed("NOT (\(text.replacingOccurrences(of: "NOT ", with: "")))"))
  }

  @Test(
    "PRD-035: comparisons do not chain",
    arguments: [("a == b == c", 7), ("a < b < c", 6), ("a IN b IN c", 7), ("a == 1 == YES", 7)])
  func chains(text: String, offset: Int) throws {
    let error = try #require(parseError(text))
    #expect(error.code == .syntax)
    #expect(error.offset == offset)
    #expect(error.message.contains("comparisons do not chain"))
  }

  @Test(
    "PRD-036: what follows a parenthesis tells whether it holds an expression",
    arguments: [
      ("(a + b) * 2 > c", "(a + b) * 2 > c"), ("(a) == 1", "a == 1"), ("(a == 1)", "a == 1"),
      ("((a == 1))", "a == 1"), ("((a)) == ((1))", "a == 1"), ("(a).b == 1", "a.b == 1"),
      ("(a)[0] == 1", "a[0] == 1"), ("(a == 1) AND (b) == 2", "a == 1 AND b == 2"),
      ("(a) IN (b)", "a IN b"), ("(a) NOT IN b", "NOT a IN b"), ("(a) ** 2 == b", "a ** 2 == b"),
      ("(a) UNION b == c", "a UNION b == c"), ("(a) name: b", "FUNCTION(a, \"name:\", b) == YES"),
      ("NOT (a) == 1", "NOT a == 1"), ("(a - b) BETWEEN {1, 2}", "a - b BETWEEN {1, 2}"),
    ])
  func parentheses(text: String, expected: String) throws {
    #expect(try parsed(text).predicateFormat == expected)
    #expect(try parsed(text) == parsed(expected))
  }

  @Test(
    "PRD-039: NOT before a word operator is NOT of the comparison, and prints so",
    arguments: [
      "IN {1, 2}", "BETWEEN {1, 2}", "CONTAINS \"a\"", "BEGINSWITH[c] \"a\"", "ENDSWITH \"a\"", "LIKE \"a\"",
      "MATCHES \"a\"", "UTI-EQUALS \"a\"",
    ])
  func negatedOperators(comparison: String) throws {
    #expect(try parsed("x NOT \(comparison)") == .not(parsed("x \(comparison)")))
    #expect(try parsed("x not \(comparison)").predicateFormat == "NOT x \(comparison)")
  }

  @Test("PRD-039: NOT before another operator has no meaning")
  func negatedSigns() {
    #expect(parseError("x NOT == 1")?.offset == 2)
    #expect(parseError("x NOT NOT IN {1}")?.offset == 2)
    #expect(parseError("x ! IN {1}")?.offset == 2)
  }

  @Test(
    "PRD-041: quantifiers stand once and on the left only",
    arguments: [
      ("a == ANY b", 5), ("a IN SOME b", 5), ("a == NONE b", 5), ("a == ALL b", 5), ("ANY ALL a == 1", 4),
      ("NONE ANY a == 1", 5), ("ANY NOT a == 1", 4), ("ANY (a == 1)", 7), ("ANY TRUEPREDICATE", 4),
    ])
  func quantifiers(text: String, offset: Int) throws {
    let error = try #require(parseError(text))
    #expect(error.code == .syntax)
    #expect(error.offset == offset)
  }

  @Test("PRD-041: SOME is ANY")
  func some() throws {
    #expect(try parsed("SOME a.b == 1") == parsed("ANY a.b == 1"))
    #expect(try parsed("SOME a.b == 1") != parsed("a.b == 1"))
  }

  @Test("PRD-043: brackets after an expression hold an index, after an operator options")
  func brackets() throws {
    #expect(
      try parsed("a[c] == 1")
        == .compare(QueryExpression(.index(.key("a"), .at(.key("c")))), .equal, .constant(1)))
    #expect(
      try parsed("a[FIRST] ==[c] b[last]")
        == .compare(
          QueryExpression(.index(.key("a"), .first)), .equal, QueryExpression(.index(.key("b"), .last)),
          options: .caseInsensitive))
    #expect(try parsed("a[SIZE] > b[i + 1][0]").predicateFormat == "a[SIZE] > b[i + 1][0]")
    #expect(parseError("a ==[0] b")?.offset == 5)
    #expect(parseError("a ==[FIRST] b")?.offset == 5)
    #expect(parseError("a[] == 1")?.offset == 2)
    #expect(parseError("a[0, 1] == 1")?.offset == 3)
    #expect(parseError("a[0 == 1")?.offset == 4)
  }

  @Test("PRD-044: aggregates hold any expressions, nested and none; a comma must not end them")
  func aggregates() throws {
    #expect(try QueryExpression(parsing: "{}") == .constant(Value.list([])))
    #expect(
      try QueryExpression(parsing: "{1, {'a', {}}}")
        == .constant(Value.list([.int(1), .list([.string("a"), .list([])])])))
    #expect(
      try QueryExpression(parsing: "{$FROM, a + 1, sum:(b)}")
        == QueryExpression(
          .aggregate([
            .variable("FROM"), .function(.add, .key("a"), .constant(1)), .function(.sum, .key("b")),
          ])))
    #expect(parseError("a IN {1, 2,}")?.offset == 11)
    #expect(parseError("a IN {,}")?.offset == 6)
    #expect(parseError("a IN {1 2}")?.offset == 8)
  }

  @Test(
    "PRD-045: words and signs without meaning here are known and refused where they stand",
    arguments: [
      ("ANYKEY == 1", 0, 6, nil), ("a == anykey", 5, 6, nil), ("a CASEINSENSITIVE 'x'", 2, 15, "[c]"),
      ("a == CI", 5, 2, "[c]"), ("a CI b", 2, 2, "[c]"), ("a := 1", 2, 2, "=="),
    ] as [(String, Int, Int, String?)])
  func unsupported(text: String, offset: Int, length: Int, hint: String?) throws {
    let error = try #require(parseError(text))
    #expect(error.code == .unsupportedSyntax)
    #expect((error.offset, error.length) == (offset, length))
    #expect((error.hint == nil) == (hint == nil))
    if let hint { #expect(error.hint?.contains(hint) == true) }
  }

  @Test(
    "PRD-046: the last colon of a name may be left out, and space may follow it",
    arguments: [
      ("sum:(x)", "sum:(x)"), ("sum(x)", "sum:(x)"), ("sum (x)", "sum:(x)"), ("sum: (x)", "sum:(x)"),
      ("now()", "now()"), ("now ()", "now()"), ("modulus:by:(a, b)", "modulus:by:(a, b)"),
      ("modulus:by: (a, b)", "modulus:by:(a, b)"), ("random()", "random()"), ("random(3)", "random:(3)"),
    ])
  func names(text: String, printed: String) throws {
    #expect(try QueryExpression(parsing: text).expressionFormat == printed)
  }

  @Test(
    "PRD-046: names of several parts need all their colons",
    arguments: [
      "modulus:by(a, b) == 1", "modulusby(a, b) == 1", "modulus(a, b) == 1", "modulus: by:(a, b) == 1",
    ])
  func colons(text: String) {
    #expect(parseError(text) != nil)
  }

  @Test(
    "PRD-048: the whole text is one predicate",
    arguments: [("a == 1 b", 7), ("a == 1)", 6), ("TRUEPREDICATE a", 14)])
  func rest(text: String, offset: Int) throws {
    let error = try #require(parseError(text))
    #expect(error.code == .syntax)
    #expect(error.offset == offset)
  }

  @Test(
    "PRD-048: an empty or blank text is told what selects everything", arguments: ["", " ", "\n\t\u{3000}"])
  func blank(text: String) throws {
    let error = try #require(parseError(text))
    #expect(error.code == .syntax)
    #expect((error.offset, error.length) == (text.utf8.count, 0))
    #expect(error.hint?.contains("TRUEPREDICATE") == true)
  }

  @Test("PRD-138: a quantifier governs the one comparison after it")
  func scope() throws {
    let quantified = try parsed("ANY a.x == 1")
    let plain = try parsed("b == 2")
    #expect(try parsed("ANY a.x == 1 AND b == 2") == .and([quantified, plain]))
    #expect(try parsed("b == 2 OR ANY a.x == 1") == .or([plain, quantified]))
    #expect(try parsed("NOT ANY a.x == 1 AND b == 2") == .and([.not(quantified), plain]))
  }
}
