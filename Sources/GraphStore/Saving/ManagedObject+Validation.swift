import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ManagedObject {
  /// Checks every property against the model, and against the class's own rules.
  ///
  /// - Throws: the failure, or one error of code 1560 that holds them all.
  final func validateProperties() throws {
    var failures: [GraphStoreError] = []
    try collectAttributeFailures(&failures)
    try collectRelationshipFailures(&failures)
    if hasOwnClass { collectClassFailures(&failures) }
    if let error = GraphStoreError.combining(failures) { throw error }
  }

  private func collectAttributeFailures(_ failures: inout [GraphStoreError]) throws {
    if state.contains(.inserted), !layout.unheldDemands.isEmpty {
      failures += layout.unheldFailures(objectID)
    }
    // An object that was changed only in a to-many needs its values for no rule (OBJ-339).
    guard let row = currentRow else { return }
    try layout.validateAttributes(
      of: row, objectID: objectID, evaluators: context?.validationEvaluators ?? ValidationPredicates(),
      &failures)
    if layout.hasValuesBesideRows { collectFailuresBesideRow(&failures) }
  }

  /// The failures of values that are not stored in the row as they are.
  private func collectFailuresBesideRow(_ failures: inout [GraphStoreError]) {
    for property in layout.properties where property.kind == .undefined && !property.isOptional {
      guard extra?.decoded[property.number] == nil, let attribute = property.attribute else { continue }
      failures += attribute.validate(.null, in: entity).map { failure($0, property) }
    }
    let untransformed = untransformedFailures()
    if untransformed.isEmpty { return }
    // A value was set, and is not missing.
    let names = Set(untransformed.compactMap(\.property))
    failures.removeAll { names.contains($0.property ?? "") }
    failures += untransformed
  }

  private func collectRelationshipFailures(_ failures: inout [GraphStoreError]) throws {
    let countsMembers = context?.validation.postponesRelationshipRules != true
    for relationship in layout.relationships {
      let property = layout.properties[relationship.number]
      if relationship.isToMany {
        guard countsMembers else { continue }
        guard state.contains(.inserted) || isChangedToMany(relationship) else { continue }
        if relationship.isConstrained || relationship.description.maxCount > 0,
          let error = failure(of: relationship, count: try memberCount(of: relationship))
        {
          failures.append(error)
        }
        if relationship.hasRules {
          failures += try ruleFailures(of: relationship, members(of: relationship))
        }
      } else if let row = currentRow {
        let reference = row.reference(relationship.slot)
        if reference == nil, countsMembers, !relationship.description.isOptional {
          if let error = failure(of: relationship, count: 0) { failures.append(error) }
        }
        if reference != nil, let destination = knownDestination(relationship.ordinal),
          isLost(destination, property)
        {
          failures.append(danglingFailure(destination, property))
        } else if relationship.hasRules, countsMembers, let destination = try object(of: relationship) {
          failures += try ruleFailures(of: relationship, [destination])
        }
      }
    }
  }

  /// The failures of a relationship by the predicates that the model has for it (REL-149).
  final func ruleFailures(
    of relationship: RelationshipLayout, _ destinations: [ManagedObject]
  ) throws -> [GraphStoreError] {
    let evaluators = context?.validationEvaluators ?? ValidationPredicates()
    return try evaluators.violations(of: relationship.description, destinations, in: entity)
      .map { failure($0, layout.properties[relationship.number]) }
  }

  /// The number of members; those of all changed objects are read with the first that are not there
  /// (REL-145).
  private func memberCount(of relationship: RelationshipLayout) throws -> Int {
    if !toMany(relationship).isResolved { try context?.resolve(relationship, validatedWith: self) }
    return try members(of: relationship).count
  }

  final func isChangedToMany(_ relationship: RelationshipLayout) -> Bool {
    (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.hasChanges ?? false
  }

  /// A reference, newly set, to an object that is deleted or has left the context (REL-305).
  final func danglingFailure(_ destination: ManagedObject, _ property: PropertyLayout) -> GraphStoreError {
    var error = GraphStoreError(
      .validation,
      "\(entity.name).\(property.name) of \(objectID.shortForm) leads to \(destination.objectID.shortForm), which is deleted.",
      remedy: "Point it elsewhere, or set it to nil.", number: 1550, entity: entity.name,
      property: property.name, objectID: objectID)
    error.relatedObjects = [destination.objectID]
    return error
  }

  /// Whether an object is deleted; one whose deletion was saved before matters only where it was newly set.
  private func isLost(_ destination: ManagedObject, _ property: PropertyLayout) -> Bool {
    if destination.state.contains(.inaccessible) || isDenied(destination, property) { return false }
    if !destination.state.isDisjoint(with: [.deleted, .invalidated]) { return true }
    guard destination.state.contains(.detached) else { return false }
    return state.contains(.inserted) || extra?.written.contains(property.number) == true
  }

  /// Whether a save refuses the deletion of an object because this one refers to it: one error says so
  /// (REL-195).
  private func isDenied(_ destination: ManagedObject, _ property: PropertyLayout) -> Bool {
    guard let denials = context?.validation.denials?[destination], property.relationship >= 0 else {
      return false
    }
    let inverse = layout.relationships[property.relationship].inverseDescription
    return denials.contains { $0.property == inverse?.name && $0.relatedObjects.contains(objectID) }
  }

  /// The failure of a relationship that has a number of members, or nil if that is allowed.
  final func failure(of relationship: RelationshipLayout, count: Int) -> GraphStoreError? {
    relationship.description.validate(count: count, in: entity).first.map {
      failure($0, layout.properties[relationship.number])
    }
  }

  private func failure(_ violation: ValueViolation, _ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(violation, of: property, in: entity, objectID: objectID)
  }
}
