/// A point in time kept as text.
enum DateAsTextRule: LintRule {
  static let rule = ModelRule(
    "date-as-text", "A string attribute is named like a date.",
    reason: "Text sorts and compares as text: ranges, order and time zones depend on how it was written.",
    remedy: "Make it a date.")

  private static let lastWords: Set<String> = ["date", "datetime", "timestamp"]

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for attribute in model.attributes
    where attribute.definition.type == .string && attribute.definition.derivation == nil
      && !attribute.definition.isTransient
    {
      let words = NameWords.words(of: attribute.definition.name)
      guard let last = words.last else { continue }
      let isMoment = last == "at" && words.count > 1 && words[words.count - 2].hasSuffix("ed")
      guard lastWords.contains(last) || isMoment else { continue }
      report.add(at: attribute.path, "\(attribute.label) is named like a date and is a string.")
    }
  }
}
