extension ManagedObject {
  /// Whether the values are not in memory yet; reading one fires the fault.
  public final var isFault: Bool {
    checkQueue()
    return state.contains(.fault)
  }

  /// Whether the object has never been saved.
  public final var isInserted: Bool {
    checkQueue()
    return state.isInsertion
  }

  /// Whether a property of the saved object was set since the last save, even to an equal value (OBJ-091).
  public final var isUpdated: Bool {
    checkQueue()
    return state.isUpdate
  }

  /// Whether the object is going to be deleted by the next save.
  public final var isDeleted: Bool {
    checkQueue()
    return state.isDeletion
  }

  /// Whether the next save deletes a record.
  final var isToBeDeleted: Bool { state.isDeletion && !state.contains(.inserted) }

  /// Whether the object is inserted, updated or deleted.
  public final var hasChanges: Bool {
    checkQueue()
    return !state.isDisjoint(with: .changed) && !state.contains(.detached)
  }

  /// Whether a persistent value differs from the last fetched or saved one (OBJ-094).
  public final var hasPersistentChangedValues: Bool {
    checkQueue()
    return !changedKeys.isEmpty
  }

  /// The names of persistent properties that differ from the last fetched or saved state (OBJ-097).
  ///
  /// For an inserted object these are the properties that were set.
  public final var changedKeys: [String] {
    checkQueue()
    guard let extra, !state.isDisjoint(with: .changed) else { return [] }
    return layout.properties.filter { $0.isPersistent && isChanged($0, extra) }.map(\.name)
  }

  private func isChanged(_ property: PropertyLayout, _ extra: ObjectExtra) -> Bool {
    if property.kind == .toMany {
      return (relationshipIfTouched(property.relationship) as? ToManyRelationship)?.hasChanges ?? false
    }
    guard property.slot >= 0, extra.touched.contains(property.number) else { return false }
    guard let committed = extra.committed, let row = currentRow else { return true }
    return !row.isEqual(committed, property)
  }

  /// Whether the members of a to-many that a store keeps have changed since the last save.
  final var hasChangedMembers: Bool {
    extra?.relationships.contains { ($0 as? ToManyRelationship)?.hasChanges == true } == true
      && layout.relationships.contains { relationship in
        relationship.isToMany && relationship.isPersistent
          && (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.hasChanges == true
      }
  }

  final var currentRow: Row? { block.map { Row(block: $0, index: Int(rowIndex)) } }
}
