extension PredicateParser {
  mutating func parseExpression() throws(QueryPredicateError) -> QueryExpression {
    try enter()
    defer { leave() }
    return try parseBinary(minimum: 1)
  }

  func setOperator(_ token: PredicateToken) -> QuerySetOperator? {
    guard token.kind == .identifier else { return nil }
    if isWord(token, "UNION") { return .union }
    if isWord(token, "INTERSECT") { return .intersect }
    if isWord(token, "MINUS") { return .minus }
    return nil
  }

  private mutating func parseBinary(minimum: Int) throws(QueryPredicateError) -> QueryExpression {
    let start = token
    var left = try parseUnary()
    while true {
      let leftHeight = height
      let operatorToken = token
      if let (function, precedence) = kind.binaryFunction, precedence >= minimum {
        advance()
        let right = try parseOperand(after: operatorToken, minimum: precedence + 1)
        try grow(over: leftHeight, height, at: operatorToken)
        left = QueryExpression(.function(function, [left, right]), sourceRange: range(from: start))
      } else if minimum == 1, let setOperator = setOperator(token) {
        advance()
        let right = try parseOperand(after: operatorToken, minimum: 2)
        try grow(over: leftHeight, height, at: operatorToken)
        left = QueryExpression(.setOperation(setOperator, left, right), sourceRange: range(from: start))
      } else {
        height = leftHeight
        return left
      }
    }
  }

  private mutating func parseOperand(
    after operatorToken: PredicateToken, minimum: Int
  ) throws(QueryPredicateError) -> QueryExpression {
    if kind == .end { throw expected("a value after \(word(operatorToken))") }
    return try parseBinary(minimum: minimum)
  }

  private mutating func parseUnary() throws(QueryPredicateError) -> QueryExpression {
    guard kind == .minus || kind == .plus || kind == .tilde else { return try parsePower() }
    let sign = token
    try enter()
    defer { leave() }
    advance()
    if kind == .end { throw expected("a value after \(word(sign))") }
    let operand = try parseUnary()
    if sign.kind == .plus { return operand }
    if sign.kind == .minus, let value = operand.constantValue, let opposite = NumberLiteral.negated(value) {
      return QueryExpression(.constant(opposite), sourceRange: range(from: sign))
    }
    try grow(over: height, at: sign)
    let function: QueryFunction = sign.kind == .minus ? .negate : .onesComplement
    return QueryExpression(.function(function, [operand]), sourceRange: range(from: sign))
  }

  private mutating func parsePower() throws(QueryPredicateError) -> QueryExpression {
    let start = token
    let base = try parsePostfix()
    guard kind == .power else { return base }
    let baseHeight = height
    let operatorToken = token
    try enter()
    defer { leave() }
    advance()
    if kind == .end { throw expected("a value after **") }
    let exponent = try parseUnary()
    try grow(over: baseHeight, height, at: operatorToken)
    return QueryExpression(.function(.power, [base, exponent]), sourceRange: range(from: start))
  }

  // MARK: Postfix

  private mutating func parsePostfix() throws(QueryPredicateError) -> QueryExpression {
    let start = token
    var expression = try parsePrimary()
    while true {
      switch kind {
      case .dot:
        let steps = try parseSteps()
        height += 1
        expression = QueryExpression(
          .keyPath(QueryKeyPath(base: expression, steps: steps)), sourceRange: range(from: start))
      case .openBracket:
        let open = token
        advance()
        let collectionHeight = height
        let index = try parseIndex()
        guard accept(.closeBracket) else { throw unclosed(open, "]") }
        try grow(over: collectionHeight, height, at: open)
        expression = QueryExpression(.index(expression, index), sourceRange: range(from: start))
      default:
        return expression
      }
    }
  }

  private func isSpelledAsWord(_ token: PredicateToken) -> Bool {
    bytes[token.start] != UInt8(ascii: "&") && bytes[token.start] != UInt8(ascii: "|")
  }

  private mutating func parseIndex() throws(QueryPredicateError) -> QueryIndex {
    if following.kind == .closeBracket {
      let word: QueryIndex? =
        if isWord(token, "FIRST") { .first } else if isWord(token, "LAST") {
          .last
        } else if isWord(token, "SIZE") {
          .size
        } else { nil }
      if let word {
        advance()
        height = 0
        return word
      }
    }
    return .at(try parseExpression())
  }

