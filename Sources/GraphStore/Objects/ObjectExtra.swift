/// What only some objects have: a committed row beside the changed one, and relationships that were touched.
final class ObjectExtra {
  /// The row as last fetched or saved, of a saved object that has changes.
  @safe @exclusivity(unchecked) var committed: Row?
  /// Properties that were set since the last save.
  @safe @exclusivity(unchecked) var touched = PropertySet()
  /// By position among the entity's relationships: the destination of a to-one that was read or set, the
  /// ``ToManyRelationship`` of a to-many. Empty until the first is touched.
  var relationships: [AnyObject?] = []

  func setRelationship(_ ordinal: Int, _ value: AnyObject?, of layout: EntityLayout) {
    if relationships.isEmpty {
      if value == nil { return }
      relationships = [AnyObject?](repeating: nil, count: layout.relationships.count)
    }
    relationships[ordinal] = value
  }

  deinit {
    if !relationships.isEmpty { IterativeReleaseQueue.release(&relationships) }
  }
}
