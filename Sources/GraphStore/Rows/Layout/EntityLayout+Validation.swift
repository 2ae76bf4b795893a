import GraphStoreModel
import GraphStorePredicates

extension EntityLayout {
  /// The attributes of a row, written without an object, that break a rule of the model; transient ones have
  /// no values there.
  package func attributeFailures(_ row: Row, _ evaluators: ValidationPredicates) throws -> [GraphStoreError] {
    var failures = unheldDemands.isEmpty ? [] : unheldFailures(nil)
    try validateAttributes(of: row, skippingTransient: true, objectID: nil, evaluators: evaluators, &failures)
    return failures
  }

  /// Validates the attributes of a row by the model's rules; what breaks one is added to the failures.
  ///
  /// Identifier and evaluators are made only where a value is not certainly allowed.
  @inline(__always)
  package func validateAttributes(
    of row: Row, skippingTransient: Bool = false, objectID: @autoclosure () -> ManagedObjectID?,
    evaluators: @autoclosure () -> ValidationPredicates, _ failures: inout [GraphStoreError]
  ) throws {
    for index in checks.indices where !checks[index].passes(row) {
      let check = checks[index]
      if skippingTransient, check.attribute.isTransient { continue }
      failures += try self.failures(of: properties[check.number], row, objectID: objectID(), evaluators())
    }
    for composite in composites where !(skippingTransient && !composite.isPersistent) {
      failures += try self.failures(of: composite, row, objectID: objectID(), evaluators())
    }
  }

  /// The failures of an attribute. A composite one without a value breaks nothing unless it is mandatory; of
  /// one that has a value each element is checked, and errors name its path (OBJ-297, OBJ-298).
  private func failures(
    of property: PropertyLayout, _ row: Row, objectID: ManagedObjectID?, _ evaluators: ValidationPredicates
  ) throws -> [GraphStoreError] {
    guard let attribute = property.attribute else { return [] }
    // Without a predicate that asks for it, no file is read.
    let value =
      attribute.constraints.checksPredicates ? try row.value(of: property) : try row.outline(of: property)
    let ofElements = try elementFailures(of: property, value) { element in
      try failures(of: element, row, objectID: objectID, evaluators)
    }
    return try ofElements + ownFailures(of: property, value, objectID: objectID, evaluators)
  }

  /// The failures of a value that an attribute may get.
  package func failures(
    of property: PropertyLayout, proposed value: Value, objectID: ManagedObjectID?,
    _ evaluators: ValidationPredicates
  ) throws -> [GraphStoreError] {
    var members: [String: Value] = [:]
    if case .dictionary(let given) = value { members = given }
    let ofElements = try elementFailures(of: property, value) { element in
      try failures(of: element, proposed: members[element.key] ?? .null, objectID: objectID, evaluators)
    }
    return try ofElements + ownFailures(of: property, value, objectID: objectID, evaluators)
  }

  /// The failures of the elements of a composite attribute that has a value.
  private func elementFailures(
    of property: PropertyLayout, _ value: Value, _ failures: (PropertyLayout) throws -> [GraphStoreError]
  ) rethrows -> [GraphStoreError] {
    property.kind == .composite && !value.isNull ? try property.elements.flatMap(failures) : []
  }

  /// The failures of a value by the rules of the attribute itself.
  private func ownFailures(
    of property: PropertyLayout, _ value: Value, objectID: ManagedObjectID?,
    _ evaluators: ValidationPredicates
  ) throws -> [GraphStoreError] {
    guard let attribute = property.attribute else { return [] }
    let hasElements = property.kind == .composite && !value.isNull
    var violations = hasElements ? [] : attribute.validate(value, in: entity)
    if !value.isNull { violations += try evaluators.violations(of: attribute, value: value, in: entity) }
    return violations.map { GraphStoreError($0, of: property, in: entity, objectID: objectID) }
  }

  /// The failures of a new object for want of values that cannot be set yet (OBJ-347).
  package func unheldFailures(_ objectID: ManagedObjectID?) -> [GraphStoreError] {
    unheldDemands.map { attribute in
      GraphStoreError(
        .validation,
        "\(entity.name).\(attribute.name) must have a value, and \(attribute.type.rawValue) values cannot be set yet.",
        remedy: "Make the attribute optional in the model, or of another type.",
        number: ValueViolation.Code.missingMandatoryProperty.rawValue, entity: entity.name,
        property: attribute.name, objectID: objectID)
    }
  }

  /// Whether a save has rules about the objects that a relationship leads to: how many, or predicates.
  package func limitsLinks(of relationship: RelationshipLayout) -> Bool {
    relationship.isConstrained || relationship.hasRules
      || (relationship.isToMany && relationship.description.maxCount > 0)
  }
}
