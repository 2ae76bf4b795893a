import Foundation
import GraphStorePredicates

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    let function: QueryFunction =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw PredicateTranslator.untranslatable("the operator \(op)")
      }
    return .expression(try translator.function(function, lhs, rhs))
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .expression(try translator.function(.divide, lhs, rhs))
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .expression(try translator.function(.divide, lhs, rhs))
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .expression(try translator.function(.modulus, lhs, rhs))
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .expression(.function(.negate, try translator.expression(wrapped)))
  }
}

extension PredicateTranslator {
  fileprivate mutating func function(
    _ function: QueryFunction, _ left: some PredicateExpression, _ right: some PredicateExpression
  ) throws(QueryPredicateError) -> QueryExpression {
    .function(function, try expression(left), try expression(right))
  }
}
