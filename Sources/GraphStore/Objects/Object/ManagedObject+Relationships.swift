extension ManagedObject {
  /// The destination of a to-one, or nil.
  ///
  /// - Throws: `unknown-key`, `wrong-property-kind`, and what firing a fault throws.
  public final func object(forKey key: String) throws -> ManagedObject? {
    checkQueue()
    return try object(of: try toOneRelationship(forKey: key))
  }

  /// The members of a to-many: in order if it is ordered, otherwise by ascending identifier with unsaved
  /// objects last.
  ///
  /// The first call costs one statement; members are registered objects where there are some, faults
  /// otherwise.
  public final func objects(forKey key: String) throws -> [ManagedObject] {
    checkQueue()
    let relationship = try toManyRelationship(forKey: key)
    let members = try members(of: relationship)
    return relationship.isOrdered ? members : members.sortedByIdentifier()
  }

  /// Adds objects to a to-many; the other ends follow at once.
  ///
  /// Adding to an unresolved relationship does not read its members. A class that declares mutators for the
  /// relationship has its own called (``relationshipMutators``).
  public final func addObjects(_ objects: [ManagedObject], forKey key: String) throws {
    checkQueue()
    if let mutators = declarations?.mutators[key] { return try mutators.add(self, objects) }
    try add(objects, to: try toManyRelationship(forKey: key))
  }

  /// Removes objects from a to-many; the other ends follow at once.
  public final func removeObjects(_ objects: [ManagedObject], forKey key: String) throws {
    checkQueue()
    if let mutators = declarations?.mutators[key] { return try mutators.remove(self, objects) }
    try remove(objects, from: try toManyRelationship(forKey: key))
  }

  /// Whether a to-many has not been read, or a to-one's destination is a fault or not registered.
  public final func hasFault(forRelationshipNamed key: String) throws -> Bool {
    checkQueue()
    let relationship = try relationship(forKey: key)
    guard relationship.isToMany else {
      if isFault { return true }
      if let known = knownDestination(relationship.ordinal) { return known.isFault }
      guard let reference = currentRow?.reference(relationship.slot) else { return false }
      let layout = context?.coordinator.layout.entities[reference.entity]
      return layout.flatMap { context?.registry.object($0, key: reference.key, store: storeIndex) }?.isFault
        ?? true
    }
    return !toMany(relationship).isResolved
  }

  /// The identifiers of the members of a relationship, in their order if it is ordered; no member is made or
  /// fired.
  ///
  /// A to-one costs no statement on an object that has its values, a to-many that was not read one, and stays
  /// unread. Unsaved changes are in it.
  ///
  /// - Throws: `unknown-key`, `wrong-property-kind` for an attribute; what firing a fault and reading members
  ///   throw.
  public final func objectIDs(forRelationshipNamed key: String) throws -> [ManagedObjectID] {
    checkQueue()
    let relationship = try relationship(forKey: key)
    if isCut(relationship) {
      try checkUsable()
      return []
    }
    guard relationship.isToMany else {
      try realize()
      return currentRow.flatMap { identifier(of: relationship, in: $0) }.map { [$0] } ?? []
    }
    let members = toMany(relationship)
    guard !members.isResolved, let context else {
      return try self.members(of: relationship).map(\.objectID)
    }
    return try context.memberIdentifiers(relationship, of: self, members)
  }

  final func relationship(forKey key: String) throws -> RelationshipLayout {
    let property = try property(forKey: key)
    guard property.relationship >= 0 else {
      throw wrongKind(key, kind: "an attribute", call: "value(forKey:)")
    }
    return layout.relationships[property.relationship]
  }

  final func toOneRelationship(forKey key: String) throws -> RelationshipLayout {
    let relationship = try relationship(forKey: key)
    guard !relationship.isToMany else {
      throw wrongKind(key, kind: "a to-many relationship", call: "objects(forKey:)")
    }
    return relationship
  }

  final func toManyRelationship(forKey key: String) throws -> RelationshipLayout {
    let relationship = try relationship(forKey: key)
    guard relationship.isToMany else {
      throw wrongKind(key, kind: "a to-one relationship", call: "setValue(_:forKey:)")
    }
    return relationship
  }

  private func wrongKind(_ key: String, kind: String, call: String) -> GraphStoreError {
    GraphStoreError(
      .wrongPropertyKind, "\(entity.name).\(key) is \(kind).", remedy: "Use \(call).", entity: entity.name,
      property: key, objectID: objectID)
  }
}
