extension QueryPredicate {
  /// Reads a predicate from its text, which takes no arguments. Throws ``QueryPredicateError`` with the position.
  public init(parsing text: String) throws(QueryPredicateError) {
    self = try PredicateParser.predicate(text, arguments: nil)
  }

  /// Reads a predicate from a format text whose `%@`, `%K` and scalar specifiers take the arguments in order.
  ///
  /// Arguments are numbers, Booleans, strings, dates, UUIDs, URLs, data, decimals, objects, everything
  /// ``ValueConvertible`` or ``ObjectIdentifying``, arrays, sets and closed ranges of these, nil, and for `%@` also
  /// a ``QueryExpression`` or ``QueryPredicate``. Objects are kept as their identifiers (PRD-057).
  public init(_ format: String, arguments: [Any?]) throws(QueryPredicateError) {
    self = try PredicateParser.predicate(format, arguments: arguments)
  }

  /// Reads a predicate from a format text and its arguments.
  public init(_ format: String, _ arguments: Any?...) throws(QueryPredicateError) {
    try self.init(format, arguments: arguments)
  }
}
