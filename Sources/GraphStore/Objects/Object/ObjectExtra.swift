/// Storage that only some objects have: a committed row beside the changed one, and relationships that were
/// touched.
final class ObjectExtra {
  /// The row as last fetched or saved, of a saved object that has changes.
  @safe @exclusivity(unchecked) var committed: Row?
  /// The state of a new object right after `awakeFromInsert`, where that changed something.
  var insertion: InsertionSnapshot?
  /// Properties that were set since the last save, by changes that are tracked.
  @safe @exclusivity(unchecked) var touched = PropertySet()
  /// Properties that were written by primitive accessors since the last save.
  var primitives = PropertySet()
  /// By the property's number: the decoded values of transformable attributes, and those of undefined ones.
  var decoded: [Int: Any] = [:]
  /// The reasons why transformable values that were set have no bytes, by the property's number.
  var untransformed: [Int: String] = [:]
  /// The object's state when the open event began; nil where its committed row says it.
  var snapshot: EventSnapshot?
  /// The values that the object had set without being changed, before its first unsaved change; nil for none.
  var unchanged: EventSnapshot?
  /// The changes between `willChangeValue` and `didChangeValue`.
  var openChanges: [BracketedChange] = []
  /// By the property's number: the objects that fetched properties have found.
  var fetched: [Int: [ManagedObject]] = [:]
  /// By position among the entity's relationships: the destination of a to-one that was read or set, the
  /// ``ToManyRelationship`` of a to-many. Empty until the first is touched.
  var relationships: [AnyObject?] = []

  /// Properties whose values in the row may differ from the committed ones.
  var written: PropertySet { primitives.isEmpty ? touched : touched.union(primitives) }

  /// Forgets the decoded value of a transformable attribute, whose bytes become others.
  func forgetDecoded(_ number: Int) {
    decoded[number] = nil
    untransformed[number] = nil
  }

  /// Forgets which properties were set, where nothing else is kept.
  ///
  /// - Returns: Whether nothing is kept now.
  func forgetSettings() -> Bool {
    guard committed == nil, insertion == nil, snapshot == nil, unchanged == nil, decoded.isEmpty,
      untransformed.isEmpty, openChanges.isEmpty, fetched.isEmpty, relationships.isEmpty
    else { return false }
    touched = PropertySet()
    if !primitives.isEmpty { primitives = PropertySet() }
    return true
  }

  func setRelationship(_ ordinal: Int, _ value: AnyObject?, of layout: EntityLayout) {
    if relationships.isEmpty {
      if value == nil { return }
      relationships = [AnyObject?](repeating: nil, count: layout.relationships.count)
    }
    relationships[ordinal] = value
  }

  deinit {
    if !fetched.isEmpty {
      for objects in fetched.values { relationships += objects as [AnyObject?] }
      fetched = [:]
    }
    if !relationships.isEmpty { IterativeReleaseQueue.release(&relationships) }
  }
}
