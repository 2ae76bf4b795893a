import GraphStoreModel

/// Uniqueness constraint: properties whose values no two objects of an entity and its sub-entities may share (MDL-293).
struct UniquenessConstraint: Hashable {
  /// The entity that declares it.
  let declaring: EntityDescription
  /// Its position among those that the entity declares.
  let position: Int

  static func == (left: Self, right: Self) -> Bool {
    left.declaring === right.declaring && left.position == right.position
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(declaring))
    hasher.combine(position)
  }

  /// The names of its properties, as they were declared.
  var names: [String] { declaring.ownUniquenessConstraints[position].map(\.name) }
}

extension EntityLayout {
  /// The constraints that bind objects of the entity: its own, then those of the entities above it.
  var uniquenessConstraints: [UniquenessConstraint] {
    var found: [UniquenessConstraint] = []
    var declaring: EntityDescription? = entity
    while let entity = declaring {
      found += entity.ownUniquenessConstraints.indices.map {
        UniquenessConstraint(declaring: entity, position: $0)
      }
      declaring = entity.superentity
    }
    return found
  }

  /// The properties of a constraint, in the order of the entity's.
  func properties(of constraint: UniquenessConstraint) -> [PropertyLayout] {
    let names = Set(constraint.names)
    return properties.filter { names.contains($0.name) }
  }
}
