import GraphStorePredicates

/// A rule of a property, ready to be evaluated.
public struct PropertyValidation: Sendable {
  /// The predicate over the candidate value, which is `SELF`.
  public let predicate: QueryPredicate
  /// The predicate's text as the model has it.
  public let text: String
  /// What to say when the predicate is false, nil for the default sentence.
  public let message: String?
}
