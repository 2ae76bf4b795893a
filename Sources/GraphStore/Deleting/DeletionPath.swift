/// The cascade by which an object came to be deleted (REL-198).
struct DeletionPath {
  /// The object that deletion was asked of.
  let origin: ManagedObject
  /// The relationships that lead from it to the object, in order, as `Department.employees`.
  let relationships: [String]
}

/// The cascades that have reached objects, by these.
struct DeletionPaths {
  private struct Place {
    let cascade: Int
    let position: Int
  }

  private let cascades: [Cascade]
  /// The first that has reached an object, which a later one may have been given again.
  private var places: [ObjectIdentifier: Place] = [:]

  init(_ cascades: [Cascade]) {
    self.cascades = cascades
    for (number, cascade) in cascades.enumerated() {
      for (position, link) in cascade.links.enumerated() where link.source >= 0 {
        let object = ObjectIdentifier(cascade.objects[position])
        if places[object] == nil { places[object] = Place(cascade: number, position: position) }
      }
    }
  }

  /// The cascade that has reached an object; nil where deletion was asked of it.
  func path(to object: ManagedObject) -> DeletionPath? {
    guard let place = places[ObjectIdentifier(object)] else { return nil }
    let cascade = cascades[place.cascade]
    var position = place.position
    var relationships: [String] = []
    while let relationship = cascade.relationship(at: position) {
      relationships.append(relationship.qualifiedName)
      position = Int(cascade.links[position].source)
    }
    return DeletionPath(origin: cascade.objects[position], relationships: relationships.reversed())
  }
}
