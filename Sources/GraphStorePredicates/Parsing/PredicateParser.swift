/// Recursive-descent parser of predicates and expressions, with bounded depth.
struct PredicateParser {
  /// The deepest nesting of a text or tree.
  static let maximumDepth = TreeDepth.maximum

  let text: String
  let bytes: [UInt8]
  let tokens: [PredicateToken]
  let lexicalError: LexicalError?
  /// The arguments of a format; nil when the text may hold no specifiers.
  let arguments: [Any?]?

  var position = 0
  var depth = 0
  /// The depth of the tree read last.
  var height = 0
  var nextArgument = 0
  /// The variables of the sub-queries around the current token.
  var boundVariables: [String] = []
  /// The hint at what probably was meant, should an operator be missing next.
  var pendingHint: String?
  var isReadingList = false

  init(_ text: String, arguments: [Any?]?) {
    self.text = text
    self.arguments = arguments
    let lexer = PredicateLexer(text)
    bytes = lexer.bytes
    tokens = lexer.tokens
    lexicalError = lexer.error
  }

  var token: PredicateToken { tokens[position] }
  var kind: PredicateToken.Kind { token.kind }

  /// The token after the current one.
  var following: PredicateToken { tokens[min(position + 1, tokens.count - 1)] }

  mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  mutating func accept(_ wanted: PredicateToken.Kind) -> Bool {
    guard kind == wanted else { return false }
    advance()
    return true
  }

  func word(_ token: PredicateToken) -> String {
    String(decoding: bytes[token.start..<token.end], as: UTF8.self)
  }

  /// Whether a token is an identifier spelled as a word in any letter case.
  func isWord(_ token: PredicateToken, _ word: String) -> Bool {
    guard token.kind == .identifier, Int(token.length) == word.utf8.count else { return false }
    return zip(bytes[token.start..<token.end], word.utf8).allSatisfy { $0 & 0xDF == $1 }
  }

  /// The range from a token that was read before up to the token before the current one.
  func range(from first: PredicateToken) -> SourceRange {
    let end = position > 0 ? tokens[position - 1].end : first.end
    return first.range(length: max(end - first.start, 0))
  }

  // MARK: Depth

  mutating func enter() throws(QueryPredicateError) {
    depth += 1
    if depth > Self.maximumDepth { throw tooDeep(at: token) }
  }

  mutating func leave() {
    depth -= 1
  }

  /// Notes that the tree just read has grown by one level over its deepest part.
  mutating func grow(over part: Int, at token: PredicateToken) throws(QueryPredicateError) {
    height = part + 1
    if height > Self.maximumDepth { throw tooDeep(at: token) }
  }

  /// Notes that the tree just read has grown by one level over the deeper of two parts.
  mutating func grow(over first: Int, _ second: Int, at token: PredicateToken) throws(QueryPredicateError) {
    try grow(over: max(first, second), at: token)
  }

  // MARK: Whole texts

  /// The most levels the text can nest, by its brackets and prefixes.
  private var possibleNesting: Int {
    tokens.count { token in
      switch token.kind {
      case .openParenthesis, .openBrace, .openBracket, .not, .exclamation, .minus, .plus, .tilde, .power: true
      default: false
      }
    }
  }

  static func predicate(_ text: String, arguments: [Any?]?) throws(QueryPredicateError) -> QueryPredicate {
    var parser = PredicateParser(text, arguments: arguments)
    let nesting = parser.possibleNesting
    if !needsLargeStack(nesting: nesting) { return try parser.parsePredicateText() }
    return try withLargeStack(nesting: nesting) { [parser] () throws(QueryPredicateError) in
      var parser = parser
      return try parser.parsePredicateText()
    }
  }

  static func expression(_ text: String, arguments: [Any?]?) throws(QueryPredicateError) -> QueryExpression {
    var parser = PredicateParser(text, arguments: arguments)
    let nesting = parser.possibleNesting
    if !needsLargeStack(nesting: nesting) { return try parser.parseExpressionText() }
    return try withLargeStack(nesting: nesting) { [parser] () throws(QueryPredicateError) in
      var parser = parser
      return try parser.parseExpressionText()
    }
  }

  private mutating func parsePredicateText() throws(QueryPredicateError) -> QueryPredicate {
    try checkArgumentCount()
    guard kind != .end else {
      throw failure(
        "The text is empty, where a predicate is wanted.", at: token, expected: "a predicate",
        hint: "Write TRUEPREDICATE to select everything.")
    }
    if kind == .boolean, following.kind == .end, let value = yesOrNo(token) { return .constant(value) }
    let predicate = try parsePredicate()
    guard kind == .end else { throw unexpectedAfterPredicate() }
    return predicate
  }

  private mutating func parseExpressionText() throws(QueryPredicateError) -> QueryExpression {
    try checkArgumentCount()
    guard kind != .end else {
      throw failure("The text is empty, where an expression is wanted.", at: token, expected: "an expression")
    }
    let expression = try parseExpression()
    guard kind == .end else { throw expected("an operator or the end of the text") }
    return expression
  }

  private func yesOrNo(_ token: PredicateToken) -> Bool? {
    switch word(token).uppercased() {
    case "YES": true
    case "NO": false
    default: nil
    }
  }
}
