import Foundation
import GraphStorePredicates
import Testing

@Suite struct LexicalRuleTests {
  private func constant(_ text: String) throws -> Value? {
    try QueryExpression(parsing: text).constantValue
  }

  private func format(_ text: String) throws -> String {
    try QueryPredicate(parsing: text).predicateFormat
  }

  @Test(
    "PRD-015: any Unicode white space stands between tokens, and none is needed",
    arguments: [
      "a\u{3000}==\u{A0}1", "a\u{2028}==\r\n1", "\ta\u{B}==\u{C}1\u{85}", "a==1", "\u{2003}a ==1 ",
    ])
  func space(text: String) throws {
    #expect(try format(text) == "a == 1")
  }

  @Test(
    "PRD-015: there are no comments",
    arguments: [("a == 1 // b", 8), ("a == 1 /* b */", 8), ("a == 1 # b", 7), ("a == 1 ; b", 7)])
  func comments(text: String, offset: Int) throws {
    let error = try #require(parseError(text))
    #expect(error.code == .syntax)
    #expect(error.offset == offset)
  }

  @Test(
    "PRD-015: tokens are read longest first",
    arguments: [
      ("a<=1", "a <= 1"), ("a=<1", "a <= 1"), ("a<<1==2", "a << 1 == 2"), ("a>>1=>2", "a >> 1 >= 2"),
      ("a**2==4", "a ** 2 == 4"), ("a<>1", "a != 1"), ("a==1&&b==2", "a == 1 AND b == 2"),
      ("a==1||b==2", "a == 1 OR b == 2"), ("a==--1", "a == 1"), ("inner==1", "inner == 1"),
      ("a==1.5", "a == 1.5"), ("orange==1OR b==2", "orange == 1 OR b == 2"),
    ])
  func longest(text: String, expected: String) throws {
    #expect(try format(text) == expected)
  }

  @Test(
    "PRD-016: keywords are known in any letter case",
    arguments: [
      ("a in {1}", "a IN {1}"), ("a BeginsWith 'x'", "a BEGINSWITH \"x\""),
      ("a endsWITH 'x'", "a ENDSWITH \"x\""), ("a cOnTaInS 'x'", "a CONTAINS \"x\""),
      ("a Like 'x'", "a LIKE \"x\""), ("a matches 'x'", "a MATCHES \"x\""),
      ("a Between {1, 2}", "a BETWEEN {1, 2}"), ("Any a.b == 1", "ANY a.b == 1"),
      ("all a.b == 1", "ALL a.b == 1"), ("some a.b == 1", "ANY a.b == 1"),
      ("nOnE a.b == 1", "NOT ANY a.b == 1"),
      ("Not a == 1 And b == 2 oR c == 3", "(NOT a == 1 AND b == 2) OR c == 3"),
      ("a == Nil", "a == nil"), ("a == nULL", "a == nil"), ("sElF == True", "SELF == YES"),
      ("truePredicate", "TRUEPREDICATE"), ("falsepredicate", "FALSEPREDICATE"),
      ("subquery(a, $x, $x == 1)[size] == c[Last]", "SUBQUERY(a, $x, $x == 1)[SIZE] == c[LAST]"),
      ("cast(a, 'NSString') == ternary(b == 1, c, d)", "CAST(a, \"NSString\") == TERNARY(b == 1, c, d)"),
      ("function(a, 'f:') == 1", "FUNCTION(a, \"f:\") == 1"), ("a Union b == c", "a UNION b == c"),
      ("a uti-Equals 'x'", "a UTI-EQUALS \"x\""), ("yes", "TRUEPREDICATE"), ("nO", "FALSEPREDICATE"),
    ])
  func keywords(text: String, expected: String) throws {
    #expect(try format(text) == expected)
  }

  @Test("PRD-016: keys, variables and functions are told apart by letter case")
  func cases() throws {
    #expect(try truth("Name == 1 AND name == 2", object(["Name": 1, "name": 2])) == .yes)
    #expect(try truth("$A == 1 AND $a == 2", variables: ["A": .int(1), "a": .int(2)]) == .yes)
    let error = try #require(parseError("SUM(a) == 1"))
    #expect(error.code == .unknownFunction)
    #expect(error.suggestions.contains("sum:"))
  }

  @Test("PRD-022: a variable is $ with an identifier, reserved words too")
  func variables() throws {
    for name in ["SIZE", "in", "NOT", "nil", "größe", "_1"] {
      #expect(try QueryExpression(parsing: "$\(name)") == .variable(name))
    }
    for text in ["a == $ x", "a == $1", "a == $", "a == $$x", "a == $'x'"] {
      #expect(parseError(text)?.offset == 5, "\(text)")
    }
  }

