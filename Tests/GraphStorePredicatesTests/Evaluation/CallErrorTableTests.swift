import Foundation
import GraphStorePredicates
import Testing

/// Everything that is said of calls, arguments, key paths and sort keys that are refused, word for word.
@Suite struct CallErrorTableTests {
  private struct Opaque: Sendable {}

  @Test(
    "PRD-182, PRD-211: functions and the forms with a syntax of their own",
    arguments: [
      Refused(
        "foo:(x) == 1", "unknown-function", 0, 4,
        "There is no function foo:."),
      Refused(
        "averge:(x) == 1", "unknown-function", 0, 7,
        "There is no function averge:.", near: ["average:"]),
      Refused(
        "distanceToLocation:fromLocation:(a, b) < 1", "unsupported-function", 0, 32,
        "The function distanceToLocation:fromLocation: has no meaning here."),
      Refused(
        "modulus:by:(a) == 1", "argument-count", 0, 11,
        "The function modulus:by: takes 2 arguments and is given 1."),
      Refused(
        "now(1) == 1", "argument-count", 0, 3,
        "The function now takes 0 arguments and is given 1."),
      Refused(
        "random(1, 2) == 1", "argument-count", 0, 6,
        "The function random takes 0 or 1 argument and is given 2."),
      Refused(
        "sum() == 1", "argument-count", 0, 3,
        "The function sum takes at least 1 argument and is given 0."),
      Refused(
        "castObject:toType:(a, b) == 1", "argument-count", 0, 18,
        "The function castObject:toType: takes a value and the name of a type in quotes."),
      Refused(
        "objectFrom:withIndex:(a) == 1", "argument-count", 0, 21,
        "The function objectFrom:withIndex: takes 2 arguments and is given 1."),
      Refused(
        "CAST(x) == 1", "predicate-syntax", 6, 1,
        "The text cannot be read on: expected a comma after the value to cast, but ) stands here."),
      Refused(
        "CAST(x, y) == 1", "predicate-syntax", 8, 1,
        "The text cannot be read on: expected the name of a type in quotes, but y stands here."),
      Refused(
        "CAST(x, 'Nonsense') == 1", "unknown-type", 8, 10,
        "There is no type Nonsense to cast to.",
        hint:
          "The types are NSNumber, NSDecimalNumber, NSString, NSDate, NSUUID, NSURL, NSData, NSManagedObjectID, Int, Double, Bool."
      ),
      Refused(
        "CAST(x, 'NSDat') == 1", "unknown-type", 8, 7,
        "There is no type NSDat to cast to.",
        hint:
          "The types are NSNumber, NSDecimalNumber, NSString, NSDate, NSUUID, NSURL, NSData, NSManagedObjectID, Int, Double, Bool.",
        near: ["NSDate", "NSData"]),
      Refused(
        "CAST('x', 'NSDate') == 1", "bad-cast", 5, 3,
        "The constant \"x\" cannot be cast to NSDate.", subject: "\"x\""),
      Refused(
        "TERNARY(a == 1) == 1", "predicate-syntax", 14, 1,
        "The text cannot be read on: expected a comma after the condition, but ) stands here."),
      Refused(
        "TERNARY(a == 1, b) == 1", "predicate-syntax", 17, 1,
        "The text cannot be read on: expected a comma after the value when true, but ) stands here."),
      Refused(
        "SUBQUERY(a) == 1", "predicate-syntax", 10, 1,
        "The text cannot be read on: expected a comma after the collection, but ) stands here."),
      Refused(
        "SUBQUERY(a, b, c == 1) == 1", "predicate-syntax", 12, 1,
        "The text cannot be read on: expected a variable such as $x, but b stands here."),
      Refused(
        "SUBQUERY(a, $x) == 1", "predicate-syntax", 14, 1,
        "The text cannot be read on: expected a comma after the variable, but ) stands here."),
      Refused(
        "SUBQUERY(a, $x, b.$x == 1).@count > 0", "predicate-syntax", 18, 2,
        "The variable $x of a sub-query stands for an object and cannot name a key."),
      Refused(
        "FUNCTION(a) == 1", "predicate-syntax", 10, 1,
        "The text cannot be read on: expected a comma after the target, but ) stands here."),
      Refused(
        "FUNCTION(a, b) == 1", "predicate-syntax", 12, 1,
        "The text cannot be read on: expected the name of a function in quotes, but b stands here."),
      Refused(
        "FETCH(a, b) == 1", "argument-count", 0, 5,
        "The function FETCH takes 3 arguments and is given 2."),
      Refused(
        "x name:[c] y", "predicate-syntax", 7, 1,
        "The text cannot be read on: expected a value after name:, but [ stands here."),
      Refused(
        "x name:", "predicate-syntax", 7, 0,
        "The text cannot be read on: expected a value after name:, but the text ends."),
      Refused(
        "x a:b: y", "predicate-syntax", 2, 4,
        "The text cannot be read on: expected a comparison operator, but a:b: stands here."),
    ])
  func calls(_ refused: Refused) throws {
    refused.expect(try #require(parseError(refused.text) as QueryPredicateError?))
  }

  @Test(
    "PRD-051, PRD-052, PRD-054, PRD-211: arguments of formats",
    arguments: [
      (
        Refused(
          "a == %@", "argument-count", 0, 7,
          "The format has 1 specifier and is given 0 arguments."), []
      ),
      (
        Refused(
          "a == %@", "argument-count", 0, 7,
          "The format has 1 specifier and is given 2 arguments."), [1, 2]
      ),
      (
        Refused(
          "a == '%@'", "argument-count", 0, 9,
          "The format has 0 specifiers and is given 1 argument.",
          hint: "What stands in quotes is literal text and is not substituted."), [1]
      ),
      (
        Refused(
          "a == %@", "argument-type", 5, 2,
          "Argument 1 for %@ is of type Opaque; give a value, a list of values or an expression."),
        [Opaque()]
      ),
      (
        Refused(
          "a == %d", "argument-type", 5, 2,
          "Argument 1 for %d is of type String; give an integer."), ["1"]
      ),
      (
        Refused(
          "a == %f", "argument-type", 5, 2,
          "Argument 1 for %f is of type String; give a number."), ["1"]
      ),
      (
        Refused(
          "a == %c", "argument-type", 5, 2,
          "Argument 1 for %c is of type String; give a string of one character or an integer."), ["xy"]
      ),
      (
        Refused(
          "a == %s", "argument-type", 5, 2,
          "Argument 1 for %s is of type Int; give a string."), [1]
      ),
      (
        Refused(
          "%K == 1", "argument-type", 0, 2,
          "Argument 1 for %K, \"a..b\", is no key path; give keys joined by dots."), ["a..b"]
      ),
      (
        Refused(
          "%K == 1", "argument-type", 0, 2,
          "Argument 1 for %K is of type Int; give a key path as text."), [3]
      ),
      (
        Refused(
          "a.%@ == 1", "argument-type", 2, 2,
          "Argument 1 for %@ is of type Int; give a key path as text."), [3]
      ),
      (
        Refused(
          "%@", "argument-type", 0, 2,
          "Argument 1 for %@ is of type Int; give a predicate or a Boolean where %@ stands alone."), [3]
      ),
      (
        Refused(
          "a == %5d", "predicate-syntax", 5, 1,
          "The text cannot be read on: expected a value after ==, but % stands here.",
          hint: "Write modulus:by:(a, b) for the remainder."), [1]
      ),
      (
        Refused(
          "a %% 2 == %@", "predicate-syntax", 2, 1,
          "The text cannot be read on: expected a comparison operator, but % stands here.",
          hint: "Write modulus:by:(a, b) for the remainder."), [1]
      ),
    ] as [(Refused, [any Sendable])])
  func formats(_ refused: Refused, arguments: [any Sendable]) {
    let error = #expect(throws: QueryPredicateError.self) {
      try QueryPredicate(refused.text, arguments: arguments.map { $0 as Any? })
    }
    refused.expect(error)
  }

