/// Errors that several floors throw.
extension QueryPredicateError {
  /// A number of things in words: `1 argument`, `2 arguments`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The error that a constant cannot be cast.
  package static func badCast(
    _ operand: QueryExpression, _ type: QueryCastType, at range: SourceRange?
  ) -> QueryPredicateError {
    QueryPredicateError(
      .badCast, "The constant \(operand.expressionFormat) cannot be cast to \(type.rawValue).", range: range,
      subject: operand.expressionFormat)
  }

  /// The error that a text or tree nests deeper than it may (PRD-029).
  package static func tooDeep(source: String? = nil, at range: SourceRange? = nil) -> QueryPredicateError {
    QueryPredicateError(
      .tooDeep, "The predicate nests deeper than \(TreeDepth.maximum) levels; split it or use IN.",
      source: source, range: range)
  }

  /// The error that a sum of integers exceeds 64 bits (PRD-187).
  package static func sumOverflow(at range: SourceRange? = nil) -> QueryPredicateError {
    QueryPredicateError(
      .arithmeticOverflow, "The sum of the integers exceeds 64 bits; cast them to Double first.", range: range
    )
  }
}
