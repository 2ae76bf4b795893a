import Foundation
import GraphStoreModel
import GraphStorePredicates

/// The predicates that a model has for attributes and relationships, each checked against what it is about
/// and compiled when it is first needed. Belongs to one context and is used where that is.
package final class ValidationPredicates {
  private var byProperty: [ObjectIdentifier: [PredicateEvaluator]] = [:]

  package init() {}

  /// The violations of a value that is not nil.
  ///
  /// - Throws: ``QueryPredicateError`` for a predicate that does not fit the attribute's type.
  package func violations(
    of attribute: AttributeDescription, value: Value, in entity: EntityDescription
  ) throws -> [ValueViolation] {
    if attribute.validations.isEmpty { return [] }
    let evaluators = try evaluators(of: attribute) { validation in
      try PredicateTypeChecker(attribute: attribute, source: validation.text).check(validation.predicate)
    }
    return try zip(attribute.validations, evaluators)
      .filter { try !$1.evaluate(.value(value)) }
      .map { attribute.violation(of: $0.0, value: value, in: entity) }
  }

  /// The violations of the relationship's predicates by the destination of a to-one, or the members of a
  /// to-many (REL-149).
  ///
  /// Predicates of a to-many are about a collection, which has no entity that they could be checked against.
  ///
  /// - Throws: ``QueryPredicateError`` for a predicate that does not fit the destination.
  package func violations(
    of relationship: RelationshipDescription, _ destinations: [some PropertySource],
    in entity: EntityDescription
  ) throws -> [ValueViolation] {
    if relationship.validations.isEmpty { return [] }
    let subject: QueryOperand? =
      relationship.isToMany
      ? .collection(destinations.map { .source($0) }, isOrdered: relationship.isOrdered)
      : destinations.first.map { .source($0) }
    guard let subject else { return [] }
    let evaluators = try evaluators(of: relationship) { validation in
      relationship.isToMany
        ? validation.predicate
        : try PredicateTypeChecker(entity: relationship.destination).check(validation.predicate)
    }
    return try zip(relationship.validations, evaluators)
      .filter { try !$1.evaluate(subject) }
      .map { relationship.violation(of: $0.0, value: .null, in: entity) }
  }

  /// The evaluators of a property's predicates, at the beginning of a pass, for which `now()` is one time.
  private func evaluators(
    of property: PropertyDescription, checkedBy check: (PropertyValidation) throws -> QueryPredicate
  ) throws -> [PredicateEvaluator] {
    let evaluators =
      try byProperty[ObjectIdentifier(property)]
      ?? property.validations.map { try PredicateEvaluator(check($0)) }
    byProperty[ObjectIdentifier(property)] = evaluators
    let now = Date()
    for evaluator in evaluators { evaluator.begin(now: now) }
    return evaluators
  }
}
