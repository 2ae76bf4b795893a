/// The validation of a context's changes: what saves leave out, and what the validation that is running has
/// found so far.
struct ValidationState {
  /// Whether saves leave it to somebody else to count the members of constrained relationships.
  var postponesRelationshipRules = false
  /// While a save validates: what forbids its deletions, by object.
  var denials: [ManagedObject: [GraphStoreError]]?
  /// While a save validates: the entity trees of which it has read the changed objects that were faults
  /// (OBJ-339).
  var trees: Set<ValidatedTree>?
  /// The properties that classes are checking at the moment, the innermost last (OBJ-355).
  var runningValidators: [RunningValidator] = []
  /// The property that a class is checking for a save.
  var validatorOfSave: (object: ObjectIdentifier, number: Int)?
  /// In the last rounds of a save: what has changed in them.
  var unstableChanges: UnstableChanges?
}
