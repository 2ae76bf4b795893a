extension EntityDefinition {
  /// What of the definition enters the version hash, besides the parent's own, in an order of its own: two entities whose
  /// parents are alike have equal hashes exactly when these are equal.
  var hashedPart: EntityDefinition {
    EntityDefinition(
      name, parent: parent, isAbstract: isAbstract,
      attributes: attributes.filter { !$0.isTransient }.map(\.hashedPart).sorted {
        $0.name.precedes($1.name)
      },
      relationships: relationships.filter { !$0.isTransient }.map(\.hashedPart)
        .sorted { $0.name.precedes($1.name) },
      uniquenessConstraints: Set(uniquenessConstraints.map { $0.sorted { $0.precedes($1) } })
        .sorted { $0.lexicographicallyPrecedes($1) { $0.precedes($1) } },
      versionHashModifier: versionHashModifier)
  }
}

extension AttributeDefinition {
  /// What of the definition enters the version hash.
  var hashedPart: AttributeDefinition {
    AttributeDefinition(
      name, type, isOptional: isOptional, derivation: derivation,
      elements: elements.map(\.hashedPart).sorted { $0.name.precedes($1.name) },
      versionHashModifier: versionHashModifier)
  }
}

extension RelationshipDefinition {
  /// What of the definition enters the version hash.
  var hashedPart: RelationshipDefinition {
    RelationshipDefinition(
      name, to: destination, inverse: inverse, isToMany: isToMany, isOrdered: isOrdered,
      isOptional: isOptional, minCount: minCount, maxCount: isToMany ? maxCount : 0,
      versionHashModifier: versionHashModifier)
  }
}

extension String {
  fileprivate func precedes(_ other: String) -> Bool { VersionHash.precedes(self, other) }
}
