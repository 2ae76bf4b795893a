import GraphStoreModel
import GraphStorePredicates

extension EntityLayout {
  /// The attributes of a row that break a rule of the model, as a save of its object would report them; without transient
  /// ones, since rows that are written without an object have no such values.
  func attributeFailures(_ row: Row, _ evaluators: ValidationEvaluators) throws -> [GraphStoreError] {
    var failures = unheldDemands.isEmpty ? [] : unheldFailures(nil)
    for check in checks where !check.passes(row) && !check.attribute.isTransient {
      let isNull = row.block.isNull(row.index, check.slot)
      let attribute = check.attribute
      let value = row.value(of: properties[check.number])
      var violations = attribute.validate(value, in: entity)
      if !isNull { violations += try evaluators.violations(of: attribute, value: value, in: entity) }
      failures += violations.map { violation in
        GraphStoreError(
          .validation, violation.message, remedy: "Give a value that the model allows.",
          number: violation.code.rawValue, entity: entity.name, property: attribute.name,
          value: violation.value)
      }
    }
    return failures
  }

  /// The failures of a new object for want of values that cannot be set yet (OBJ-347).
  func unheldFailures(_ objectID: ManagedObjectID?) -> [GraphStoreError] {
    unheldDemands.map { attribute in
      GraphStoreError(
        .validation,
        "\(entity.name).\(attribute.name) must have a value, and \(attribute.type.rawValue) values cannot be set yet.",
        remedy: "Make the attribute optional in the model, or of another type.",
        number: ValueViolation.Code.missingMandatoryProperty.rawValue, entity: entity.name,
        property: attribute.name, objectID: objectID)
    }
  }

  /// Whether a save has rules about how many objects a relationship leads to.
  func constrainsCount(of relationship: RelationshipLayout) -> Bool {
    relationship.isConstrained || (relationship.isToMany && relationship.description.maxCount > 0)
  }
}
