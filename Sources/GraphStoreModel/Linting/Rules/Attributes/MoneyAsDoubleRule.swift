/// Money in binary floating point.
enum MoneyAsDoubleRule: LintRule {
  static let rule = ModelRule(
    "money-as-double", "An attribute that is named like money is a double or a float.",
    reason: "0.1 and most other cents have no exact binary form, so sums drift and equal amounts differ.",
    remedy: "Make it a decimal, or a whole number of cents.")

  private static let words: Set<String> = [
    "price", "prices", "amount", "cost", "costs", "salary", "wage", "fee", "fees", "balance", "payment",
    "revenue", "income", "budget", "money", "tax", "vat", "subtotal", "turnover", "expense", "profit",
    "credit", "debit", "dollars", "euros", "pounds",
  ]
  /// What makes a quantity of something else out of the words above.
  private static let others: Set<String> = [
    "rate", "ratio", "percent", "percentage", "factor", "index", "count",
  ]

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for attribute in model.attributes
    where attribute.definition.type == .double || attribute.definition.type == .float {
      let words = NameWords.words(of: attribute.definition.name)
      guard words.contains(where: Self.words.contains), !words.contains(where: others.contains) else {
        continue
      }
      report.add(
        at: attribute.path,
        "\(attribute.label) is named like an amount of money and is a \(attribute.definition.type.rawValue).")
    }
  }
}
