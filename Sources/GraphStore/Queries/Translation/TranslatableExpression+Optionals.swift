import Foundation
import GraphStorePredicates

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

/// `??`: a value is chosen, and a condition holds where there is a value or has the given answer where there is none.
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
