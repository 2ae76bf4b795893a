extension PredicateParser {
  /// Refuses a format whose specifiers are not as many as its arguments.
  func checkArgumentCount() throws(QueryPredicateError) {
    guard let arguments, lexicalError == nil else { return }
    let specifiers = tokens.count {
      $0.kind == .argument || $0.kind == .keyArgument || $0.kind == .scalarArgument
    }
    guard specifiers != arguments.count, !tokens.contains(where: { $0.kind == .percent }) else { return }
    let hint =
      quotesLookLikeSpecifiers ? "What stands in quotes is literal text and is not substituted." : nil
    throw error(
      .argumentCount,
      "The format has \(QueryPredicateError.counted(specifiers, "specifier")) and is given "
        + "\(QueryPredicateError.counted(arguments.count, "argument")).",
      at: SourceRange(offset: 0, length: bytes.count), hint: hint)
  }

  private var quotesLookLikeSpecifiers: Bool {
    tokens.contains { token in
      token.kind == .string
        && bytes[token.start..<token.end].contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "$") }
    }
  }

  /// The argument of the specifier at the current token, with its number from 1.
  private mutating func consumeArgument() throws(QueryPredicateError) -> (value: Any?, number: Int) {
    guard let arguments else { throw expected("a value or a key") }
    guard nextArgument < arguments.count else {
      throw error(
        .argumentCount, "The format has more specifiers than the \(arguments.count) arguments given.",
        at: token.range)
    }
    nextArgument += 1
    return (arguments[nextArgument - 1], nextArgument)
  }

  private func wrongArgument(_ number: Int, _ value: Any?, wanted: String) -> QueryPredicateError {
    let type = value.map { "\(Swift.type(of: $0))" } ?? "nil"
    return error(
      .argumentType, "Argument \(number) for \(word(token)) is of type \(type); give \(wanted).",
      at: token.range)
  }

  /// The predicate for a single `%@`.
  mutating func parseArgumentPredicate() throws(QueryPredicateError) -> QueryPredicate {
    let (value, number) = try consumeArgument()
    switch value {
    case let predicate as QueryPredicate:
      height = TreeDepth.depth(of: predicate)
      if depth + height > Self.maximumDepth { throw tooDeep(at: token) }
      advance()
      return predicate
    case let boolean as Bool:
      height = 1
      advance()
      return .constant(boolean)
    default:
      throw wrongArgument(number, value, wanted: "a predicate or a Boolean where %@ stands alone")
    }
  }

  /// The expression for the specifier at the current token.
  mutating func argumentExpression() throws(QueryPredicateError) -> QueryExpression {
    let (value, number) = try consumeArgument()
    if token.kind == .scalarArgument { return try scalarArgument(value, number) }
    if let expression = value as? QueryExpression {
      height = TreeDepth.depth(of: expression)
      if depth + height > Self.maximumDepth { throw tooDeep(at: token) }
      return expression
    }
    guard let converted = ArgumentConversion.value(of: value) else {
      throw wrongArgument(number, value, wanted: "a value, a list of values or an expression")
    }
    return QueryExpression(.constant(converted), sourceRange: token.range)
  }

  private func scalarArgument(_ value: Any?, _ number: Int) throws(QueryPredicateError) -> QueryExpression {
    let converted = ArgumentConversion.value(of: value)
    let conversion = bytes[token.end - 1]
    var accepted: Value?
    var wanted = "an integer"
    switch (conversion, converted) {
    case (UInt8(ascii: "s"), _):
      wanted = "a string"
      if case .string = converted { accepted = converted }
    case (UInt8(ascii: "c"), .string(let text)):
      wanted = "a string of one character or an integer"
      if text.count == 1 { accepted = converted }
    case (UInt8(ascii: "c"), .int):
      accepted = converted
    case (_, .int), (_, .decimal):
      if "dDiuUoxX".utf8.contains(conversion), isWhole(converted) { accepted = converted }
    default:
      break
    }
    if "fFeEgGaA".utf8.contains(conversion) {
      wanted = "a number"
      switch converted {
      case .double, .int, .decimal: accepted = converted
      default: break
      }
    }
    guard let accepted else { throw wrongArgument(number, value, wanted: wanted) }
    return QueryExpression(.constant(accepted), sourceRange: token.range)
  }

  private func isWhole(_ value: Value?) -> Bool {
    switch value {
    case .int: true
    case .decimal(let decimal): DecimalNumeral(decimal)?.isWhole ?? false
    default: false
    }
  }

  /// The keys of a text that are no identifiers, joined by dots; nil where one is empty or holds a backquote.
  private static func steps(ofAny text: String) -> [QueryKeyPath.Step]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let isKey = parts.allSatisfy { part in
      !part.isEmpty && !part.hasPrefix("@")
        && !part.unicodeScalars.contains { $0 == "`" || Character($0).isNewline }
    }
    return isKey ? parts.map(QueryKeyPath.Step.key) : nil
  }

  /// The steps of the key path for `%K`, or for `%@` after a dot.
  mutating func keyPathArgument() throws(QueryPredicateError) -> [QueryKeyPath.Step] {
    let (value, number) = try consumeArgument()
    guard let text = value as? String else {
      throw wrongArgument(number, value, wanted: "a key path as text")
    }
    guard let steps = QueryKeyPath.steps(parsing: text) ?? Self.steps(ofAny: text) else {
      throw error(
        .argumentType,
        "Argument \(number) for \(word(token)), \(Value.string(text).literal), is no key path; "
          + "give keys joined by dots.",
        at: token.range)
    }
    return steps
  }
}
