import Foundation
import GraphStorePredicates

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .predicate(.conjunction(try translator.predicate(lhs), try translator.predicate(rhs)))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .predicate(.disjunction(try translator.predicate(lhs), try translator.predicate(rhs)))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .predicate(.not(try translator.predicate(wrapped)))
  }
}

extension PredicateExpressions.Equal: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .predicate(try translator.part(lhs).isEqual(to: try translator.part(rhs), .equal))
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .predicate(try translator.part(lhs).isEqual(to: try translator.part(rhs), .notEqual))
  }
}

extension TranslatedPart {
  /// The comparison with another part; of a condition with a constant that condition or its opposite.
  fileprivate func isEqual(
    to other: TranslatedPart, _ comparator: QueryComparison.Operator
  ) throws(QueryPredicateError) -> QueryPredicate {
    guard case .predicate(.constant(let value)) = other else {
      return .compare(try expression, comparator, try other.expression)
    }
    let isWanted = value == (comparator == .equal)
    switch self {
    case .predicate(let predicate): return isWanted ? predicate : .not(predicate)
    case .optionalPredicate(let predicate, let presence):
      let test: QueryPredicate = .and([presence, value ? predicate : .not(predicate)])
      return comparator == .equal ? test : .not(test)
    case .expression, .range: return .compare(try expression, comparator, try other.expression)
    }
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    let comparator: QueryComparison.Operator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw PredicateTranslator.untranslatable("the comparison \(op)")
      }
    return .predicate(
      .compare(try translator.expression(lhs), comparator, try translator.expression(rhs)))
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    let condition = try translator.predicate(test)
    if Output.self == Bool.self {
      let then = try translator.predicate(trueBranch)
      let otherwise = try translator.predicate(falseBranch)
      return .predicate(.or([.and([condition, then]), .and([.not(condition), otherwise])]))
    }
    let then = try translator.expression(trueBranch)
    let otherwise = try translator.expression(falseBranch)
    return .expression(
      QueryExpression(.ternary(condition: condition, then: then, otherwise: otherwise)))
  }
}
