import Foundation
import GraphStorePredicates
import Testing

/// Everything evaluation says of what it cannot evaluate, word for word.
@Suite struct EvaluationErrorTableTests {
  private func error(_ predicate: QueryPredicate) -> QueryPredicateError? {
    #expect(throws: QueryPredicateError.self) {
      let object = Value.dictionary([
        "one": .int(1), "list": .list([.int(1)]), "big": .list([.int(.max), .int(1)]), "s": .string("x"),
      ])
      let variables: [String: QueryOperand] = [
        "set": .collection([.value(.int(1))], isOrdered: false), "n": .value(.int(5)),
        "k": .value(.string("a b")),
      ]
      _ = try PredicateEvaluator(predicate, variables: variables).evaluate(.value(object))
    }
  }

  @Test(
    "PRD-205, PRD-211: predicates from text",
    arguments: [
      Refused(
        "a == $kk", "unbound-variable", 5, 3,
        "No value is given for $kk.", near: ["k"], subject: "$kk"),
      Refused(
        "a.$k == 1", "argument-type", 0, 4,
        "The variable $k stands for a key, but \"a b\" is no key path."),
      Refused(
        "one.x == 1", "unknown-key", 0, 5,
        "The value 1 has no key x.", subject: "x"),
      Refused(
        "s.x == 1", "unknown-key", 0, 3,
        "The value \"x\" has no key x.", subject: "x"),
      Refused(
        "a MATCHES '('", "bad-regular-expression", 10, 3,
        "The regular expression \"(\" does not compile: a ( is not closed, at its character 1.",
        hint: "Look for brackets that are not closed and for a lone backslash.", subject: "("),
      Refused(
        "a MATCHES 'x)'", "bad-regular-expression", 10, 4,
        "The regular expression \"x)\" does not compile: a ) closes no (, at its character 2.",
        hint: "Look for brackets that are not closed and for a lone backslash.", subject: "x)"),
      Refused(
        "FUNCTION(a, 'uppercaseStrin') == 1", "unknown-function", 0, 29,
        "No function uppercaseStrin is registered.", near: ["uppercaseString"],
        subject: "FUNCTION(a, \"uppercaseStrin\")"),
      Refused(
        "a UTI-EQUALS 'x'", "unsupported-function", 2, 10,
        "UTI-EQUALS cannot be evaluated, since there is no table of type identifiers.",
        subject: "a UTI-EQUALS \"x\""),
      Refused(
        "FETCH($n, $n, NO) == 1", "unsupported-function", 0, 17,
        "FETCH cannot run: no value is a request.",
        hint: "Run the request first and give its result as a variable.", subject: "FETCH($n, $n, NO)"),
      Refused(
        "list.@bogus.x == 1", "unknown-function", 0, 13,
        "There is no collection operator @bogus.", subject: "@bogus"),
      Refused(
        "list.@sum == 1", "invalid-key-path", 0, 9,
        "A key must follow @sum; write .self for the members themselves.", subject: "@sum"),
      Refused(
        "$set[0] == 1", "unordered-collection", 0, 7,
        "The collection has no order, so it has no position; only [SIZE] works."),
      Refused(
        "one BETWEEN $n", "type-mismatch", 12, 2,
        "BETWEEN wants a list of exactly two values on its right.", subject: "5"),
      Refused(
        "one BETWEEN list", "type-mismatch", 12, 4,
        "BETWEEN wants a list of exactly two values on its right.", subject: "{1}"),
      Refused(
        "normalize:with:(s, 'No Such') == 'a'", "unsupported-function", 19, 9,
        "\"No Such\" is no transform of text.", hint: "Write one such as \"Any-Latin; Latin-ASCII; Lower\".",
        subject: "\"No Such\""),
    ])
  func texts(_ refused: Refused) throws {
    refused.expect(error(try QueryPredicate(parsing: refused.text)))
  }

  @Test("PRD-042, PRD-281: a constant that is no pair of bounds is found before any value is seen")
  func bounds() throws {
    let predicate = try QueryPredicate(parsing: "a == 1 AND b BETWEEN $r")
    for list in [Value.list([.int(1)]), .list([.int(1), .int(2), .int(3)]), .int(5)] {
      let error = try #require(throws: QueryPredicateError.self) {
        try PredicateEvaluator(predicate, values: ["r": list])
      }
      #expect(error.code == .typeMismatch)
      #expect(error.offset == 21)
    }
    #expect(throws: Never.self) { try PredicateEvaluator(predicate, values: ["r": .null]) }
  }

  @Test("PRD-211: trees made in code")
  func trees() throws {
    Refused("", "bad-cast", nil, 0, "The constant \"x\" cannot be cast to NSDate.", subject: "\"x\"")
      .expect(error(.compare(.key("a"), .equal, QueryExpression(.cast(.constant("x"), .date)))))
    Refused("", "argument-count", nil, 0, "add:to: cannot take 1 argument.", subject: "add:to:(a)")
      .expect(error(.compare(.function(.add, .key("a")), .equal, .null)))
    var deep = QueryPredicate.constant(true)
    for _ in 0..<501 { deep = .not(deep) }
    Refused(
      "", "predicate-too-deep", nil, 0, "The predicate nests deeper than 500 levels; split it or use IN."
    )
    .expect(error(deep))
  }

  @Test("PRD-211: transforms of text")
  func transforms() {
    let error = #expect(throws: QueryPredicateError.self) { try TextNormalizer(transform: "No Such") }
    Refused(
      "", "unsupported-function", nil, 0, "\"No Such\" is no transform of text.",
      hint: "Write one such as \"Any-Latin; Latin-ASCII; Lower\".", subject: "\"No Such\""
    ).expect(error)
  }
}
