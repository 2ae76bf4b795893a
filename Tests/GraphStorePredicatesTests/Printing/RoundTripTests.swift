import Foundation
import GraphStorePredicates
import Testing

/// An identifier of a store, as a tree that was not read from text may hold it.
private struct StoredIdentifier: ObjectIdentifying {
  let number: Int
  var uriText: String { "x-coredata://a/E/p\(number)" }
}

/// Makes random trees.
struct TreeGenerator {
  var random: SeededGenerator

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func predicate(_ depth: Int) -> QueryPredicate {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 5), using: &random) {
    case 0: return .constant(Bool.random(using: &random))
    case 5: return .and([predicate(depth - 1), predicate(depth - 1), predicate(depth - 1)])
    case 6: return .or([predicate(depth - 1), predicate(depth - 1)])
    case 7: return .not(predicate(depth - 1))
    case 8: return pick([.and([]), .or([])])
    case 9: return Bool.random(using: &random) ? .and([predicate(depth - 1)]) : .or([predicate(depth - 1)])
    default: return comparison(depth)
    }
  }

  mutating func comparison(_ depth: Int) -> QueryPredicate {
    let comparator = pick(QueryComparison.Operator.allCases)
    let right: QueryExpression =
      comparator == .between
      ? QueryExpression(.aggregate([expression(depth - 1), expression(depth - 1)])) : expression(depth - 1)
    return .compare(
      expression(depth - 1), comparator, right,
      options: QueryComparison.Options(rawValue: UInt8.random(in: 0..<16, using: &random)),
      modifier: pick([.direct, .direct, .any, .all]))
  }

  mutating func value() -> Value {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .int(Int64.random(in: .min ... .max, using: &random))
    case 3: return .int(Int64.random(in: -3...3, using: &random))
    case 4: return .double(Double(bitPattern: random.next()).isNaN ? 0.5 : Double(bitPattern: random.next()))
    case 5: return .decimal(Decimal(Int64.random(in: .min ... .max, using: &random)) / 1000)
    case 6:
      let seconds = Double.random(in: -1e9...1e9, using: &random)
      return .date(
        Date(timeIntervalSinceReferenceDate: pick([seconds, seconds, .infinity, -.infinity, .nan])))
    case 7: return .uuid(uuid())
    case 8: return .data(Data([1, 2, UInt8.random(in: 0...255, using: &random)]))
    case 9:
      let number = Int.random(in: 1...9, using: &random)
      return .object(
        Bool.random(using: &random)
          ? ObjectReference(StoredIdentifier(number: number))
          : ObjectReference(UnresolvedObjectIdentifier(uriText: "x-coredata://a/E/p\(number)")))
    case 10: return .list([value(), value()])
    default: return .string(pick(["", "a'b\"c\\", "\n\t\u{7}", "é e\u{301} 😀", "$x %@", "\\d+"]))
    }
  }

  private mutating func uuid() -> UUID {
    var bytes = UUID().uuid
    withUnsafeMutableBytes(of: &bytes) {
      for index in $0.indices { $0[index] = UInt8.random(in: 0...255, using: &random) }
    }
    return UUID(uuid: bytes)
  }

  mutating func keyPath(_ base: QueryExpression?) -> QueryExpression {
    var steps: [QueryKeyPath.Step] = [
      .key(pick(["name", "in", "größe", "first", "size", "union", "YES", "_x1"]))
    ]
    if Bool.random(using: &random) { steps.append(.key(pick(["in", "SELF", "self", "a"]))) }
    if Bool.random(using: &random) { steps.append(.variable("K")) }
    if Bool.random(using: &random) { steps.append(.collectionOperator(pick(["count", "sum"]))) }
    return QueryExpression(.keyPath(QueryKeyPath(base: base, steps: steps)))
  }

  mutating func expression(_ depth: Int) -> QueryExpression {
    guard depth > 0 else {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .evaluatedObject
      case 1: return .variable(pick(["x", "SIZE"]))
      case 2: return keyPath(nil)
      default: return QueryExpression(.constant(value()))
      }
    }
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return expression(0)
    case 12:
      return QueryExpression(.cast(.constant(pick(["12", "-1.5"])), pick([.number, .decimal, .string])))
    case 13:
      return QueryExpression(
        .fetch(request: expression(depth - 1), context: .variable("c"), countOnly: expression(0)))
    case 1: return keyPath(expression(depth - 1))
    case 2, 3, 4:
      let function = pick(QueryFunction.allCases)
      let count = min(function.arity.upperBound, max(function.arity.lowerBound, 2))
      return QueryExpression(.function(function, (0..<count).map { _ in expression(depth - 1) }))
    case 5:
      return QueryExpression(
        .call(target: expression(depth - 1), name: "frob:", arguments: [expression(depth - 1)]))
    case 6: return QueryExpression(.cast(keyPath(nil), pick(QueryCastType.allCases)))
    case 7: return QueryExpression(.aggregate([expression(depth - 1), expression(0)]))
    case 8:
      return QueryExpression(
        .subquery(collection: expression(depth - 1), variable: "s", predicate: predicate(depth - 1)))
    case 9:
      return QueryExpression(
        .ternary(
          condition: predicate(depth - 1), then: expression(depth - 1), otherwise: expression(depth - 1)))
    case 10:
      return QueryExpression(
        .index(expression(depth - 1), pick([.first, .last, .size, .at(expression(depth - 1))])))
    default:
      return QueryExpression(
        .setOperation(pick(QuerySetOperator.allCases), expression(depth - 1), expression(depth - 1)))
    }
  }
}

@Suite struct RoundTripTests {
  @Test(
    "PRD-194: random trees print as text that reads back to an equal tree and prints the same again",
    arguments: TestSeed.sequence(2, from: 194))
  func randomTrees(seed: TestSeed) throws {
    var generator = TreeGenerator(random: seed.generator)
    for _ in 0..<1_000 {
      let predicate = generator.predicate(4)
      let text = predicate.predicateFormat
      let read = try? QueryPredicate(parsing: text)
      #expect(read == predicate, "\(seed): \(text)")
      #expect(read?.predicateFormat == text, "\(seed)")
      #expect(try QueryPredicate(parsing: predicate.indentedFormat) == predicate, "\(seed): \(text)")
      if read != predicate { return }
    }
  }
}