  @Test("PRD-023: either quote holds the other; strings do not join, and an open one is told where it opens")
  func quotes() throws {
    #expect(try constant("\"it's\"") == .string("it's"))
    #expect(try constant("'say \"x\"'") == .string("say \"x\""))
    #expect(try constant("''") == .string(""))
    #expect(parseError("a == 'b' 'c'")?.offset == 9)
    #expect(parseError("a == 'b''c'")?.offset == 8)
    for text in ["a == 'bc", "a == \"b'c", "a == 'b\\'"] {
      let error = try #require(parseError(text))
      #expect(error.offset == 5, "\(text)")
      #expect(error.length == text.utf8.count - 5)
    }
  }

  @Test(
    "PRD-026: numbers of every form",
    arguments: [
      ("12", Value.int(12)), ("007", .int(7)), ("0xfF", .int(255)), ("0o17", .int(15)), ("0b101", .int(5)),
      ("0XFF", .int(255)), ("1.5", .double(1.5)), (".5", .double(0.5)), ("2e-3", .double(0.002)),
      ("1.5E+2", .double(150)), ("1.0", .double(1)), ("9223372036854775807", .int(.max)),
      ("9223372036854775808", .decimal(Decimal(string: "9223372036854775808") ?? 0)),
      ("0xFFFFFFFFFFFFFFFF", .decimal(Decimal(string: "18446744073709551615") ?? 0)),
      ("-9223372036854775808", .int(.min)), ("-12", .int(-12)), ("- 1.5", .double(-1.5)), ("+3", .int(3)),
      ("-(2)", .int(-2)), ("-0x10", .int(-16)),
      (
        "12345678901234567890123456789012345678",
        .decimal(Decimal(string: "12345678901234567890123456789012345678") ?? 0)
      ),
    ])
  func numbers(text: String, expected: Value) throws {
    let value = try constant(text)
    #expect(value == expected)
    switch (value, expected) {
    case (.int, .int), (.double, .double), (.decimal, .decimal): break
    default: Issue.record("\(text) is of another kind: \(String(describing: value))")
    }
  }

  @Test(
    "PRD-026: what is no number",
    arguments: [
      ("a == 1.", 7), ("a == 123456789012345678901234567890123456789", 5),
      ("a == 0.123456789012345678901234567890123456789", 5), ("a == 0x", 6), ("a == 0b2", 6), ("a == 1e", 6),
      ("a == 1e400", 5), ("a == 1_000", 6),
    ])
  func notNumbers(text: String, offset: Int) throws {
    let error = try #require(parseError(text))
    #expect(error.code == .syntax)
    #expect(error.offset == offset)
  }

  @Test("PRD-026: a sign before more than a number is an operator")
  func signs() throws {
    #expect(try QueryExpression(parsing: "-a") == .function(.negate, .key("a")))
    #expect(
      try QueryExpression(parsing: "-2 ** 2")
        == .function(.negate, .function(.power, .constant(2), .constant(2))))
    #expect(try QueryExpression(parsing: "3 -2") == .function(.subtract, .constant(3), .constant(2)))
  }

  @Test("PRD-027: the words for the missing value, true and false")
  func words() throws {
    for word in ["nil", "NULL", "Null"] { #expect(try constant(word) == .null) }
    for word in ["TRUE", "yes"] { #expect(try constant(word) == .bool(true)) }
    for word in ["false", "NO"] { #expect(try constant(word) == .bool(false)) }
  }

  @Test(
    "PRD-028: each operator has its spellings",
    arguments: [
      ("==", "=="), ("=", "=="), ("!=", "!="), ("<>", "!="), ("<", "<"), (">", ">"), ("<=", "<="),
      ("=<", "<="), (">=", ">="), ("=>", ">="),
    ])
  func spellings(spelling: String, printed: String) throws {
    #expect(try format("a \(spelling) 1") == "a \(printed) 1")
    #expect(try format("a\(spelling)1") == "a \(printed) 1")
  }

  @Test("PRD-028: signs for AND, OR and NOT")
  func connectives() throws {
    #expect(try format("!a == 1 && b == 2 || c == 3") == "(NOT a == 1 AND b == 2) OR c == 3")
    for text in ["a == 1 & b == 2", "a == 1 | b == 2"] { #expect(parseError(text)?.code == .syntax) }
  }

  @Test("PRD-030: a byte-order mark, and NUL outside of a string, are refused where they stand")
  func forbidden() throws {
    let mark = try #require(parseError("\u{FEFF}a == 1"))
    #expect(mark.code == .syntax)
    #expect((mark.offset, mark.length) == (0, 3))
    for (text, offset) in [("a == 1\u{0}", 6), ("\u{0}", 0), ("a \u{0} == 1", 2)] {
      let error = try #require(parseError(text))
      #expect(error.code == .syntax)
      #expect((error.offset, error.length) == (offset, 1))
      #expect(error.message.contains("NUL"))
    }
    #expect(try constant("'a\u{0}b'") == .string("a\u{0}b"))
  }
}
