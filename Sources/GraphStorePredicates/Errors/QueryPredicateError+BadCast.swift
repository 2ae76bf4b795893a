extension QueryPredicateError {
  /// The error that a constant cannot be cast.
  package static func badCast(
    _ operand: QueryExpression, _ type: QueryCastType, at range: SourceRange?
  ) -> QueryPredicateError {
    QueryPredicateError(
      .badCast, "The constant \(operand.expressionFormat) cannot be cast to \(type.rawValue).", range: range,
      subject: operand.expressionFormat)
  }
}
