extension QueryPredicate {
  /// Reads a predicate from its text, which takes no arguments. Throws ``QueryPredicateError`` with the
  /// position.
  public init(parsing text: String) throws(QueryPredicateError) {
    self = try PredicateParser.predicate(text, arguments: nil)
  }

  /// Reads a predicate from a format text whose `%@`, `%K` and scalar specifiers take the arguments in order.
  ///
  /// Arguments are numbers, Booleans, strings, dates, UUIDs, URLs, data, decimals, objects, everything
  /// ``ValueConvertible`` or ``ObjectIdentifying``, arrays, sets and closed ranges of these, nil, and for
  /// `%@` also a ``QueryExpression`` or ``QueryPredicate``. Objects are kept as their identifiers.
  public init(_ format: String, arguments: [Any?]) throws(QueryPredicateError) {
    self = try PredicateParser.predicate(format, arguments: arguments)
  }

  /// Reads a predicate from a format text and its arguments.
  public init(_ format: String, _ arguments: Any?...) throws(QueryPredicateError) {
    try self.init(format, arguments: arguments)
  }
}

extension QueryExpression {
  /// Reads an expression from its text, which takes no arguments. Throws ``QueryPredicateError`` with the
  /// position.
  public init(parsing text: String) throws(QueryPredicateError) {
    self = try PredicateParser.expression(text, arguments: nil)
  }

  /// Reads an expression from a format text whose specifiers take the arguments in order.
  public init(_ format: String, arguments: [Any?]) throws(QueryPredicateError) {
    self = try PredicateParser.expression(format, arguments: arguments)
  }

  /// Reads an expression from a format text and its arguments.
  public init(_ format: String, _ arguments: Any?...) throws(QueryPredicateError) {
    try self.init(format, arguments: arguments)
  }

  /// Reads a derivation of a model: an expression, or `keypath:function`, short for `function:(keypath)`.
  public init(derivation text: String) throws(QueryPredicateError) {
    if let colon = text.lastIndex(of: ":") {
      let name = text[text.index(after: colon)...]
      let keyPath = String(text[..<colon])
      if !name.isEmpty, QueryKeyPath.steps(parsing: keyPath) != nil,
        QueryKeyPath.steps(parsing: String(name)) != nil
      {
        try self.init(parsing: "\(name)(\(keyPath))")
        return
      }
    }
    try self.init(parsing: text)
  }
}

extension QueryKeyPath {
  /// The steps that a text names: keys and collection operators joined by dots; nil for every other text.
  static func steps(parsing text: String) -> [Step]? {
    let lexer = PredicateLexer(text)
    guard lexer.error == nil else { return nil }
    var steps: [Step] = []
    var wantsStep = true
    var end = 0
    for token in lexer.tokens {
      if token.kind == .end { break }
      guard token.start == end else { return nil }
      end = token.end
      let word = String(decoding: lexer.bytes[token.start..<token.end], as: UTF8.self)
      if wantsStep {
        switch token.kind {
        case .collectionOperator: steps.append(.collectionOperator(PredicateLexer.name(behindSign: word)))
        case .escapedIdentifier: steps.append(.key(PredicateLexer.key(ofEscaped: word)))
        case let kind where kind.isWord && !word.hasPrefix("&") && !word.hasPrefix("|"):
          steps.append(.key(word))
        default: return nil
        }
      } else if token.kind != .dot {
        return nil
      }
      wantsStep.toggle()
    }
    guard !wantsStep, end == lexer.bytes.count else { return nil }
    return steps
  }

  /// Reads a key path such as `department.name` or `employees.@count`. Throws `invalid-key-path`.
  public init(parsing text: String) throws(QueryPredicateError) {
    guard let steps = Self.steps(parsing: text) else {
      throw QueryPredicateError(
        .invalidKeyPath, "\(text.debugDescription) is no key path; write keys joined by dots.", source: text,
        range: SourceRange(offset: 0, length: text.utf8.count))
    }
    self.init(fromSelf: steps, of: text)
  }

  /// Makes a path of the steps of a text, of which the first may be `SELF`; alone it becomes `self`, the
  /// object itself. `#SELF` is a key of that name.
  init(fromSelf steps: [Step], of text: String) {
    guard ![UInt8(ascii: "#"), UInt8(ascii: "`")].contains(text.utf8.first),
      case .key(let word)? = steps.first,
      word.uppercased() == "SELF"
    else {
      self.init(steps: steps)
      return
    }
    self.init(steps: steps.count > 1 ? Array(steps.dropFirst()) : [.key("self")])
  }
}
