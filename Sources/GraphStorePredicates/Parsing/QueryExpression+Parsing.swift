extension QueryExpression {
  /// Reads an expression from its text, which takes no arguments. Throws ``QueryPredicateError`` with the position.
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
