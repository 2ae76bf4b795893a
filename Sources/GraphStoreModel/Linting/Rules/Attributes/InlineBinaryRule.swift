/// Bytes that are always kept in the row (MDL-348).
enum InlineBinaryRule: LintRule {
  static let rule = ModelRule(
    "inline-binary", "A binary attribute lies in the row.",
    reason: "Large values make every row of the entity slow to read, also where they are not looked at.",
    remedy: "Move large values to an entity of their own, which is read only when it is asked for.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for attribute in model.attributes
    where attribute.definition.type == .binary && !attribute.definition.externalStorage
      && !attribute.definition.isTransient
    {
      report.add(at: attribute.path, "\(attribute.label) keeps its bytes in the row, however many they are.")
    }
  }
}
