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

/// Tokenizer of an unfinished predicate, as far as completion needs it.
enum PredicateTokens {
  /// What can come next.
  enum Expectation: Hashable, Sendable {
    case operand
    /// An operator that fits the key path.
    case operatorFor(String)
    /// Something to compare the key path with.
    case value(String)
    case connective
  }

  /// - Returns: the tokens before the word at the end, that word, and whether the text ends inside a string.
  static func split(_ text: String) -> (tokens: [String], typed: String, isInString: Bool) {
    var tokens: [String] = []
    var current = ""
    var quote: Character?
    var isEscaped = false
    for character in text {
      if let open = quote {
        current.append(character)
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == open {
          tokens.append(current)
          current = ""
          quote = nil
        }
        continue
      }
      if character == "'" || character == "\"" {
        if !current.isEmpty { tokens.append(current) }
        current = String(character)
        quote = character
      } else if character.isWhitespace {
        if !current.isEmpty { tokens.append(current) }
        current = ""
      } else if let last = current.last,
        isWord(last) != isWord(character) || isBracket(character) || isBracket(last)
      {
        tokens.append(current)
        current = String(character)
      } else {
        current.append(character)
      }
    }
    if let last = current.last, quote == nil, !isWord(last) {
      // Behind a symbol something new begins.
      tokens.append(current)
      current = ""
    }
    return (tokens, current, quote != nil)
  }

  static func expectation(after tokens: [String]) -> Expectation {
    var state = Expectation.operand
    var path = ""
    var lists = 0
    for token in tokens {
      let word = token.uppercased()
      if lists > 0 {
        if token == "}" { lists -= 1 } else if token == "{" { lists += 1 }
        state = lists == 0 ? .connective : .value(path)
        continue
      }
      switch word {
      case "AND", "OR", "&&", "||", "NOT", "!", "(", "ANY", "ALL", "NONE", "SOME": state = .operand
      case ")": state = .connective
      case "{":
        lists += 1
        state = .value(path)
      case _ where operators.contains(word): state = .value(path)
      case "[": continue
      default:
        switch state {
        case .operand:
          path = token
          state = .operatorFor(token)
        case .value: state = .connective
        case .operatorFor, .connective: continue
        }
      }
    }
    return state
  }

  static func isQuantifier(_ token: String) -> Bool {
    ["ANY", "ALL", "NONE", "SOME"].contains(token.uppercased())
  }

  private static let operators: Set<String> = [
    "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE",
    "MATCHES", "IN",
    "BETWEEN",
  ]

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_.@$".contains(character)
  }

  private static func isBracket(_ character: Character) -> Bool { "(){}[],".contains(character) }
}
