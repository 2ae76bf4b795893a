import Foundation
import GraphStorePredicates
import Testing

@Suite struct TreeEqualityTests {
  private let leaf = QueryPredicate.compare(.key("a"), .equal, .constant(1))

  @Test("PRD-008, PRD-194: a compound of one member is that member, one of none a constant")
  func smallCompounds() throws {
    let pairs: [(QueryPredicate, QueryPredicate)] = [
      (.and([]), .constant(true)), (.or([]), .constant(false)), (.and([leaf]), leaf), (.or([leaf]), leaf),
      (.not(.and([.or([leaf])])), .not(leaf)),
      (.and([.or([leaf, .and([])])]), .or([leaf, .constant(true)])),
    ]
    for (built, plain) in pairs {
      #expect(built == plain)
      #expect(built.hashValue == plain.hashValue)
      #expect(built.predicateFormat == plain.predicateFormat)
      #expect(built.indentedFormat == plain.indentedFormat)
      #expect(try QueryPredicate(parsing: built.predicateFormat) == built)
    }
    #expect(QueryPredicate.and([leaf, leaf]) != .or([leaf, leaf]))
    #expect(QueryPredicate.not(.not(leaf)) != leaf)
    #expect(QueryPredicate.all(of: []) == .constant(true))
    #expect(QueryPredicate.any(of: [leaf]) == leaf)
  }

  @Test("PRD-034: parentheses keep nodes apart")
  func parentheses() throws {
    #expect(
      try QueryPredicate(parsing: "a == 1 AND (b == 2 AND c == 3)")
        != QueryPredicate(parsing: "a == 1 AND b == 2 AND c == 3"))
  }

  @Test("PRD-194, PRD-200: a cast of a constant is the constant it gives")
  func casts() throws {
    let built = QueryExpression(.cast(.constant("12"), .number))
    #expect(built == .constant(12))
    #expect(try QueryExpression(parsing: built.expressionFormat) == built)
    let bad = QueryPredicate.compare(.key("a"), .equal, QueryExpression(.cast(.constant("x"), .date)))
    let error = try #require(throws: QueryPredicateError.self) { try PredicateEvaluator(bad) }
    #expect(error.code == .badCast)
  }

  private struct Identifier: ObjectIdentifying {
    let number: Int
    var uriText: String { "x-coredata://S/E/p\(number)" }
  }

  @Test("PRD-194, PRD-200: an identifier that was printed and read back is equal to itself")
  func identifiers() throws {
    let predicate = QueryPredicate.compare(
      .evaluatedObject, .equal, .constant(Value.object(ObjectReference(Identifier(number: 12)))))
    let read = try QueryPredicate(parsing: predicate.predicateFormat)
    #expect(read == predicate)
    #expect(predicate == read)
    #expect(read.hashValue == predicate.hashValue)
    let other = try QueryPredicate(
      parsing: predicate.predicateFormat.replacingOccurrences(of: "p12", with: "p13"))
    #expect(other != predicate)
  }

  @Test("PRD-199: a decimal of 39 digits prints and reads back")
  func longDecimals() throws {
    let decimal = try #require(Decimal(string: "340282366920938463463374607431768211455"))
    let expression = QueryExpression(.constant(.decimal(decimal)))
    #expect(try QueryExpression(parsing: expression.expressionFormat) == expression)
  }

  @Test("PRD-021: keys of the same look but other scalars are other keys")
  func scalars() {
    #expect(QueryExpression.key("\u{E9}") != QueryExpression.key("e\u{301}"))
  }

  @Test("PRD-057: a dictionary is no argument, inside a list neither")
  func dictionaries() {
    let dictionary = Value.dictionary(["a": .int(1)])
    #expect(throws: QueryPredicateError.self) { try QueryPredicate("a == %@", dictionary) }
    #expect(throws: QueryPredicateError.self) { try QueryPredicate("a == %@", Value.list([dictionary])) }
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(QueryPredicate.compare(.key("a"), .equal, .constant(dictionary)))
    }
  }
}
