/// A rule of a property: a predicate over the candidate value (`SELF`) and what to say when it is false.
public struct ValidationDefinition: Hashable, Sendable {
  /// The predicate's text.
  public var predicate: String
  /// The message, nil for the default one.
  public var message: String?

  /// Makes a rule.
  public init(_ predicate: String, message: String? = nil) {
    self.predicate = predicate
    self.message = message
  }
}
