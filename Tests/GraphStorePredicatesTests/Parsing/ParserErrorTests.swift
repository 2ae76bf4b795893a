import GraphStorePredicates
import Testing

/// The error that parsing a text throws; nil when it parses.
func parseError(_ text: String) -> QueryPredicateError? {
  do throws(QueryPredicateError) {
    _ = try QueryPredicate(parsing: text)
    return nil
  } catch {
    return error
  }
}

@Suite struct ParserErrorTests {
  struct Located: Sendable {
    let text: String
    let offset: Int
    let length: Int
    var code = QueryPredicateError.Code.syntax
  }

  @Test(
    "PRD-207, PRD-206: errors stand at the first token that cannot continue the text",
    arguments: [
      Located(text: "salary >", offset: 8, length: 0),
      Located(text: "name = 'abc", offset: 7, length: 4),
      Located(text: "a == b == c", offset: 7, length: 2),
      Located(text: "name ==[x] \"a\"", offset: 8, length: 1),
      Located(text: "age BETWEEN {1}", offset: 12, length: 3),
      Located(text: "foo:(x) == 1", offset: 0, length: 4, code: .unknownFunction),
      Located(text: "age", offset: 3, length: 0),
      Located(text: "(a == 1", offset: 7, length: 0),
      Located(text: "", offset: 0, length: 0),
      Located(text: "a == 1 b == 2", offset: 7, length: 1),
      Located(text: "a == {1,}", offset: 8, length: 1),
      Located(text: "'a' 'b' == c", offset: 4, length: 3),
      Located(text: "ANY ALL a == 1", offset: 4, length: 3),
      Located(text: "a == ANY b", offset: 5, length: 3),
      Located(text: "a ==[cc] b", offset: 6, length: 1),
      Located(text: "a == \"\\u12\"", offset: 6, length: 2),
      Located(text: "a == ANYKEY", offset: 5, length: 6, code: .unsupportedSyntax),
      Located(text: "a := 1", offset: 2, length: 2, code: .unsupportedSyntax),
      Located(text: "a == 1.", offset: 7, length: 0),
      Located(text: "a == $ x", offset: 5, length: 1),
      Located(text: "a == %@", offset: 5, length: 2),
      Located(text: "CAST(x, \"Nonsense\") == 1", offset: 8, length: 10, code: .unknownType),
      Located(text: "CAST(\"x\", \"NSDate\") == 1", offset: 5, length: 3, code: .badCast),
      Located(text: "modulus:by:(a) == 1", offset: 0, length: 11, code: .argumentCount),
      Located(text: "a \u{0} == 1", offset: 2, length: 1),
      Located(text: "\u{FEFF}a == 1", offset: 0, length: 3),
      Located(text: "a == 123456789012345678901234567890123456789", offset: 5, length: 39),
      Located(text: "SUBQUERY(a, $x, b.$x == 1).@count > 0", offset: 18, length: 2),
      Located(
        text: "distanceToLocation:fromLocation:(a, b) < 1", offset: 0, length: 32, code: .unsupportedFunction),
    ])
  func positions(_ expected: Located) throws {
    let error = try #require(parseError(expected.text))
    #expect(error.code == expected.code)
    #expect(error.offset == expected.offset)
    #expect(error.length == expected.length)
    #expect(error.source == expected.text)
  }

  @Test("PRD-207: the message of a missing value names the operator")
  func missingValue() throws {
    let error = try #require(parseError("salary >"))
    #expect(error.message.contains("expected a value after >"))
    #expect(error.expected == "a value after >")
  }

  @Test("PRD-207: an unclosed parenthesis names where it opened")
  func unclosedParenthesis() throws {
    #expect(try #require(parseError("(a == 1")).message.contains("opened at offset 0"))
  }

  @Test("PRD-205: line and column count from 1, columns in characters")
  func lineAndColumn() throws {
    let error = try #require(parseError("a == 'é' AND\n'ü' =="))
    #expect(error.line == 2)
    #expect(error.column == 7)
  }

  @Test(
    "PRD-208: frequent mistakes have a hint",
    arguments: [
      ("x IS NULL", "x == nil"), ("age BETWEEN 1 AND 5", "BETWEEN {a, b}"),
      ("age BETWEEN a AND b", "BETWEEN {a, b}"), ("x === y", "=="), ("x := y", "=="),
      ("name == “a”", "straight"), ("a IN [1, 2]", "IN {1, 2}"), ("a IN (1, 2)", "IN {1, 2}"),
      ("a % 2 == 0", "modulus:by:"), ("isActive", "key == YES"), ("TRUE", "TRUEPREDICATE"),
      ("FALSE", "FALSEPREDICATE"), ("", "TRUEPREDICATE"), ("a == %@", "$name"), ("a == CI", "[c]"),
    ])
  func hints(text: String, hint: String) throws {
    let error = try #require(parseError(text))
    #expect(error.hint?.contains(hint) == true, "\(error)")
  }

  @Test("PRD-182: an unknown function suggests near names")
  func nearFunctions() throws {
    #expect(try #require(parseError("averge:(x) == 1")).suggestions == ["average:"])
  }

  @Test("PRD-029: 500 levels parse, deeper nesting is refused, long chains are not")
  func depth() throws {
    #expect(
      parseError(String(repeating: "(", count: 490) + "a == 1" + String(repeating: ")", count: 490)) == nil)
    #expect(parseError(String(repeating: "(", count: 20_000) + "a == 1")?.code == .tooDeep)
    #expect(parseError(String(repeating: "NOT ", count: 20_000) + "a == 1")?.code == .tooDeep)
    #expect(parseError("a == " + String(repeating: "-", count: 20_000) + "b")?.code == .tooDeep)
    #expect(parseError("a == b" + String(repeating: " + b", count: 20_000))?.code == .tooDeep)
    #expect(parseError("a == b" + String(repeating: " ** b", count: 20_000))?.code == .tooDeep)
    #expect(parseError("a == b" + String(repeating: "[0]", count: 20_000))?.code == .tooDeep)
    #expect(parseError("a == " + String(repeating: "{", count: 20_000))?.code == .tooDeep)
    let chain = try QueryPredicate(parsing: "a == 1" + String(repeating: " OR a == 1", count: 99_999))
    guard case .or(let members) = chain else {
      Issue.record("an OR chain is one node")
      return
    }
    #expect(members.count == 100_000)
    #expect(try QueryPredicate(parsing: chain.predicateFormat) == chain)
  }
}
