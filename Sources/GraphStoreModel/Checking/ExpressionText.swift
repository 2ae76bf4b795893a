import GraphStorePredicates

/// Reads the texts of predicates, expressions and sort keys in models.
enum ExpressionText {
  static func predicate(_ text: String) throws(PredicateError) -> QueryPredicate {
    throw PredicateError(.unsupportedSyntax, "Predicates in models are not read yet.", source: text)
  }

  static func expression(_ text: String) throws(PredicateError) -> QueryExpression {
    throw PredicateError(.unsupportedSyntax, "Expressions in models are not read yet.", source: text)
  }

  static func sortDescriptor(_ text: String) throws(PredicateError) -> QuerySortDescriptor {
    throw PredicateError(.unsupportedSyntax, "Sort keys in models are not read yet.", source: text)
  }
}
