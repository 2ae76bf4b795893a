import Foundation
import GraphStorePredicates

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    let collection = try translator.expression(sequence)
    let member = try translator.expression(element)
    if collection.constantValue != nil { return .predicate(.compare(member, .in, collection)) }
    return .predicate(.compare(collection, .contains, member))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    try translator.members(of: sequence, variable, .any, test)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    try translator.members(of: sequence, variable, .all, test)
  }
}

extension PredicateTranslator {
  fileprivate mutating func members<Member>(
    of sequence: some PredicateExpression, _ variable: PredicateExpressions.Variable<Member>,
    _ quantifier: Quantifier, _ test: some PredicateExpression
  ) throws(QueryPredicateError) -> TranslatedPart {
    let collection = try expression(sequence)
    return try withMember(variable) { translator, name throws(QueryPredicateError) in
      .predicate(
        .quantified(quantifier, over: collection, variable: name, test: try translator.predicate(test)))
    }
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    let collection = try translator.expression(sequence)
    return try translator.withMember(variable) { translator, name throws(QueryPredicateError) in
      .expression(.members(of: collection, variable: name, where: try translator.predicate(filter)))
    }
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .expression(.function(.max, try translator.expression(elements)))
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .expression(.function(.min, try translator.expression(elements)))
  }
}

/// `collection[position]`, of a collection that counts from 0.
extension PredicateExpressions.CollectionIndexSubscript: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    guard Index.Output.self == Int.self else {
      throw PredicateTranslator.untranslatable("a position of type \(Index.Output.self)")
    }
    let collection = try translator.expression(wrapped)
    return .expression(QueryExpression(.index(collection, .at(try translator.expression(index)))))
  }
}

// MARK: Ranges

extension PredicateExpressions.Range: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .range(
      lower: try translator.expression(lower), upper: try translator.expression(upper), includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    .range(
      lower: try translator.expression(lower), upper: try translator.expression(upper), includesUpper: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart {
    guard case .range(let lower, let upper, let includesUpper) = try translator.part(range) else {
      throw PredicateTranslator.untranslatable("a range of type \(RangeExpression.Output.self)")
    }
    let value = try translator.expression(element)
    if let lower, let upper, includesUpper {
      return .predicate(.compare(value, .between, QueryExpression(.aggregate([lower, upper]))))
    }
    let tests = [
      lower.map { QueryPredicate.compare(value, .greaterOrEqual, $0) },
      upper.map { QueryPredicate.compare(value, includesUpper ? .lessOrEqual : .less, $0) },
    ]
    return .predicate(.all(of: tests.compactMap(\.self)))
  }
}

/// A range that a predicate captures.
protocol BoundedRange {
  var lower: Any? { get }
  var upper: Any? { get }
  var includesUpper: Bool { get }
}

extension Range: BoundedRange {
  var lower: Any? { lowerBound }
  var upper: Any? { upperBound }
  var includesUpper: Bool { false }
}

extension ClosedRange: BoundedRange {
  var lower: Any? { lowerBound }
  var upper: Any? { upperBound }
  var includesUpper: Bool { true }
}

extension PartialRangeFrom: BoundedRange {
  var lower: Any? { lowerBound }
  var upper: Any? { nil }
  var includesUpper: Bool { false }
}

extension PartialRangeUpTo: BoundedRange {
  var lower: Any? { nil }
  var upper: Any? { upperBound }
  var includesUpper: Bool { false }
}

extension PartialRangeThrough: BoundedRange {
  var lower: Any? { nil }
  var upper: Any? { upperBound }
  var includesUpper: Bool { true }
}
