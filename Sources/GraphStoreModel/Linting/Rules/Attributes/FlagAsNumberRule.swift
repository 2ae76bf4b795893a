/// A yes or no kept as a number.
enum FlagAsNumberRule: LintRule {
  static let rule = ModelRule(
    "flag-as-number", "A whole-number attribute is named like a yes or no.",
    reason: "Any number can be stored there, and a predicate must know which of them mean yes.",
    remedy: "Make it a boolean.")

  private static let firstWords: Set<String> = ["is", "has", "can", "should", "was"]

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for attribute in model.attributes where attribute.definition.type.isInteger {
      let words = NameWords.words(of: attribute.definition.name)
      guard words.count > 1, firstWords.contains(words[0]), words.last != "count" else { continue }
      report.add(
        at: attribute.path,
        "\(attribute.label) is named like a yes or no and is an \(attribute.definition.type.rawValue).")
    }
  }
}
