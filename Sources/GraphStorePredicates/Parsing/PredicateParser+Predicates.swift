extension PredicateParser {
  mutating func parsePredicate() throws(QueryPredicateError) -> QueryPredicate {
    try enter()
    defer { leave() }
    let start = token
    let first = try parseAnd()
    guard kind == .or else { return first }
    var members = [first]
    var tallest = height
    while accept(.or) {
      members.append(try parseAnd())
      tallest = max(tallest, height)
    }
    try grow(over: tallest, at: start)
    return .or(members)
  }

  private mutating func parseAnd() throws(QueryPredicateError) -> QueryPredicate {
    let start = token
    let first = try parseNot()
    guard kind == .and else { return first }
    var members = [first]
    var tallest = height
    while accept(.and) {
      members.append(try parseNot())
      tallest = max(tallest, height)
    }
    try grow(over: tallest, at: start)
    return .and(members)
  }

  private mutating func parseNot() throws(QueryPredicateError) -> QueryPredicate {
    var negations = 0
    let start = token
    while kind == .not || kind == .exclamation {
      negations += 1
      advance()
      if depth + negations > Self.maximumDepth { throw tooDeep(at: token) }
    }
    depth += negations
    defer { depth -= negations }
    var predicate = try parseSimple()
    for _ in 0..<negations {
      predicate = .not(predicate)
      try grow(over: height, at: start)
    }
    return predicate
  }

  private mutating func parseSimple() throws(QueryPredicateError) -> QueryPredicate {
    switch kind {
    case .truePredicate, .falsePredicate:
      let value = kind == .truePredicate
      advance()
      height = 1
      return .constant(value)
    case .any, .some:
      advance()
      return try parseComparison(.any)
    case .none:
      let start = token
      advance()
      let comparison = try parseComparison(.any)
      try grow(over: height, at: start)
      return .not(comparison)
    case .all:
      advance()
      return try parseComparison(.all)
    case .openParenthesis where !opensExpression(position):
      return try parseParenthesised()
    case .argument where endsPredicate(following):
      return try parseArgumentPredicate()
    default:
      return try parseComparison(.direct)
    }
  }

  private mutating func parseParenthesised() throws(QueryPredicateError) -> QueryPredicate {
    let open = token
    advance()
    let predicate = try parsePredicate()
    guard accept(.closeParenthesis) else { throw unclosed(open, ")") }
    return predicate
  }

  /// Whether the parenthesis at an index is read as part of an expression, by what follows its match.
  private func opensExpression(_ index: Int) -> Bool {
    let partner = Int(tokens[index].partner)
    guard partner > 0, partner + 1 < tokens.count else { return false }
    let next = tokens[partner + 1]
    switch next.kind {
    case .dot, .openBracket, .selector, .power, .assign, .strictEqual, .percent: return true
    case .not: return partner + 2 < tokens.count && tokens[partner + 2].kind.wordComparator != nil
    case .identifier: return setOperator(next) != nil || isWord(next, "IS")
    default: return next.kind.comparator != nil || next.kind.binaryFunction != nil
    }
  }

  func endsPredicate(_ token: PredicateToken) -> Bool {
    switch token.kind {
    case .end, .and, .or, .closeParenthesis, .comma: true
    default: false
    }
  }

  // MARK: Comparisons

  private mutating func parseComparison(
    _ modifier: QueryComparison.Modifier
  ) throws(QueryPredicateError) -> QueryPredicate {
    let first = token
    let left = try parseExpression()
    let leftHeight = height
    let operatorToken = token
    if kind == .selector {
      return try parseSelectorComparison(left, leftHeight: leftHeight, modifier: modifier)
    }
    var isNegated = false
    if kind == .not, following.kind.wordComparator != nil {
      isNegated = true
      advance()
    }
    guard let comparator = kind.comparator else {
      if first.kind == .keyArgument, modifier == .direct, case .keyPath = left.kind, endsPredicate(token) {
        height = leftHeight + 1
        return .compare(left, .equal, .constant(true))
      }
      throw missingOperator(after: left)
    }
    advance()
    pendingHint = nil
    let options = try parseOptions(comparator)
    let right = try parseRightSide(comparator, operatorToken)
    try grow(over: leftHeight, height, at: first)
    let comparison = QueryPredicate.comparison(
      QueryComparison(
        left: left, modifier: modifier, comparator: comparator, options: options, right: right,
        operatorRange: operatorToken.range))
    guard isNegated else { return comparison }
    try grow(over: height, at: first)
    return .not(comparison)
  }

  private mutating func parseRightSide(
    _ comparator: QueryComparison.Operator, _ operatorToken: PredicateToken
  ) throws(QueryPredicateError) -> QueryExpression {
    switch kind {
    case .any, .all, .some, .none:
      throw expected("a value after \(word(operatorToken)), since quantifiers stand before the left side")
    case .end:
      throw expected("a value after \(word(operatorToken))")
    default: break
    }
    let wasReadingList = isReadingList
    isReadingList = comparator == .in
    let start = token
    let right = try parseExpression()
    isReadingList = wasReadingList
    if comparator == .between { try checkBounds(right, start) }
    return right
  }

  private mutating func checkBounds(
    _ right: QueryExpression, _ start: PredicateToken
  ) throws(QueryPredicateError) {
    let hint = "Write BETWEEN {a, b}."
    let isArgument = start.kind == .argument || start.kind == .scalarArgument
    let memberCount: Int? =
      switch right.kind {
      case .aggregate(let members): members.count
      case .constant(.list(let members)): members.count
      case .constant: -1
      default: nil
      }
    if let memberCount, memberCount != 2, !isArgument {
      throw error(
        .syntax, "BETWEEN wants a list of exactly two values: expected {a, b}.", at: range(from: start),
        expected: "a list of two values", hint: memberCount == -1 ? hint : nil)
    }
    if memberCount == nil, kind == .and { pendingHint = hint }
  }

  private mutating func parseSelectorComparison(
    _ left: QueryExpression, leftHeight: Int, modifier: QueryComparison.Modifier
  ) throws(QueryPredicateError) -> QueryPredicate {
    let selector = token
    let name = word(selector)
    guard name.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 else { throw missingOperator(after: left) }
    advance()
    if kind == .end { throw expected("a value after \(name)") }
    let right = try parseExpression()
    try grow(over: leftHeight, height, at: selector)
    try grow(over: height, at: selector)
    let call = QueryExpression(
      .call(target: left, name: name, arguments: [right]), sourceRange: selector.range)
    return .comparison(
      QueryComparison(
        left: call, modifier: modifier, comparator: .equal, right: .constant(true),
        operatorRange: selector.range))
  }

  // MARK: Options

  private mutating func parseOptions(
    _ comparator: QueryComparison.Operator
  ) throws(QueryPredicateError) -> QueryComparison.Options {
    guard accept(.openBracket) else { return [] }
    var options: QueryComparison.Options = []
    let listHint = comparator == .in ? "Write a list in braces: IN {1, 2}." : nil
    guard holdsOptions else { throw expected("an option, c, d, n or l", hint: listHint) }
    while holdsOptions {
      for offset in token.start..<token.end {
        try addOption(at: offset, to: &options, hint: listHint)
      }
      advance()
    }
    guard accept(.closeBracket) else { throw expected("] after the options", hint: listHint) }
    return options
  }

  private var holdsOptions: Bool { kind == .identifier || kind == .caseWord }

  private func addOption(
    at offset: Int, to options: inout QueryComparison.Options, hint: String?
  ) throws(QueryPredicateError) {
    let letter = UTF8Scalars.decode(bytes, at: offset)
    let option: QueryComparison.Options? =
      switch letter.scalar {
      case "c", "C": .caseInsensitive
      case "d", "D": .diacriticInsensitive
      case "n", "N": .normalized
      case "l", "L": .localized
      default: nil
      }
    let range = SourceRange(offset: offset, length: letter.width)
    guard let option else {
      throw error(
        .syntax, "There is no option \(letter.scalar): expected c, d, n or l.", at: range,
        expected: "an option, c, d, n or l", hint: hint)
    }
    guard !options.contains(option) else {
      throw error(.syntax, "The option \(letter.scalar) is given twice.", at: range)
    }
    options.insert(option)
  }
}
