/// A rule of a property: a predicate over the candidate value (`SELF`) and what to say when it is false.
///
/// ```swift
/// let name = AttributeDefinition(
///   "name", .string,
///   validations: [ValidationDefinition("NOT SELF BEGINSWITH ' '", message: "begins with a space")])
/// ```
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

extension ValidationDefinition {
  /// Rules of predicates and messages that belong together by position.
  fileprivate static func pairs(
    _ predicates: [String], _ warnings: [String?], of property: String
  ) throws(ModelError) -> [ValidationDefinition] {
    guard predicates.count == warnings.count else {
      throw ModelError([
        ModelProblem(
          .badValue, at: ModelPath().key("validations"),
          message:
            "\(property) has \(predicates.count) validation predicates and \(warnings.count) warnings.",
          remedy: "Give one warning for each predicate, nil for the default one.")
      ])
    }
    return zip(predicates, warnings).map { ValidationDefinition($0, message: $1) }
  }
}

extension AttributeDefinition {
  /// Sets the rules of the attribute: each predicate with the warning at its position, nil for the default
  /// message.
  ///
  /// - Throws: ``ModelError`` `model-bad-value` for lists of different lengths; nothing is changed then.
  public mutating func setValidationPredicates(
    _ predicates: [String], withValidationWarnings warnings: [String?]
  ) throws(ModelError) {
    validations = try ValidationDefinition.pairs(predicates, warnings, of: name)
  }
}

extension RelationshipDefinition {
  /// Sets the rules of the relationship: each predicate with the warning at its position, nil for the default
  /// message.
  ///
  /// - Throws: ``ModelError`` `model-bad-value` for lists of different lengths; nothing is changed then.
  public mutating func setValidationPredicates(
    _ predicates: [String], withValidationWarnings warnings: [String?]
  ) throws(ModelError) {
    validations = try ValidationDefinition.pairs(predicates, warnings, of: name)
  }
}