  @Test("PRD-052, PRD-211: nil is no scalar argument")
  func missingArgument() {
    let error = #expect(throws: QueryPredicateError.self) { try QueryPredicate("a == %d", arguments: [nil]) }
    Refused("", "argument-type", 5, 2, "Argument 1 for %d is of type nil; give an integer.").expect(error)
  }

  @Test(
    "PRD-011, PRD-211: substitution",
    arguments: [
      (
        Refused(
          "a == $bc AND $d == 1", "unbound-variable", 5, 3,
          "No value is given for $bc, $d.", near: ["bd"], subject: "a == $bc AND $d == 1"), ["bd": .int(1)]
      ),
      (
        Refused(
          "a.$k == 1", "argument-type", 0, 4,
          "The variable $k stands for a key, but \"a b\" is no key path.", subject: "$k"),
        ["k": .string("a b")]
      ),
      (
        Refused(
          "CAST($x, 'NSDate') == 1", "bad-cast", 5, 2,
          "The constant \"soon\" cannot be cast to NSDate.", subject: "\"soon\""), ["x": .string("soon")]
      ),
    ] as [(Refused, [String: Value])])
  func substitution(_ refused: Refused, values: [String: Value]) {
    let error = #expect(throws: QueryPredicateError.self) {
      try QueryPredicate(parsing: refused.text).substituting(values)
    }
    refused.expect(error)
  }

  @Test("PRD-211: key paths", arguments: ["", "a..b", "a b", "@"])
  func keyPaths(text: String) {
    let error = #expect(throws: QueryPredicateError.self) { try QueryKeyPath(parsing: text) }
    Refused(
      text, "invalid-key-path", 0, text.utf8.count, "\"\(text)\" is no key path; write keys joined by dots."
    ).expect(error)
  }

  private static let modifiers =
    "asc, desc, nulls-first, nulls-last, compare, caseInsensitive, localized, localizedCaseInsensitive, "
    + "localizedStandard"

  @Test(
    "PRD-211, PRD-215, PRD-217: sort keys",
    arguments: [
      Refused(
        "", "predicate-syntax", 0, 0,
        "A sort key must be a key path or an expression; expected keys joined by dots."),
      Refused(
        "a,,b", "predicate-syntax", 2, 0,
        "A sort key must be a key path or an expression; expected keys joined by dots."),
      Refused(
        "a..b", "predicate-syntax", 0, 4,
        "A sort key must be a key path or an expression; expected keys joined by dots."),
      Refused(
        "-a:asc", "predicate-syntax", 3, 3,
        "The modifier asc repeats or contradicts what stands before it."),
      Refused(
        "a:desc:desc", "predicate-syntax", 7, 4,
        "The modifier desc repeats or contradicts what stands before it."),
      Refused(
        "a:compare:localized", "predicate-syntax", 10, 9,
        "The modifier localized repeats or contradicts what stands before it."),
      Refused(
        "a:asc:", "predicate-syntax", 6, 0, "A modifier must follow the colon.",
        hint: "The modifiers are \(modifiers)."),
      Refused(
        "a:frob", "unsupported-sort", 2, 4, "unsupported NSSortDescriptor selector: frob",
        hint: "The modifiers are \(modifiers); sort the result by anything else."),
      Refused(
        "a:localised", "unsupported-sort", 2, 9, "unsupported NSSortDescriptor selector: localised",
        hint: "The modifiers are \(modifiers); sort the result by anything else.", near: ["localized"]),
      Refused(
        "a:nulls-last:NULLS-FIRST", "predicate-syntax", 13, 11,
        "The modifier NULLS-FIRST repeats or contradicts what stands before it."),
      Refused("b,yaer:(at)", "unknown-function", 2, 5, "There is no function yaer:.", near: ["year:"]),
    ])
  func sorts(_ refused: Refused) {
    let error = #expect(throws: QueryPredicateError.self) {
      try QuerySortDescriptor.list(parsing: refused.text)
    }
    refused.expect(error)
  }

  @Test(
    "PRD-211, PRD-217: comparators",
    arguments: [
      Refused(
        "frob:", "unsupported-sort", nil, 0,
        "unsupported NSSortDescriptor selector: frob:",
        hint: "Sort the result in memory with a comparison of your own."),
      Refused(
        "localizedCompar:", "unsupported-sort", nil, 0,
        "unsupported NSSortDescriptor selector: localizedCompar:",
        hint: "Sort the result in memory with a comparison of your own.", near: ["localizedCompare:"]),
    ])
  func comparators(_ refused: Refused) {
    let error = #expect(throws: QueryPredicateError.self) {
      try QuerySortDescriptor.Comparator(selector: refused.text)
    }
    refused.expect(error)
  }
}
