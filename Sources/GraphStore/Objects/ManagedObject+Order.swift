extension ManagedObject {
  /// Whether the object comes before another one of its context in the order of their identifiers (OBJ-115).
  final func precedes(_ other: ManagedObject) -> Bool {
    guard key > 0, other.key > 0, storeIndex == other.storeIndex else { return objectID < other.objectID }
    if layout.rootIndex != other.layout.rootIndex { return layout.rootIndex < other.layout.rootIndex }
    return key < other.key
  }
}

extension [ManagedObject] {
  /// The objects in the order of their identifiers, in which stores give them already.
  func sortedByIdentifier() -> [ManagedObject] {
    areOrderedBorrowed { $0.precedes($1) } ? self : sorted { $0.precedes($1) }
  }
}
