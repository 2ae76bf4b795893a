import Foundation
import GraphStorePredicates

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
