extension ManagedObject {
  /// Takes the object out at the other ends of its transient relationships, which it loses with its values (REL-014).
  ///
  /// What no store has is nobody's change: it is neither tracked nor undone.
  final func leaveTransientLinks() {
    for relationship in layout.relationships where !relationship.isPersistent && relationship.inverse >= 0 {
      for other in knownDestinations(of: relationship) where other !== self {
        other.forgetTransientLink(other.layout.relationships[relationship.inverse], to: self)
      }
    }
  }

  /// What is known in memory of where a relationship leads.
  private final func knownDestinations(of relationship: RelationshipLayout) -> [ManagedObject] {
    if let members = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship {
      return members.members?.elements ?? []
    }
    if let known = knownDestination(relationship.ordinal) { return [known] }
    guard !relationship.isToMany, let context, let reference = currentRow?.reference(relationship.slot) else {
      return []
    }
    let layout = context.coordinator.layout.entities[reference.entity]
    return context.registry.object(layout, key: reference.key, store: storeIndex).map { [$0] } ?? []
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
