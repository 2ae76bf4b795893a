/// Objects of a store that a new version of its model does not allow (MIG-121, MIG-122).
public struct MigrationFinding: Hashable, Sendable {
  /// One of the objects.
  public struct Example: Hashable, Sendable {
    /// The object's URI in the store that is migrated.
    public let uri: String
    /// Its value, or the number of its members, as text; nil for none.
    public let value: String?

    /// The object as people name it in one store: `Employee/p12`.
    public var shortForm: String { uri.split(separator: "/").suffix(2).joined(separator: "/") }
  }

  /// What is wrong with them, as words that follow "objects": "without a value, which is mandatory".
  public let rule: String
  /// The entity in the new model.
  public let entity: String
  /// The property in the new model, or the attributes of a constraint; nil where the entity itself is concerned.
  public let property: String?
  /// How many objects there are.
  public let count: Int
  /// The first ten of them.
  public let examples: [Example]
  /// What to do about it, as a sentence.
  public let remedy: String

  /// The sentence for people, without the examples.
  public var message: String {
    let subject = [entity, property].compactMap { $0 }.joined(separator: ".")
    let objects = count == 1 ? "1 object" : "\(count) objects"
    return "\(subject): \(objects) \(rule)"
  }
}

extension GraphStoreError {
  /// The error that data break rules of the new model; the original is untouched.
  static func migration(_ findings: [MigrationFinding], path: String) -> GraphStoreError {
    var errors = findings.map { finding in
      var error = GraphStoreError(
        .migrationConstraint, "\(finding.message).", remedy: finding.remedy, entity: finding.entity,
        property: finding.property)
      error.details = finding.examples.map { "\($0.shortForm)\($0.value.map { ": \($0)" } ?? "")" }
      if finding.count > finding.examples.count {
        error.details.append("and \(finding.count - finding.examples.count) more")
      }
      return error
    }
    guard errors.count > 1 else { return errors.removeFirst() }
    var all = GraphStoreError(
      .migrationConstraint,
      "\(path) cannot be migrated: its data break \(errors.count) rules of the new model.",
      remedy: errors[0].remedy)
    all.errors = errors
    all.details = errors.flatMap { [$0.message] + $0.details.map { "  \($0)" } }
    return all
  }
}
