import GraphStorePredicates
import Testing

/// Everything the parser says of a text it refuses, word for word.
@Suite struct ParserErrorTableTests {
  @Test(
    "PRD-205, PRD-208, PRD-211: tokens and grammar",
    arguments: [
      Refused(
        "", "predicate-syntax", 0, 0,
        "The text is empty, where a predicate is wanted.", hint: "Write TRUEPREDICATE to select everything."),
      Refused(
        "  ", "predicate-syntax", 2, 0,
        "The text is empty, where a predicate is wanted.", hint: "Write TRUEPREDICATE to select everything."),
      Refused(
        "\u{FEFF}a == 1", "predicate-syntax", 0, 3,
        "A predicate must not begin with a byte-order mark."),
      Refused(
        "a \u{0} == 1", "predicate-syntax", 2, 1,
        "A predicate must not hold the character NUL outside a string."),
      Refused(
        "a == $ x", "predicate-syntax", 5, 1,
        "The text cannot be read here: expected a name after $."),
      Refused(
        "# == 1", "predicate-syntax", 0, 1,
        "The text cannot be read here: expected a key after #."),
      Refused(
        "@ == 1", "predicate-syntax", 0, 1,
        "The text cannot be read here: expected a collection operator after @."),
      Refused(
        "a ; 1", "predicate-syntax", 2, 1,
        "The character ; has no meaning in a predicate."),
      Refused(
        "name == “a”", "predicate-syntax", 8, 3,
        "The character “ does not open a string.", hint: "Write straight quotes, \" or '."),
      Refused(
        "name = 'abc", "predicate-syntax", 7, 4,
        "The string that opens here is not closed."),
      Refused(
        "a == '\\u12'", "predicate-syntax", 6, 2,
        "The escape \\u needs four hexadecimal digits, or one to six in braces, that name a scalar."),
      Refused(
        "a == '\\u{D800}'", "predicate-syntax", 6, 2,
        "The escape \\u needs four hexadecimal digits, or one to six in braces, that name a scalar."),
      Refused(
        "a == 123456789012345678901234567890123456789", "predicate-syntax", 5, 39,
        "The number has more than 38 significant digits, or is too large or small."),
      Refused(
        "salary >", "predicate-syntax", 8, 0,
        "The text cannot be read on: expected a value after >, but the text ends."),
      Refused(
        "a == 1 b == 2", "predicate-syntax", 7, 1,
        "The text cannot be read on: expected AND, OR or the end of the text, but b stands here."),
      Refused(
        "a == 1)", "predicate-syntax", 6, 1,
        "The text cannot be read on: expected AND, OR or the end of the text, but ) stands here."),
      Refused(
        "a == b == c", "predicate-syntax", 7, 2,
        "The text cannot be read on: expected AND, OR or the end of the text, since comparisons do not chain, but == stands here."
      ),
      Refused(
        "a +", "predicate-syntax", 3, 0,
        "The text cannot be read on: expected a value after +, but the text ends."),
      Refused(
        "-", "predicate-syntax", 1, 0,
        "The text cannot be read on: expected a value after -, but the text ends."),
      Refused(
        "a ** ", "predicate-syntax", 5, 0,
        "The text cannot be read on: expected a value after **, but the text ends."),
      Refused(
        "ANY", "predicate-syntax", 3, 0,
        "The text cannot be read on: expected a value after ANY, but the text ends."),
      Refused(
        "NOT", "predicate-syntax", 3, 0,
        "The text cannot be read on: expected a value after NOT, but the text ends."),
      Refused(
        "a == ANY b", "predicate-syntax", 5, 3,
        "The text cannot be read on: expected a value after ==, since quantifiers stand before the left side, but ANY stands here."
      ),
      Refused(
        "ANY ALL a == 1", "predicate-syntax", 4, 3,
        "The text cannot be read on: expected a value, but ALL stands here.",
        hint: "Write #ALL for a key of that name."),
      Refused(
        "age", "predicate-syntax", 3, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends.",
        hint: "Write key == YES to test a truth value."),
      Refused(
        "SELF", "predicate-syntax", 4, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends.",
        hint: "Write key == YES to test a truth value."),
      Refused(
        "TRUE", "predicate-syntax", 4, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends.",
        hint: "Write TRUEPREDICATE for a constant predicate."),
      Refused(
        "FALSE", "predicate-syntax", 5, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends.",
        hint: "Write FALSEPREDICATE for a constant predicate."),
      Refused(
        "$x", "predicate-syntax", 2, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends."),
      Refused(
        "'a'", "predicate-syntax", 3, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends."),
      Refused(
        "sum:(a)", "predicate-syntax", 7, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends."),
      Refused(
        "x IS NULL", "predicate-syntax", 2, 2,
        "The text cannot be read on: expected a comparison operator, but IS stands here.",
        hint: "Write x == nil to test for a missing value."),
      Refused(
        "x IS NOT NULL", "predicate-syntax", 2, 2,
        "The text cannot be read on: expected a comparison operator, but IS stands here.",
        hint: "Write x != nil to test for a missing value."),
      Refused(
        "x === y", "predicate-syntax", 2, 3,
        "The text cannot be read on: expected a comparison operator, but === stands here.",
        hint: "Write == to compare."),
      Refused(
        "x := y", "unsupported-syntax", 2, 2,
        ":= has no meaning in a predicate.", hint: "Write == to compare."),
      Refused(
        "age BETWEEN 1 AND 5", "predicate-syntax", 12, 1,
        "BETWEEN wants a list of exactly two values: expected {a, b}.", hint: "Write BETWEEN {a, b}."),
      Refused(
        "age BETWEEN a AND b", "predicate-syntax", 19, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends.",
        hint: "Write BETWEEN {a, b}."),
      Refused(
        "age BETWEEN {1}", "predicate-syntax", 12, 3,
        "BETWEEN wants a list of exactly two values: expected {a, b}."),
      Refused(
        "age BETWEEN 5", "predicate-syntax", 12, 1,
        "BETWEEN wants a list of exactly two values: expected {a, b}.", hint: "Write BETWEEN {a, b}."),
      Refused(
        "a IN [1, 2]", "predicate-syntax", 6, 1,
        "The text cannot be read on: expected an option, c, d, n or l, but 1 stands here.",
        hint: "Write a list in braces: IN {1, 2}."),
      Refused(
        "a IN (1, 2)", "predicate-syntax", 7, 1,
        "The text cannot be read on: expected ) to close the one that opened at offset 5, but , stands here.",
        hint: "Write a list in braces: IN {1, 2}."),
      Refused(
        "a IN {1,}", "predicate-syntax", 8, 1,
        "The text cannot be read on: expected a value after ,, but } stands here."),
      Refused(
        "a IN {1", "predicate-syntax", 7, 0,
        "The text cannot be read on: expected } to close the one that opened at offset 5, but the text ends."),
      Refused(
        "a % 2 == 0", "predicate-syntax", 2, 1,
        "The text cannot be read on: expected a comparison operator, but % stands here.",
        hint: "Write modulus:by:(a, b) for the remainder."),
      Refused(
        "a == %@", "predicate-syntax", 5, 2,
        "The text cannot be read on: expected a value or a key, but %@ stands here.",
        hint: "This text takes no arguments; write a variable such as $name and give its value."),
      Refused(
        "%K == 1", "predicate-syntax", 0, 2,
        "The text cannot be read on: expected a value or a key, but %K stands here.",
        hint: "This text takes no arguments; write a variable such as $name and give its value."),
      Refused(
        "a == %d", "predicate-syntax", 5, 2,
        "The text cannot be read on: expected a value or a key, but %d stands here.",
        hint: "This text takes no arguments; write a variable such as $name and give its value."),
      Refused(
        "a == ANYKEY", "unsupported-syntax", 5, 6,
        "ANYKEY has no meaning in a predicate."),
      Refused(
        "a == CI", "unsupported-syntax", 5, 2,
        "CI has no meaning in a predicate.", hint: "Write the option [c] after the operator."),
      Refused(
        "a CASEINSENSITIVE b", "unsupported-syntax", 2, 15,
        "CASEINSENSITIVE has no meaning in a predicate.", hint: "Write the option [c] after the operator."),
      Refused(
        "a ==[x] b", "predicate-syntax", 5, 1,
        "There is no option x: expected c, d, n or l."),
      Refused(
        "a ==[cc] b", "predicate-syntax", 6, 1,
        "The option c is given twice."),
      Refused(
        "a ==[c b", "predicate-syntax", 7, 1,
        "There is no option b: expected c, d, n or l."),
      Refused(
        "a ==[] b", "predicate-syntax", 5, 1,
        "The text cannot be read on: expected an option, c, d, n or l, but ] stands here."),
      Refused(
        "(a == 1", "predicate-syntax", 7, 0,
        "The text cannot be read on: expected ) to close the one that opened at offset 0, but the text ends."),
      Refused(
        "(a + 1", "predicate-syntax", 6, 0,
        "The text cannot be read on: expected a comparison operator, but the text ends."),
      Refused(
        "a[0 == 1", "predicate-syntax", 4, 2,
        "The text cannot be read on: expected ] to close the one that opened at offset 1, but == stands here."
      ),
      Refused(
        "sum:(a == 1", "predicate-syntax", 7, 2,
        "The text cannot be read on: expected ) to close the one that opened at offset 4, but == stands here."
      ),
      Refused(
        "a. == 1", "predicate-syntax", 3, 2,
        "The text cannot be read on: expected a key after the dot, but == stands here."),
      Refused(
        "a.1 == 1", "predicate-syntax", 1, 2,
        "The text cannot be read on: expected a comparison operator, but .1 stands here."),
      Refused(
        "in == 3", "predicate-syntax", 0, 2,
        "The text cannot be read on: expected a value, but in stands here.",
        hint: "Write #in for a key of that name."),
      Refused(
        "a == in", "predicate-syntax", 5, 2,
        "The text cannot be read on: expected a value, but in stands here.",
        hint: "Write #in for a key of that name."),
    ])
  func grammar(_ refused: Refused) throws {
    let error = try #require(parseError(refused.text))
    refused.expect(error)
    #expect(error.source == refused.text)
    #expect(error.line == 1)
  }

  @Test("PRD-029, PRD-211: too many levels")
  func depth() throws {
    let text = String(repeating: "NOT ", count: 501) + "a == 1"
    Refused(
      text, "predicate-too-deep", 2_000, 3, "The predicate nests deeper than 500 levels; split it or use IN."
    ).expect(try #require(parseError(text)))
  }

  @Test(
    "PRD-211: expressions alone",
    arguments: [
      Refused(
        "", "predicate-syntax", 0, 0,
        "The text is empty, where an expression is wanted."),
      Refused(
        "a ==", "predicate-syntax", 2, 2,
        "The text cannot be read on: expected an operator or the end of the text, but == stands here."),
      Refused(
        "a b", "predicate-syntax", 2, 1,
        "The text cannot be read on: expected an operator or the end of the text, but b stands here."),
      Refused(
        "a == 1", "predicate-syntax", 2, 2,
        "The text cannot be read on: expected an operator or the end of the text, but == stands here."),
    ])
  func expressions(_ refused: Refused) {
    let error = #expect(throws: QueryPredicateError.self) { try QueryExpression(parsing: refused.text) }
    refused.expect(error)
  }
}
