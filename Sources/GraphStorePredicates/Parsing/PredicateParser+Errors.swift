extension PredicateParser {
  /// A syntax error at a token; an error of the lexer there takes precedence.
  func failure(
    _ message: String, at token: PredicateToken, expected: String? = nil, hint: String? = nil
  ) -> QueryPredicateError {
    if token.kind == .invalid, let lexicalError { return lexicalError.error }
    return error(.syntax, message, at: token.range, expected: expected, hint: hint)
  }

  func error(
    _ code: QueryPredicateError.Code, _ message: String, at range: SourceRange, expected: String? = nil,
    hint: String? = nil, suggestions: [String] = []
  ) -> QueryPredicateError {
    QueryPredicateError(
      code, message, source: text, range: range, expected: expected, hint: hint, suggestions: suggestions)
  }

  func tooDeep(at token: PredicateToken) -> QueryPredicateError {
    .tooDeep(source: text, at: token.range)
  }

  /// The error that something else is expected at the current token.
  func expected(_ what: String, hint: String? = nil) -> QueryPredicateError {
    switch kind {
    case .anyKey, .caseWord, .assign: return unsupported()
    default: break
    }
    let found = kind == .end ? "the text ends" : "\(word(token)) stands here"
    return failure(
      "The text cannot be read on: expected \(what), but \(found).", at: token, expected: what,
      hint: hint ?? generalHint)
  }

  private func unsupported() -> QueryPredicateError {
    let hint: String? =
      switch kind {
      case .caseWord: "Write the option [c] after the operator."
      case .assign: "Write == to compare."
      default: nil
      }
    return error(
      .unsupportedSyntax, "\(word(token)) has no meaning in a predicate.", at: token.range, hint: hint)
  }

  /// A hint where the current token is a frequent mistake.
  private var generalHint: String? {
    switch kind {
    case .percent: return "Write modulus:by:(a, b) for the remainder."
    case .strictEqual: return "Write == to compare."
    case .argument, .keyArgument, .scalarArgument:
      return arguments != nil
        ? nil : "This text takes no arguments; write a variable such as $name and give its value."
    case .comma where isReadingList: return "Write a list in braces: IN {1, 2}."
    default: return nil
    }
  }

  /// The error that a comparison lacks its operator at the current token.
  func missingOperator(after left: QueryExpression) -> QueryPredicateError {
    if isWord(token, "IS") {
      let comparator = following.kind == .not ? "!=" : "=="
      return expected("a comparison operator", hint: "Write x \(comparator) nil to test for a missing value.")
    }
    var hint = pendingHint
    if hint == nil, endsPredicate(token) {
      switch left.kind {
      case .constant(.bool(let value)):
        hint = "Write \(value ? "TRUEPREDICATE" : "FALSEPREDICATE") for a constant predicate."
      case .keyPath, .evaluatedObject: hint = "Write key == YES to test a truth value."
      default: break
      }
    }
    return expected("a comparison operator", hint: hint)
  }

  func unexpectedAfterPredicate() -> QueryPredicateError {
    if kind == .closeParenthesis { return expected("AND, OR or the end of the text") }
    if kind.comparator != nil {
      return expected("AND, OR or the end of the text, since comparisons do not chain")
    }
    return expected("AND, OR or the end of the text")
  }

  /// The error that a parenthesis is not closed at the current token.
  func unclosed(_ open: PredicateToken, _ closing: String) -> QueryPredicateError {
    expected(
      "\(closing) to close the one that opened at offset \(open.start)",
      hint: isReadingList && kind == .comma ? nil : generalHint)
  }
}

/// Error of the lexer, kept apart so that lexer and parser stay small.
final class LexicalError {
  let error: QueryPredicateError

  init(_ error: QueryPredicateError) {
    self.error = error
  }
}
