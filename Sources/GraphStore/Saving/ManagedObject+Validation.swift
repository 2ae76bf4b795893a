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
    if type(of: self) != ManagedObject.self { try collectClassFailures(&failures) }
    if let error = GraphStoreError.combining(failures) { throw error }
  }

  private func collectAttributeFailures(_ failures: inout [GraphStoreError]) throws {
    if state.contains(.inserted), !layout.unheldDemands.isEmpty {
      failures += layout.unheldFailures(objectID)
    }
    // An object that was changed only in a to-many needs its values for no rule (OBJ-339).
    guard let row = currentRow else { return }
    try layout.validateAttributes(
      of: row, objectID: objectID, evaluators: context?.validationEvaluators ?? ValidationEvaluators(),
      &failures)
    if layout.hasValuesBesideRows { collectFailuresBesideRow(&failures) }
  }

  /// The failures of values that do not lie in the row as they are.
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
    let countsMembers = context?.postponesRelationshipRules != true
    for relationship in layout.relationships {
      let property = layout.properties[relationship.number]
      if relationship.isToMany {
        guard countsMembers else { continue }
        guard state.contains(.inserted) || isChangedToMany(relationship) else { continue }
        guard relationship.isConstrained || relationship.description.maxCount > 0 else { continue }
        if let error = failure(of: relationship, count: try members(of: relationship).count) {
          failures.append(error)
        }
      } else if let row = currentRow {
        let reference = row.reference(relationship.slot)
        if reference == nil, countsMembers, !relationship.description.isOptional {
          if let error = failure(of: relationship, count: 0) { failures.append(error) }
        }
        if reference != nil, let error = danglingFailure(relationship, property) { failures.append(error) }
      }
    }
  }

  private func isChangedToMany(_ relationship: RelationshipLayout) -> Bool {
    (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.hasChanges ?? false
  }

  /// A reference, newly set, to an object that is deleted or has left the context (REL-305).
  private func danglingFailure(_ relationship: RelationshipLayout, _ property: PropertyLayout)
    -> GraphStoreError?
  {
    guard let destination = relationshipIfTouched(relationship.ordinal) as? ManagedObject,
      isLost(destination, property)
    else { return nil }
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
    if destination.state.contains(.inaccessible) { return false }
    if !destination.state.isDisjoint(with: [.deleted, .invalidated]) { return true }
    guard destination.state.contains(.detached) else { return false }
    return state.contains(.inserted) || extra?.written.contains(property.number) == true
  }

  private func collectClassFailures(_ failures: inout [GraphStoreError]) throws {
    for (number, name) in layout.attributeNames {
      var proposed = ProposedValue(object: self, number: number)
      do {
        try validateProperty(name, value: &proposed)
      } catch {
        let property = layout.properties[number]
        failures.append(
          failure(error, property: property, value: currentRow.map { value(of: property, in: $0) } ?? .null))
        continue
      }
      if let replacement = proposed.replacement { try replace(number, by: replacement.value) }
    }
  }

  /// Puts in what the class wants instead of a value.
  private func replace(_ number: Int, by replacement: Any?) throws {
    guard let row = currentRow else { return }
    let property = layout.properties[number]
    guard !property.kind.needsObject else {
      if try differs(replacement, from: property, in: row) { try setStoredValue(replacement, of: property) }
      return
    }
    let candidate = try queryValue(replacement, property)
    if candidate != value(of: property, in: row) { try setAttribute(property, to: candidate) }
  }

  /// Whether a value that does not lie in one slot is another one than the object has.
  private func differs(_ replacement: Any?, from property: PropertyLayout, in row: Row) throws -> Bool {
    switch property.kind {
    case .transformable:
      let given = try replacement.map { try self.bytes(of: $0, property) } ?? Value.null
      return given != row.value(of: property)
    case .composite: return try differs(replacement, fromComposite: property, in: row)
    default:
      let known = extra?.decoded[property.number]
      if let left = replacement as? AnyHashable, let right = known as? AnyHashable { return left != right }
      // Values that cannot be compared are taken, and count as no change: they are in memory alone.
      ensureExtra().decoded[property.number] = replacement
      return false
    }
  }

  /// The failure of a relationship that has a number of members, or nil if that is allowed.
  final func failure(of relationship: RelationshipLayout, count: Int) -> GraphStoreError? {
    relationship.description.validate(count: count, in: entity).first.map {
      failure($0, layout.properties[relationship.number])
    }
  }

  private func failure(_ violation: ValueViolation, _ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(
      .validation, violation.message, remedy: "Give a value that the model allows.",
      number: violation.code.rawValue, entity: entity.name, property: property.name, objectID: objectID,
      value: violation.value)
  }

  private func failure(_ error: any Error, property: PropertyLayout, value: Value) -> GraphStoreError {
    if let error = error as? GraphStoreError { return error }
    return GraphStoreError(
      .validation, "\(entity.name).\(property.name): \(error)", remedy: "Give a value that the class allows.",
      number: 1550, entity: entity.name, property: property.name, objectID: objectID, value: value,
      underlying: error)
  }
}
