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

/// `?.`: what is missing on the way makes the whole path nil, as in text.
extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    let optional = try translator.expression(wrapped)
    translator.bind(variable, to: optional)
    let presence = QueryPredicate.compare(optional, .notEqual, .null)
    switch try translator.part(transform) {
    case .predicate(let predicate): return .optionalPredicate(predicate, presence: presence)
    case .optionalPredicate(let predicate, let inner):
      return .optionalPredicate(predicate, presence: .and([presence, inner]))
    case let other: return other
    }
  }
}

/// `!`: a missing value is nil, and stops nothing.
extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    try translator.part(inner)
  }
}

/// `??`: a value is chosen, and a condition holds where there is a value or has the stated truth value where
/// there is none.
extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    let optional = try translator.part(lhs)
    guard case .optionalPredicate(let predicate, let presence) = optional else {
      let value = try optional.expression
      let otherwise = try translator.expression(rhs)
      return .expression(
        QueryExpression(
          .ternary(
            condition: .compare(value, .equal, .null), then: otherwise, otherwise: value)))
    }
    let present = QueryPredicate.and([presence, predicate])
    switch try translator.predicate(rhs) {
    case .constant(false): return .predicate(present)
    case .constant(true): return .predicate(.or([.not(presence), predicate]))
    case let otherwise: return .predicate(.or([present, .and([.not(presence), otherwise])]))
    }
  }
}