  private mutating func parseSteps() throws(QueryPredicateError) -> [QueryKeyPath.Step] {
    var steps: [QueryKeyPath.Step] = []
    while accept(.dot) {
      switch kind {
      case .collectionOperator:
        steps.append(.collectionOperator(PredicateLexer.name(behindSign: word(token))))
      case .keyArgument:
        steps += try keyPathArgument()
      case .argument:
        steps += try keyPathArgument()
      case .variable:
        let name = PredicateLexer.name(behindSign: word(token))
        if boundVariables.contains(name) {
          throw failure(
            "The variable $\(name) of a sub-query stands for an object and cannot name a key.", at: token)
        }
        steps.append(.variable(name))
      case .escapedIdentifier:
        steps.append(.key(PredicateLexer.key(ofEscaped: word(token))))
      case let kind where kind.isWord && isSpelledAsWord(token):
        steps.append(.key(word(token)))
      default:
        throw expected("a key after the dot")
      }
      advance()
    }
    return steps
  }

  // MARK: Primary

  private mutating func parsePrimary() throws(QueryPredicateError) -> QueryExpression {
    let start = token
    height = 1
    switch kind {
    case .number:
      guard let value = NumberLiteral.value(bytes[start.start..<start.end]) else {
        throw failure("The number has more than 38 significant digits, or is too large or small.", at: start)
      }
      return constant(value)
    case .string:
      return constant(.string(stringValue(start)))
    case .boolean:
      let first = bytes[start.start] | 0x20
      return constant(.bool(first == UInt8(ascii: "t") || first == UInt8(ascii: "y")))
    case .null:
      return constant(.null)
    case .evaluatedObject:
      advance()
      return QueryExpression(.evaluatedObject, sourceRange: start.range)
    case .variable:
      advance()
      return QueryExpression(
        .variable(PredicateLexer.name(behindSign: word(start))), sourceRange: start.range)
    case .argument, .scalarArgument:
      let expression = try argumentExpression()
      advance()
      return expression
    case .keyArgument:
      let steps = try keyPathArgument()
      advance()
      return QueryExpression(.keyPath(QueryKeyPath(steps: steps)), sourceRange: start.range)
    case .collectionOperator:
      advance()
      let step = QueryKeyPath.Step.collectionOperator(PredicateLexer.name(behindSign: word(start)))
      return QueryExpression(.keyPath(QueryKeyPath(steps: [step])), sourceRange: start.range)
    case .escapedIdentifier:
      advance()
      return key(PredicateLexer.key(ofEscaped: word(start)), start)
    case .identifier:
      if following.kind == .openParenthesis { return try parseCall() }
      advance()
      return key(word(start), start)
    case .selector where following.kind == .openParenthesis:
      return try parseCall()
    case .openBrace:
      return try parseAggregate()
    case .openParenthesis:
      return try parseParenthesisedExpression()
    default:
      throw unexpectedPrimary()
    }
  }

  private func unexpectedPrimary() -> QueryPredicateError {
    if kind.isWord, isSpelledAsWord(token), kind != .anyKey, kind != .caseWord,
      position > 0 || kind.wordComparator != nil
    {
      return expected("a value", hint: "Write #\(word(token)) for a key of that name.")
    }
    guard position > 0, kind != .invalid else { return expected("a value") }
    return expected("a value after \(word(tokens[position - 1]))")
  }

  private mutating func constant(_ value: Value) -> QueryExpression {
    let start = token
    advance()
    return QueryExpression(leaf: .constant(value), sourceRange: start.range)
  }

  private func key(_ name: String, _ token: PredicateToken) -> QueryExpression {
    QueryExpression(leaf: .keyPath(QueryKeyPath(steps: [.key(name)])), sourceRange: token.range)
  }

  func stringValue(_ token: PredicateToken) -> String {
    StringLiteral.decode(
      bytes, from: token.start + 1, to: token.end - 1, hasEscapes: token.hasEscapes)
  }

  private mutating func parseAggregate() throws(QueryPredicateError) -> QueryExpression {
    let open = token
    advance()
    var members: [QueryExpression] = []
    var tallest = 0
    if !accept(.closeBrace) {
      repeat {
        members.append(try parseExpression())
        tallest = max(tallest, height)
      } while accept(.comma)
      guard accept(.closeBrace) else { throw unclosed(open, "}") }
    }
    try grow(over: tallest, at: open)
    return QueryExpression(.aggregate(members), sourceRange: range(from: open))
  }

  private mutating func parseParenthesisedExpression() throws(QueryPredicateError) -> QueryExpression {
    let open = token
    advance()
    let expression = try parseExpression()
    guard accept(.closeParenthesis) else { throw unclosed(open, ")") }
    return QueryExpression(expression.kind, sourceRange: range(from: open))
  }
}
