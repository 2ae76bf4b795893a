import Foundation
import GraphStorePredicates
import Testing

@Suite struct GrammarTests {
  struct Printed: Sendable, CustomTestStringConvertible {
    let text: String
    let format: String
    init(_ text: String, _ format: String) {
      self.text = text
      self.format = format
    }
    var testDescription: String { text }
  }

  @Test(
    """
    PRD-194, PRD-195, PRD-196, PRD-197, PRD-198, PRD-199, PRD-200, PRD-201, PRD-202: texts print in their \
    canonical form, which reads back to an equal tree
    """,
    arguments: [
      Printed("a=1", "a == 1"), Printed("a <> 1", "a != 1"), Printed("a =< 1", "a <= 1"),
      Printed("a => 1", "a >= 1"), Printed("a == 1 && b == 2", "a == 1 AND b == 2"),
      Printed("a == 1 || !b == 2", "a == 1 OR NOT b == 2"),
      Printed("NOT a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
      Printed("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
      Printed("(a == 1 or b == 2) and not c == 3", "(a == 1 OR b == 2) AND NOT c == 3"),
      Printed("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
      Printed("((a == 1))", "a == 1"), Printed("(a) == 1", "a == 1"),
      Printed("(a + b) * 2 > c", "(a + b) * 2 > c"), Printed("a + b * 2 > c", "a + b * 2 > c"),
      Printed("a - (b - c) == 1", "a - (b - c) == 1"), Printed("(a - b) - c == 1", "a - b - c == 1"),
      Printed("-2 ** 2 == x", "-2 ** 2 == x"), Printed("(-2) ** 2 == x", "(-2) ** 2 == x"),
      Printed("2 ** -1 == x", "2 ** -1 == x"), Printed("(a ** b) ** c == x", "(a ** b) ** c == x"),
      Printed("a ** b ** c == x", "a ** b ** c == x"),
      Printed("~a | b & c ^ d << 2 == 1", "~a | b & c ^ d << 2 == 1"),
      Printed("SOME a.b == 1", "ANY a.b == 1"), Printed("NONE a.b == 1", "NOT ANY a.b == 1"),
      Printed("x NOT IN {1, 2}", "NOT x IN {1, 2}"), Printed("SELF.name == 'a'", "name == \"a\""),
      Printed("name contains [DC] 'x'", "name CONTAINS[cd] \"x\""),
      Printed("name ==[cn] 'x'", "name ==[n] \"x\""), Printed("name <[lc] 'x'", "name <[cl] \"x\""),
      Printed("#in == 3", "#in == 3"), Printed("#name == 3", "name == 3"), Printed("a.in == 3", "a.in == 3"),
      Printed("dept.#size > 1", "dept.size > 1"), Printed("size > 3", "size > 3"),
      Printed("c[first] == 1", "c[FIRST] == 1"), Printed("c[#first] == 1", "c[#first] == 1"),
      Printed("c[0][SIZE] == 1", "c[0][SIZE] == 1"),
      Printed("a union b == c", "a UNION b == c"),
      Printed("union minus minus == c", "union MINUS minus == c"),
      Printed("x == TRUE", "x == YES"), Printed("x == null", "x == nil"),
      Printed("x == 0xff", "x == 255"), Printed("x == 0b101", "x == 5"), Printed("x == 1.50", "x == 1.5"),
      Printed("x == 3.0", "x == 3.0"), Printed("x == .5", "x == 0.5"), Printed("x == 2e3", "x == 2000.0"),
      Printed("x == -9223372036854775808", "x == -9223372036854775808"),
      Printed("x == 9223372036854775808", "x == 9223372036854775808"),
      Printed("x == 0.12345678901234567890123", "x == 0.12345678901234567890123"),
      Printed("x == CAST('12.5', 'DecimalNumber')", "x == CAST(\"12.5\", \"NSDecimalNumber\")"),
      Printed("x == CAST(700000000, 'Date')", "x == CAST(700000000.0, \"NSDate\")"),
      Printed("x == CAST(a, 'NSString')", "x == CAST(a, \"NSString\")"),
      Printed("castObject:toType:(a, 'NSString') == x", "CAST(a, \"NSString\") == x"),
      Printed("objectFrom:withIndex:(a, 1) == x", "a[1] == x"),
      Printed("sum(a, b) > now()", "sum:(a, b) > now()"),
      Printed("modulus:by: (a, 2) == 0", "modulus:by:(a, 2) == 0"),
      Printed("add:to:(a, 1) == 2", "a + 1 == 2"), Printed("random(5) == random()", "random:(5) == random()"),
      Printed("x name: y", "FUNCTION(x, \"name:\", y) == YES"),
      Printed("SUBQUERY(r, $x, $x.age >= 36).@count == 0", "SUBQUERY(r, $x, $x.age >= 36).@count == 0"),
      Printed("TERNARY(a == 1 OR b == 2, c, d) == 1", "TERNARY(a == 1 OR b == 2, c, d) == 1"),
      Printed("FETCH($r, $c, NO)[SIZE] == 1", "FETCH($r, $c, NO)[SIZE] == 1"),
      Printed("x UTI-CONFORMS-TO 'public.text'", "x UTI-CONFORMS-TO \"public.text\""),
      Printed("date BETWEEN {$FROM, $TO}", "date BETWEEN {$FROM, $TO}"), Printed("x IN {}", "x IN {}"),
      Printed("$a.$b == $SIZE", "$a.$b == $SIZE"), Printed("SELF.$b == 1", "SELF.$b == 1"),
      Printed("YES", "TRUEPREDICATE"), Printed("@count > 3", "@count > 3"),
      Printed("a == '\\d+\\n\\u{41}\"'", "a == \"\\\\d+\\nA\\\"\""),
      Printed("größe == 'ä'", "größe == \"ä\""),
      Printed("a\n==\u{3000}1", "a == 1"), Printed("-a == -(-b)", "-a == --b"), Printed("+a == +3", "a == 3"),
      Printed("negate:(2) == a", "negate:(2) == a"),
      Printed(
        "(a == 1 AND b == 2) OR NOT (c == 3 OR NOT d == 4)",
        "(a == 1 AND b == 2) OR NOT (c == 3 OR NOT d == 4)"),
      Printed(
        "a == 'it\\'s \"\\\\\\r\\t\\u0007\\u{85}\u{1F600}\u{FEFF}'",
        "a == \"it's \\\"\\\\\\r\\t\\u{7}\\u{85}\u{1F600}\u{FEFF}\""),
      Printed("#not.in == a.#or", "#not.in == a.or"), Printed("#Between + #any > 1", "#Between + #any > 1"),
      Printed("SUBQUERY(#all, $x, #nil == 1)[SIZE] == 1", "SUBQUERY(#all, $x, #nil == 1)[SIZE] == 1"),
      Printed("$x.in == 1", "$x.in == 1"),
      Printed("bitwiseAnd:with:(a, bitwiseOr:with:(b, 1)) == 1", "a & (b | 1) == 1"),
      Printed("(a * b) + (c / d) == -(a + 1)", "a * b + c / d == -(a + 1)"),
    ])
  func printing(_ expected: Printed) throws {
    let predicate = try QueryPredicate(parsing: expected.text)
    #expect(predicate.predicateFormat == expected.format)
    #expect(try QueryPredicate(parsing: predicate.predicateFormat) == predicate)
    #expect(try QueryPredicate(parsing: predicate.indentedFormat) == predicate)
  }

  @Test("PRD-034: parentheses around a compound are a node")
  func parenthesesAreNodes() throws {
    let nested = try QueryPredicate(parsing: "a == 1 AND (b == 2 AND c == 3)")
    let flat = try QueryPredicate(parsing: "a == 1 AND b == 2 AND c == 3")
    #expect(nested != flat)
    #expect(nested.predicateFormat == "a == 1 AND (b == 2 AND c == 3)")
  }

  @Test("PRD-050, PRD-051: arguments insert values and keys")
  func arguments() throws {
    let list = try QueryPredicate("%K.%K IN %@ AND age BETWEEN %@", "a", "in", [1, 2], 3...5)
    #expect(list == (try QueryPredicate(parsing: "a.in IN {1, 2} AND age BETWEEN {3, 5}")))
    #expect(try QueryPredicate("#in == %@", nil) == QueryPredicate(parsing: "#in == nil"))
    #expect(try QueryPredicate("%K == %@", "in", Set([2, 1])) == QueryPredicate(parsing: "#in == {1, 2}"))
    #expect(
      try QueryPredicate("a == %ld AND b == %f", 1, 2.5) == QueryPredicate(parsing: "a == 1 AND b == 2.5"))
    #expect(try QueryPredicate("a.%@.c == 1", "b") == QueryPredicate(parsing: "a.b.c == 1"))
    let optional: Int? = nil
    #expect(try QueryPredicate("a == %@", optional) == QueryPredicate(parsing: "a == nil"))
  }

  @Test("PRD-037, PRD-038: a bare %K is a truth test, a bare %@ a predicate or Boolean")
  func bareArguments() throws {
    #expect(try QueryPredicate("%K", "isOpen") == QueryPredicate(parsing: "isOpen == YES"))
    let inner = try QueryPredicate(parsing: "a == 1 OR b == 2")
    #expect(
      try QueryPredicate("%@ AND c == 3", inner) == QueryPredicate(parsing: "(a == 1 OR b == 2) AND c == 3"))
    #expect(try QueryPredicate("%@", false) == .constant(false))
    #expect { try QueryPredicate("%@", 3) } throws: { ($0 as? QueryPredicateError)?.code == .argumentType }
  }

  @Test("PRD-012: a text argument is never parsed")
  func injection() throws {
    let predicate = try QueryPredicate("name == %@", "' OR TRUEPREDICATE")
    #expect(predicate == .compare(.key("name"), .equal, .constant("' OR TRUEPREDICATE")))
  }

  @Test("PRD-054: the number of arguments must be that of the specifiers, quoted ones excluded")
  func argumentCount() throws {
    #expect {
      try QueryPredicate("name == '%@'", "x")
    } throws: {
      let error = $0 as? QueryPredicateError
      return error?.code == .argumentCount && error?.hint?.contains("quotes") == true
    }
    #expect { try QueryPredicate("a == %@ AND b == %@", 1) } throws: {
      ($0 as? QueryPredicateError)?.code == .argumentCount
    }
  }

  @Test("PRD-052: scalar specifiers refuse other types, with the number of the argument")
  func scalarSpecifiers() throws {
    #expect { try QueryPredicate("a == 1 AND b == %d AND c == %d", 1, "x") } throws: {
      let error = $0 as? QueryPredicateError
      return error?.code == .argumentType && error?.message.contains("Argument 2") == true
    }
    #expect { try QueryPredicate("a == %s", 1) } throws: {
      ($0 as? QueryPredicateError)?.code == .argumentType
    }
  }

  @Test("PRD-010, PRD-011: substitution replaces free variables and names all that are missing")
  func substitution() throws {
    let predicate = try QueryPredicate(
      parsing: "a == $A AND SUBQUERY(b, $x, $x.c > $C AND $x.$K == 1).@count > 0")
    #expect(predicate.names.variables == ["A", "C", "K"])
    let substituted = try predicate.substituting([
      "A": .null, "C": .int(3), "K": .string("d.e"), "x": .int(9),
    ])
    #expect(
      substituted.predicateFormat == "a == nil AND SUBQUERY(b, $x, $x.c > 3 AND $x.d.e == 1).@count > 0")
    #expect { try predicate.substituting(["A": Value.int(1)]) } throws: {
      let error = $0 as? QueryPredicateError
      return error?.code == .unboundVariable && error?.message.contains("$C, $K") == true
    }
  }

  @Test("PRD-008: constructors normalise")
  func normalising() throws {
    #expect(QueryPredicate.all(of: []) == .constant(true))
    #expect(QueryPredicate.any(of: []) == .constant(false))
    let single = try QueryPredicate(parsing: "a == 1")
    #expect(QueryPredicate.all(of: [single]) == single)
  }

  @Test("PRD-003: predicates are coded as their text")
  func coding() throws {
    let predicate = try QueryPredicate(parsing: "a IN {1, \"x\"}")
    let data = try JSONEncoder().encode([predicate])
    #expect(try JSONDecoder().decode([QueryPredicate].self, from: data) == [predicate])
  }

  @Test("PRD-049: a derivation may be written keypath:function")
  func derivation() throws {
    #expect(try QueryExpression(derivation: "name:lowercase") == QueryExpression(parsing: "lowercase:(name)"))
    #expect(try QueryExpression(derivation: "a.b + 1") == QueryExpression(parsing: "a.b + 1"))
  }
}
