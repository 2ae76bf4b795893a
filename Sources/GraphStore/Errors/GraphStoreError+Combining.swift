extension GraphStoreError {
  /// Several failures as one error, flat; a single failure is returned as itself (DGN-119, DGN-120).
  ///
  /// A failure that is itself multiple adds its list, and what else it says is kept (OBJ-368).
  package static func combining(_ failures: [GraphStoreError]) -> GraphStoreError? {
    guard failures.count > 1 else { return failures.first }
    let parts = failures.flatMap(\.parts)
    let multiples = failures.filter { !$0.errors.isEmpty }
    var error = multiples.first { !$0.tellsCountAlone } ?? multiple(of: parts.count)
    error.errors = parts
    error.details = multiples.flatMap(\.details)
    error.relatedObjects = multiples.flatMap(\.relatedObjects)
    error.underlyingErrors = multiples.flatMap(\.underlyingErrors)
    return error
  }

  /// The single failures of a multiple one, however deep; of any other the failure itself.
  var parts: [GraphStoreError] { errors.isEmpty ? [self] : errors.flatMap(\.parts) }

  private static func multiple(of count: Int) -> GraphStoreError {
    GraphStoreError(
      .multipleValidationErrors, "\(count) values or links are not valid.",
      remedy: "Correct each of them and save again; nothing was written.")
  }

  /// Whether a multiple failure has no words of its own, but only how many failures there are.
  private var tellsCountAlone: Bool {
    code == .multipleValidationErrors && message == Self.multiple(of: errors.count).message
  }

  /// The same with its single failures sorted by entity, object and property; those of one property keep their order
  /// (DGN-119).
  package func sorted() -> GraphStoreError {
    var error = self
    error.errors.sort { left, right in
      let entities = (left.entity ?? "", right.entity ?? "")
      if entities.0 != entities.1 { return entities.0 < entities.1 }
      if let first = left.objectID, let second = right.objectID, first != second { return first < second }
      return (left.property ?? "") < (right.property ?? "")
    }
    return error
  }
}
