import GraphStorePredicates

extension PredicateChecker {
  /// What a predicate that is right may still surprise with, in the order of its text (PRD-095, PRD-257).
  ///
  /// `missing-value`: a comparison that leaves out objects without a value in a fetch, and keeps them in memory, without
  /// a test for nil of the same key. With `portable` also `not-portable`: what the original store in SQLite refuses.
  ///
  /// - Parameters:
  ///   - predicate: A predicate without problems; keys that are not known are passed over.
  ///   - portable: Whether to look for what other stores refuse.
  public func warnings(in predicate: QueryPredicate, portable: Bool = false) -> [QueryPredicateError] {
    var walk = MissingValueAdvice(self)
    walk.look(at: predicate)
    var warnings = walk.warnings
    if portable {
      var walk = PortabilityAdvice(self)
      walk.look(at: predicate)
      warnings += walk.warnings
    }
    return warnings.enumerated().sorted {
      ($0.element.offset ?? 0, $0.offset) < ($1.element.offset ?? 0, $1.offset)
    }.map(\.element)
  }
}

extension QueryPredicateError.Code {
  /// A comparison that is unknown, and so not true, for objects without a value.
  public static let missingValue = Self(rawValue: "missing-value")
  /// A form that the original SQLite store refuses.
  public static let notPortable = Self(rawValue: "not-portable")
}

extension QueryComparison {
  /// Where the comparison stands in its text, quantifier not included.
  var sourceRange: SourceRange? {
    guard let left = left.sourceRange, let right = right.sourceRange else { return operatorRange }
    return SourceRange(offset: left.offset, length: right.end - left.offset)
  }
}
