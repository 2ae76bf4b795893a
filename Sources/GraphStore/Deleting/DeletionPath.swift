/// The cascade by which an object came to be deleted (REL-198).
struct DeletionPath {
  /// The object that deletion was asked of.
  let origin: ManagedObject
  /// The relationships that lead from it to the object, in order, as `Department.employees`.
  let relationships: [String]
}

/// The cascades of some runs of delete rules, by the objects that they have reached.
struct DeletionPaths {
  private struct Place {
    let run: Int
    let position: Int
  }

  private let runs: [[DeletionPropagation.Entry]]
  /// The first that has reached an object, which a later run may have been given again.
  private var places: [ObjectIdentifier: Place] = [:]

  init(_ runs: [[DeletionPropagation.Entry]]) {
    self.runs = runs
    for (run, entries) in runs.enumerated() {
      for (position, entry) in entries.enumerated() where entry.source >= 0 {
        let object = ObjectIdentifier(entry.object)
        if places[object] == nil { places[object] = Place(run: run, position: position) }
      }
    }
  }

  /// The cascade that has reached an object; nil where deletion was asked of it.
  func path(to object: ManagedObject) -> DeletionPath? {
    guard let place = places[ObjectIdentifier(object)] else { return nil }
    let entries = runs[place.run]
    var entry = entries[place.position]
    var relationships: [String] = []
    while entry.source >= 0 {
      let source = entries[Int(entry.source)]
      relationships.append(source.object.layout.relationships[Int(entry.link)].qualifiedName)
      entry = source
    }
    return DeletionPath(origin: entry.object, relationships: relationships.reversed())
  }
}
