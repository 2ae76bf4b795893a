/// A number that may be missing (MDL-347).
///
/// A derived or transient number is computed, and of a unique one no value means that it takes no part in the constraint.
enum OptionalNumberRule: LintRule {
  static let rule = ModelRule(
    "optional-number", "An attribute of a number type is optional.",
    reason: "A missing number is not 0: it is in no range, sums leave it out, and a search for 0 misses it.",
    remedy:
      "Nothing, if a missing value has a meaning of its own; else make it mandatory, with a default if one is right for every object.",
    isOptIn: true)

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for attribute in model.attributes {
      let definition = attribute.definition
      guard definition.type.isNumber, definition.isOptional, !attribute.isElement,
        definition.derivation == nil,
        !definition.isTransient, !isUnique(attribute, in: model)
      else { continue }
      report.add(at: attribute.path, "\(attribute.label) is \(phrase(definition.type)) that may be missing.")
    }
  }

  private static func phrase(_ type: AttributeType) -> String {
    NullifyIntoMandatoryRule.article(type.rawValue)
  }

  private static func isUnique(_ attribute: LintedModel.Attribute, in model: LintedModel) -> Bool {
    model.family(of: attribute.entity).contains { entity in
      model.definition.entities[entity].uniquenessConstraints.contains {
        $0.contains(attribute.definition.name)
      }
    }
  }
}
