import GraphStorePredicates

extension CompiledModelReader {
  /// A rule of a property as the archive has it.
  struct Validation {
    let predicate: QueryPredicate
    let definition: ValidationDefinition
  }

  /// The rules of a property: predicates, and beside them messages or the numbers of errors.
  mutating func validations(
    _ fields: [String: PropertyListNode], _ place: Place
  ) throws(KeyedArchiveError) -> [Validation] {
    guard case .list(let nodes) = try archive.value(at: fields["NSValidationPredicates"]) else { return [] }
    var warnings: [PropertyListNode] = []
    if case .list(let items) = try archive.value(at: fields["NSValidationWarnings"]) { warnings = items }
    let predicates = predicates
    var validations: [Validation] = []
    for (position, node) in nodes.enumerated() {
      let predicate = try known("A rule", at: place) { () throws(KeyedArchiveError) in
        try predicates.predicate(at: node)
      }
      guard let predicate, let text = printed(predicate, place) else { continue }
      let message = warnings.indices.contains(position) ? try filledText(warnings[position]) : nil
      validations.append(
        Validation(predicate: predicate, definition: ValidationDefinition(text, message: message)))
    }
    return validations
  }

  /// The text of a predicate; nil, and a finding, where it could not be read again.
  mutating func printed(_ predicate: QueryPredicate, _ place: Place) -> String? {
    let text = predicate.predicateFormat
    if (try? QueryPredicate(parsing: text)) != nil { return text }
    findings.add("compiled-unknown-part", at: place, message: "A predicate has no text and is left out.")
    return nil
  }

  /// Adds a rule to an attribute: as a limit where it has the form in which Core Data keeps limits.
  func apply(_ validation: Validation, to attribute: inout AttributeDefinition) {
    if validation.definition.message == nil, applyLimit(validation.predicate, to: &attribute) { return }
    attribute.validations.append(validation.definition)
  }

  private func applyLimit(_ predicate: QueryPredicate, to attribute: inout AttributeDefinition) -> Bool {
    guard case .comparison(let comparison) = predicate, comparison.modifier == .direct,
      comparison.options.isEmpty, let constant = comparison.right.constantValue
    else { return false }
    if attribute.type == .string { return applyTextLimit(comparison, constant, to: &attribute) }
    guard attribute.type.isNumber || attribute.type == .date, comparison.left == .evaluatedObject,
      let limit = Self.json(constant, as: attribute.type)
    else { return false }
    switch comparison.comparator {
    case .greaterOrEqual where attribute.minimum == nil: attribute.minimum = limit
    case .lessOrEqual where attribute.maximum == nil: attribute.maximum = limit
    default: return false
    }
    return true
  }

  private func applyTextLimit(
    _ comparison: QueryComparison, _ constant: Value, to attribute: inout AttributeDefinition
  ) -> Bool {
    switch (comparison.comparator, constant) {
    case (.matches, .string(let pattern))
    where comparison.left == .evaluatedObject && attribute.pattern == nil && StringPattern(pattern) != nil:
      attribute.pattern = pattern
    case (.greaterOrEqual, .int(let length))
    where Self.isLength(comparison.left) && attribute.minLength == nil && length >= 0:
      attribute.minLength = Int(length)
    case (.lessOrEqual, .int(let length))
    where Self.isLength(comparison.left) && attribute.maxLength == nil && length >= 0:
      attribute.maxLength = Int(length)
    default: return false
    }
    return true
  }

  private static func isLength(_ expression: QueryExpression) -> Bool {
    expression == .key("length") || expression == .function(.length, .evaluatedObject)
  }
}
