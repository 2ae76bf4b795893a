import Foundation
import GraphStorePredicates
import Testing

@Suite struct SubstitutionTests {
  @Test("PRD-176: a value that cannot be cast as the predicate says is an error, never a nil test")
  func badCast() throws {
    let predicate = try QueryPredicate(parsing: "born == CAST($from, 'NSDate')")
    let error = try #require(throws: QueryPredicateError.self) {
      try predicate.substituting(["from": "yesterday"])
    }
    #expect(error.code == .badCast)
    #expect(error.offset == 13)
    #expect(error.length == 5)
    #expect(error.subject == "\"yesterday\"")
  }

  @Test("PRD-176, PRD-194: a substituted cast is the constant it gives")
  func cast() throws {
    let predicate = try QueryPredicate(parsing: "born == CAST($from, 'NSDate')")
    let substituted = try predicate.substituting(["from": "2001-01-01T01:00:00Z"])
    #expect(try substituted == QueryPredicate(parsing: "born == CAST(3600, 'NSDate')"))
    #expect(try predicate.substituting(["from": Value.null]) == QueryPredicate(parsing: "born == nil"))
  }

  @Test("PRD-011, PRD-154: all names without a value are told, with the place of the first")
  func unbound() throws {
    let predicate = try QueryPredicate(parsing: "a == $b AND SUBQUERY(c, $d, $d == $e).@count == $f")
    let error = try #require(throws: QueryPredicateError.self) { try predicate.substituting(["f": 1]) }
    #expect(error.code == .unboundVariable)
    #expect(error.message == "No value is given for $b, $e.")
    #expect(error.offset == 5)
    #expect(error.length == 2)
    #expect(error.subject == predicate.predicateFormat)
  }

  @Test("PRD-148: a sub-query's variable hides a value of its name, and only inside the sub-query")
  func hidden() throws {
    let predicate = try QueryPredicate(parsing: "SUBQUERY($x, $x, $x.a == 1).@count == $x")
    #expect(
      try predicate.substituting(["x": 2]).predicateFormat == "SUBQUERY(2, $x, $x.a == 1).@count == 2")
  }

  @Test("PRD-011: extra names are ignored and a null is nil")
  func extra() throws {
    let predicate = try QueryPredicate(parsing: "a == $b")
    #expect(try predicate.substituting(["b": Value.null, "c": .int(1)]).predicateFormat == "a == nil")
  }

  @Test("PRD-284: a value that names no key is refused at its place")
  func badKey() throws {
    let predicate = try QueryPredicate(parsing: "a == 1 AND SELF.$k == 2")
    let error = try #require(throws: QueryPredicateError.self) { try predicate.substituting(["k": "a b"]) }
    #expect(error.code == .argumentType)
    #expect(error.offset == 11)
    #expect(try predicate.substituting(["k": "b.c"]).predicateFormat == "a == 1 AND b.c == 2")
  }
}
