/// What only some objects have: a committed row beside the changed one, and relationships that were touched.
final class ObjectExtra {
  /// The row as last fetched or saved, of a saved object that has changes.
  var committed: Row?
  /// Properties that were set since the last save.
  var touched = PropertySet()
  /// By position among the entity's relationships: the destination of a to-one that was read or set, the
  /// ``ToManyRelationship`` of a to-many. Empty until the first is touched.
  var relationships: [AnyObject?] = []

  /// Where the identifier counts, of an object that has left its context.
  var scope: IdentifierScope?
  /// The plan of an object that has left its context.
  var plan: EntityPlan?

  deinit {
    if !relationships.isEmpty { DropList.release(relationships) }
  }
}
