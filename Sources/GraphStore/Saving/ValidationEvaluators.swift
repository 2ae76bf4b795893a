import Foundation
import GraphStoreModel
import GraphStorePredicates

/// The predicates that a model has for attributes, each checked against its attribute's type and compiled when it is
/// first needed. Belongs to one context and is used where that is.
final class ValidationEvaluators {
  private var byAttribute: [ObjectIdentifier: [PredicateEvaluator]] = [:]

  /// What a value that is not nil breaks.
  ///
  /// - Throws: ``QueryPredicateError`` for a predicate that does not fit the attribute's type.
  func violations(
    of attribute: AttributeDescription, value: Value, in entity: EntityDescription
  ) throws -> [ValueViolation] {
    guard !attribute.validations.isEmpty else { return [] }
    let evaluators = try evaluators(of: attribute)
    let now = Date()
    return try zip(attribute.validations, evaluators).compactMap { validation, evaluator in
      evaluator.begin(now: now)
      if try evaluator.evaluate(.value(value)) { return nil }
      return attribute.violation(of: validation, value: value, in: entity)
    }
  }

  private func evaluators(of attribute: AttributeDescription) throws -> [PredicateEvaluator] {
    if let known = byAttribute[ObjectIdentifier(attribute)] { return known }
    let evaluators = try attribute.validations.map { validation in
      let checker = PredicateTypeChecker(attribute: attribute, source: validation.text)
      return try PredicateEvaluator(checker.check(validation.predicate))
    }
    byAttribute[ObjectIdentifier(attribute)] = evaluators
    return evaluators
  }
}
