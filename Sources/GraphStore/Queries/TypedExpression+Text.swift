import GraphStorePredicates

/// Comparisons of text.
extension TypedExpression where PathResult == String {
  /// Whether the text is equal to another by the options: `==[c]`.
  public func isEqual(
    to text: String, _ options: QueryComparison.Options
  ) -> TypedPredicate<PathScope.Object> {
    compare(.equal, Self.constant(text), options)
  }

  /// Whether the text contains another.
  public func contains(
    _ text: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.contains, Self.constant(text), options)
  }

  /// Whether the text begins with another.
  public func beginsWith(
    _ text: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.beginsWith, Self.constant(text), options)
  }

  /// Whether the text ends with another.
  public func endsWith(
    _ text: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.endsWith, Self.constant(text), options)
  }

  /// Whether the whole text fits a pattern in which `?` stands for one character and `*` for any number.
  public func like(
    _ pattern: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.like, Self.constant(pattern), options)
  }

  /// Whether the whole text fits a regular expression; a fetch with one that does not compile throws
  /// `bad-regular-expression`.
  public func matches(
    _ expression: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.matches, Self.constant(expression), options)
  }

  /// Whether the text is one of some by the options: `IN[c]`.
  public func `in`(
    _ texts: some Sequence<String>, _ options: QueryComparison.Options
  ) -> TypedPredicate<PathScope.Object> {
    compare(.in, Self.constants(texts), options)
  }
}
