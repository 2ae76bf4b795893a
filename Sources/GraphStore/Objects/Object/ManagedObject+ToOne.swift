import GraphStoreModel
import GraphStorePredicates

extension ManagedObject {
  /// The destination of a to-one: the registered object, or a new fault; no statement runs on a realised
  /// object.
  final func object(of relationship: RelationshipLayout) throws -> ManagedObject? {
    if isCut(relationship) {
      try checkUsable()
      return nil
    }
    return try storedObject(of: relationship)
  }

  /// Whether the object's deletion has emptied a relationship (REL-215).
  final func isCut(_ relationship: RelationshipLayout) -> Bool {
    guard state.contains(.propagated) else { return false }
    return relationship.deleteRule == .nullify || relationship.deleteRule == .cascade
  }

  /// The destination of a to-one, also of an object whose deletion has been propagated.
  final func storedObject(of relationship: RelationshipLayout) throws -> ManagedObject? {
    try realize()
    if let known = knownDestination(relationship.ordinal), known.isSoleRepresentative { return known }
    guard let context, let reference = currentRow?.reference(relationship.slot) else { return nil }
    let object = context.object(reference, storeIndex: storeIndex)
    if let object, !relationship.leads(to: object.layout) { throw misled(to: object, relationship) }
    setDestination(relationship.ordinal, object)
    return object
  }

  /// Whether no other object can represent this one's record: it is in its context, or it was still to be
  /// inserted when it left, so that no store has its record. The key alone says nothing of that: it can be
  /// obtained before the first save, and undo assigns a record its former one.
  private final var isSoleRepresentative: Bool {
    key < 0 || state.isDisjoint(with: [.detached, .invalidated]) || state.contains(.assigned)
  }

  /// Points a to-one elsewhere; the inverse and every third object concerned follow at once.
  final func setObject(_ new: ManagedObject?, of relationship: RelationshipLayout) throws {
    if state.contains(.refaulting) { return }
    try checkChangeable()
    if let new { try checkDestination(new, of: relationship) }
    let property = layout.properties[relationship.number]
    guard state.isDisjoint(with: .awakening) || state.contains(.inserted) else {
      throw changeDisabled(property)
    }
    let old = try object(of: relationship)
    if old !== new { try realizePartners(old, new, of: relationship) }
    try reportingChanges {
      try prepareChange(of: property)
      if old === new { return }
      if relationship.inverse >= 0 {
        try moveInverse(of: relationship, from: old, to: new)
      }
      writeReference(new, of: relationship)
    }
  }

  /// Writes a reference into the object's own row, and nothing else.
  final func writeReference(_ destination: ManagedObject?, of relationship: RelationshipLayout) {
    guard let block else { return }
    if let destination {
      block.setWord(
        Int(rowIndex), relationship.slot,
        PackedReference(entity: destination.layout.index, key: destination.key).bits)
    } else {
      block.setNull(Int(rowIndex), relationship.slot)
    }
    setDestination(relationship.ordinal, destination)
  }

  // MARK: Checks

  final func checkDestination(_ object: ManagedObject, of relationship: RelationshipLayout) throws {
    let name = relationship.description.name
    try object.checkChangeable()
    guard let context, let other = object.context, other === context else {
      throw contextMismatch(object, relationship)
    }
    guard object.entity.isKind(of: relationship.destinationEntity) else {
      throw GraphStoreError(
        .wrongDestination,
        "\(entity.name).\(name) leads to \(relationship.destinationEntity.name), not to \(object.entity.name).",
        remedy: "Give an object of that entity or of one of its sub-entities.", entity: entity.name,
        property: name, objectID: objectID, value: .object(ObjectReference(object.objectID)))
    }
    if var error = relationship.refusal(of: entity) {
      error.objectID = objectID
      throw error
    }
  }

  /// The error for a reference to a record of an entity that the relationship does not lead to, as a damaged
  /// store has it.
  @inline(never)
  private func misled(to object: ManagedObject, _ relationship: RelationshipLayout) -> GraphStoreError {
    var error = StoredKey.error(
      referenceTo: object.objectID.shortForm, in: relationship.description.name, of: entity.name, key: key)
    error.objectID = objectID
    return error
  }

  private func contextMismatch(_ object: ManagedObject, _ relationship: RelationshipLayout) -> GraphStoreError
  {
    let name = relationship.description.name
    let contexts = [self, object].map { $0.context?.nameForMessages ?? "no context" }
    return GraphStoreError(
      .contextMismatch,
      "Illegal attempt to establish a relationship '\(name)' between objects in different contexts:"
        + " \(objectID.shortForm) in \(contexts[0]) and \(object.objectID.shortForm) in \(contexts[1]).",
      remedy: "Take the object by its identifier in this context.", entity: entity.name, property: name,
      objectID: objectID)
  }

  private func changeDisabled(_ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(
      .changeProcessingDisabled, "\(entity.name).\(property.name) cannot be set in awakeFromFetch.",
      remedy: "Set relationships after the object was fetched.", entity: entity.name, property: property.name,
      objectID: objectID)
  }
}

extension ManagedObject {
  /// Takes the object out at the other ends of its transient relationships, which it loses with its values
  /// (REL-014).
  ///
  /// A transient link is no change: it is neither tracked nor undone.
  final func leaveTransientLinks() {
    for relationship in layout.relationships where !relationship.isPersistent && relationship.inverse >= 0 {
      for other in knownDestinations(of: relationship) where other !== self {
        other.forgetTransientLink(other.layout.relationships[relationship.inverse], to: self)
      }
    }
  }

  private final func forgetTransientLink(_ relationship: RelationshipLayout, to gone: ManagedObject) {
    if state.contains(.invalidated) || state.contains(.detached) { return }
    if relationship.isToMany {
      (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.drop { $0 === gone }
    } else if currentRow?.reference(relationship.slot)?.key == gone.key {
      clearReferences([relationship])
    }
  }

  /// Empties the transient to-ones of a row that was kept when they led somewhere.
  final func clearTransientReferences() {
    clearReferences(layout.relationships.filter { !$0.isPersistent && !$0.isToMany })
  }

  /// Empties references in a row, which is copied where others may have it.
  private final func clearReferences(_ relationships: [RelationshipLayout]) {
    guard let row = currentRow, relationships.contains(where: { row.reference($0.slot) != nil }) else {
      return
    }
    var own = row
    if !state.contains(.ownsRow) {
      let block = RowBlock(layout: layout, capacity: 1)
      own = Row(block: block, index: block.appendRow(copying: row))
      attach(own)
    }
    for relationship in relationships {
      own.block.setNull(own.index, relationship.slot)
      setDestination(relationship.ordinal, nil)
    }
  }
}
