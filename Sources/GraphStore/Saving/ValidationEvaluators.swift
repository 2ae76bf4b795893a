import Foundation
import GraphStoreModel
import GraphStorePredicates

/// The predicates that a model has for attributes and relationships, each checked against what it is about and compiled when
/// it is first needed. Belongs to one context and is used where that is.
final class ValidationEvaluators {
  private var byProperty: [ObjectIdentifier: [PredicateEvaluator]] = [:]

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

  /// What the destination of a to-one, or the members of a to-many, break by the predicates of the relationship (REL-149).
  ///
  /// - Throws: ``QueryPredicateError`` for a predicate that does not fit the destination.
  func violations(
    of relationship: RelationshipDescription, _ destinations: [ManagedObject], in entity: EntityDescription
  ) throws -> [ValueViolation] {
    if relationship.validations.isEmpty { return [] }
    let evaluators = try evaluators(of: relationship)
    let now = Date()
    let subject: QueryOperand? =
      relationship.isToMany
      ? .collection(destinations.map { .source($0) }, isOrdered: relationship.isOrdered)
      : destinations.first.map { .source($0) }
    guard let subject else { return [] }
    return try zip(relationship.validations, evaluators).compactMap { validation, evaluator in
      evaluator.begin(now: now)
      if try evaluator.evaluate(subject) { return nil }
      return relationship.violation(of: validation, value: .null, in: entity)
    }
  }

  /// The predicates of a relationship; those of a to-many are about a collection, which has no entity to be checked against.
  private func evaluators(of relationship: RelationshipDescription) throws -> [PredicateEvaluator] {
    if let known = byProperty[ObjectIdentifier(relationship)] { return known }
    let evaluators = try relationship.validations.map { validation in
      guard !relationship.isToMany else { return try PredicateEvaluator(validation.predicate) }
      return try PredicateEvaluator(
        PredicateTypeChecker(entity: relationship.destination).check(validation.predicate))
    }
    byProperty[ObjectIdentifier(relationship)] = evaluators
    return evaluators
  }

  private func evaluators(of attribute: AttributeDescription) throws -> [PredicateEvaluator] {
    if let known = byProperty[ObjectIdentifier(attribute)] { return known }
    let evaluators = try attribute.validations.map { validation in
      let checker = PredicateTypeChecker(attribute: attribute, source: validation.text)
      return try PredicateEvaluator(checker.check(validation.predicate))
    }
    byProperty[ObjectIdentifier(attribute)] = evaluators
    return evaluators
  }
}
