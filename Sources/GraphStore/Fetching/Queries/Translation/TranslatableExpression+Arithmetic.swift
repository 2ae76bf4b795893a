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

/// A text in another; of other collections the language knows single members only.
extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    try PredicateTranslator.checkText(Base.Output.self, "contains")
    return .predicate(
      .compare(try translator.expression(base), .contains, try translator.expression(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    try PredicateTranslator.checkText(Base.Output.self, "starts(with:)")
    return .predicate(
      .compare(try translator.expression(base), .beginsWith, try translator.expression(prefix)))
  }
}

/// A regular expression somewhere in a text: MATCHES is about the whole text.
extension PredicateExpressions.StringContainsRegex: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    guard let pattern = regex as? PredicateExpressions.Value<PredicateExpressions.PredicateRegex> else {
      throw PredicateTranslator.untranslatable("a regular expression that is no literal")
    }
    let anything = "(?s:.*)"
    let whole = "\(anything)(?:\(pattern.value.stringRepresentation))\(anything)"
    return .predicate(.compare(try translator.expression(subject), .matches, .constant(whole)))
  }
}

extension PredicateTranslator {
  fileprivate static func checkText(_ type: Any.Type, _ method: String) throws(QueryPredicateError) {
    guard type == String.self || type == Substring.self else {
      throw untranslatable("`\(method)` with a collection, of a value of type \(type)")
    }
  }
}
