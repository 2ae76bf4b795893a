/// The cascade by which an object came to be deleted (REL-198).
struct DeletionPath {
  /// The object that deletion was asked of.
  let origin: ManagedObject
  /// The relationships that lead from it to the object, in order, as `Department.employees`.
  let relationships: [String]

  /// Nil for an object of which deletion was asked, or that is not among the entries.
  init?(to object: ManagedObject, in entries: [DeletionPropagation.Entry]) {
    guard var entry = entries.first(where: { $0.object === object && $0.source >= 0 }) else { return nil }
    var relationships: [String] = []
    while entry.source >= 0 {
      let source = entries[Int(entry.source)]
      relationships.append(source.object.layout.relationships[Int(entry.link)].qualifiedName)
      entry = source
    }
    self.relationships = relationships.reversed()
    origin = entry.object
  }
}
