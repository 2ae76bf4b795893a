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
  /// Words that turn those above into a quantity of something else.
  private static let others: Set<String> = [
    "rate", "ratio", "percent", "percentage", "factor", "index", "count",
  ]

  static func check(_ model: LintedModel, report: inout LintReport) {
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

/// A point in time kept as text.
enum DateAsTextRule: LintRule {
  static let rule = ModelRule(
    "date-as-text", "A string attribute is named like a date.",
    reason: "Text sorts and compares as text: ranges, order and time zones depend on how it was written.",
    remedy: "Make it a date.")

  private static let lastWords: Set<String> = ["date", "datetime", "timestamp"]

  static func check(_ model: LintedModel, report: inout LintReport) {
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

/// A yes or no kept as a number.
enum FlagAsNumberRule: LintRule {
  static let rule = ModelRule(
    "flag-as-number", "A whole-number attribute is named like a yes or no.",
    reason: "Any number can be stored there, and a predicate must know which of them mean yes.",
    remedy: "Make it a boolean.")

  private static let firstWords: Set<String> = ["is", "has", "can", "should", "was"]

  static func check(_ model: LintedModel, report: inout LintReport) {
    for attribute in model.attributes where attribute.definition.type.isInteger {
      let words = NameWords.words(of: attribute.definition.name)
      guard words.count > 1, firstWords.contains(words[0]), words.last != "count" else { continue }
      report.add(
        at: attribute.path,
        "\(attribute.label) is named like a yes or no and is an \(attribute.definition.type.rawValue).")
    }
  }
}

/// The words that a name is made of.
enum NameWords {
  /// The words of a name in lower case: `unitPrice`, `unit_price` and `UNIT_PRICE` are two.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var before: Character?
    let letters = Array(name)
    for (position, letter) in letters.enumerated() {
      let isBoundary =
        letter == "_"
        || letter.isUppercase
          && (before?.isUppercase != true || letters.dropFirst(position + 1).first?.isLowercase == true)
        || letter.isNumber != (before?.isNumber ?? letter.isNumber)
      if isBoundary, !word.isEmpty {
        words.append(word)
        word = ""
      }
      if letter != "_" { word += letter.lowercased() }
      before = letter
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
