/// An attribute whose values objects do not hold yet.
enum ValuesNotSupportedRule: LintRule {
  static let rule = ModelRule(
    "values-not-supported", "An attribute is of a type whose values cannot be set or read yet.",
    reason: "Stores have its columns, and leave them as they are: new objects have no value there.",
    remedy: "Keep what has to be read and written in attributes of other types.", scope: .support)

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for attribute in model.attributes
    where !attribute.isElement && !attribute.definition.type.isHeldByObjects {
      let type = attribute.definition.type.rawValue
      report.add(
        at: attribute.path,
        isDemanded(attribute.definition)
          ? "\(attribute.label) is \(type), whose values cannot be set or read yet, and mandatory: no object can be inserted."
          : "\(attribute.label) is \(type), whose values cannot be set or read yet.",
        remedy: isDemanded(attribute.definition) ? "Make it optional, or of another type." : nil)
    }
  }

  private static func isDemanded(_ attribute: AttributeDefinition) -> Bool {
    !attribute.isOptional && !attribute.isTransient && attribute.derivation == nil
  }
}
