extension ManagedObject {
  /// Mutable proxy of an unordered to-many; making it reads nothing (REL-004).
  ///
  /// - Throws: `unknown-key`; `wrong-property-kind` for an ordered relationship, and for what is no to-many (REL-027).
  public final func mutableSetValue(forKey key: String) throws -> MutableRelationshipSet {
    MutableRelationshipSet(self, try proxied(key, isOrdered: false))
  }

  /// Mutable proxy of an ordered to-many; making it reads nothing.
  ///
  /// - Throws: `unknown-key`; `wrong-property-kind` for a relationship without an order, and for what is no to-many.
  public final func mutableOrderedSetValue(forKey key: String) throws -> MutableRelationshipOrderedSet {
    MutableRelationshipOrderedSet(self, try proxied(key, isOrdered: true))
  }

  private func proxied(_ key: String, isOrdered: Bool) throws -> RelationshipLayout {
    checkQueue()
    try checkUsable()
    let property = try property(forKey: key)
    let wanted = isOrdered ? "an ordered to-many" : "a to-many without an order"
    let relationship = property.kind == .toMany ? layout.relationships[property.relationship] : nil
    if let relationship, relationship.isOrdered == isOrdered { return relationship }
    let isOther = relationship != nil
    throw GraphStoreError(
      .wrongPropertyKind, "\(entity.name).\(key) is not \(wanted).",
      remedy: isOther
        ? "Use \(isOrdered ? "mutableSetValue" : "mutableOrderedSetValue")(forKey:)."
        : "Use setValue(_:forKey:).",
      entity: entity.name, property: key, objectID: objectID)
  }
}
