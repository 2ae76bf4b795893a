extension Completer {
  /// What a predicate can go on with at the cursor.
  func predicate(_ word: Word, _ entity: String?) -> Completion {
    guard let entity else { return word.completion(of: [String]()) }
    let (tokens, typed, isInString) = PredicateTokens.split(word.text)
    guard !isInString else { return word.completion(of: [String]()) }
    if typed.hasPrefix("$") {
      return word.completion(
        of: settings.variables.map { "$" + $0.name } + source.variables.map { "$" + $0 }, replacing: typed)
    }
    switch PredicateTokens.expectation(after: tokens) {
    case .operand:
      let isQuantified = tokens.last.map(PredicateTokens.isQuantifier) ?? false
      return keyPathStep(
        typed, entity: entity, word: word, after: isQuantified ? [] : ["NOT", "ANY", "ALL", "NONE", "SELF"])
    case .operatorFor(let path):
      guard typed.isEmpty || !typed.contains(".") else { return word.completion(of: [String]()) }
      return word.completion(of: operators(for: path, entity), replacing: typed)
    case .value(let path):
      return value(for: path, word, typed: typed, entity: entity)
    case .connective:
      return word.completion(
        of: ["AND", "OR"] + (word.isRaw ? ["--sort", "--fields", "--limit"] : []), replacing: typed)
    }
  }

  private func operators(for path: String, _ entity: String) -> [String] {
    let steps = path.split(separator: ".").map(String.init)
    guard let place = resolve(steps, from: entity) else { return Self.comparisons }
    if place.isNumber { return Self.comparisons + ["BETWEEN", "IN"] }
    switch place.kind {
    case .attribute(.text)?:
      return [
        "==", "!=", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES", "IN", "<", "<=", ">", ">=",
      ]
    case .attribute(.number)?, .attribute(.date)?: return Self.comparisons + ["BETWEEN", "IN"]
    case .attribute(.boolean)?, .attribute(.data)?: return ["==", "!="]
    case .attribute(.identifier)?, .attribute(.other)?, .toOne?, .toMany?, nil: return ["==", "!=", "IN"]
    }
  }

  private static let comparisons = ["==", "!=", "<", "<=", ">", ">="]

  private func value(for path: String, _ word: Word, typed: String, entity: String) -> Completion {
    let steps = path.split(separator: ".").map(String.init)
    var names = settings.variables.map { "$" + $0.name } + source.variables.map { "$" + $0 }
    if let place = resolve(steps, from: entity), !place.isNumber {
      if case .attribute(.boolean)? = place.kind { names += ["true", "false"] }
      names.append("nil")
    }
    return keyPathStep(typed, entity: entity, word: word, before: names)
  }
}
