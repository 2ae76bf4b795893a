import GraphStorePredicates

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

  /// Whether a property of the saved object was set since the last save, even to an equal value.
  public final var isUpdated: Bool {
    checkQueue()
    return state.isUpdate
  }

  /// Whether the object is going to be deleted by the next save.
  public final var isDeleted: Bool {
    checkQueue()
    return state.isDeletion
  }

  /// Whether the object is of a class of the program's own, which may have hooks, rules and accessors.
  @inline(__always)
  final var hasOwnClass: Bool { type(of: self) != ManagedObject.self }

  /// Whether the object is in its context and is to stay there, so that links can lead to it.
  final var isPresent: Bool { state.isDisjoint(with: [.deleted, .detached, .invalidated]) }

  /// Whether the next save deletes a record.
  final var isToBeDeleted: Bool { state.isDeletion && !state.contains(.inserted) }

  /// The state of faulting: 0 for a realised object at rest, 1 for a fault, 2 while the object is realised or
  /// becomes a fault and a hook runs. Fires nothing.
  public final var faultingState: Int {
    checkQueue()
    if state.contains(.refaulting) || (state.contains(.awakening) && !state.contains(.inserted)) { return 2 }
    return state.contains(.fault) ? 1 : 0
  }

  /// Whether the object is inserted, updated or deleted.
  public final var hasChanges: Bool {
    checkQueue()
    return !state.isDisjoint(with: .changed) && !state.contains(.detached)
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

  /// The row as it was last fetched or saved; of a new object its own.
  final var committedRow: Row? { extra?.committed ?? currentRow }
}

extension ManagedObject: ValueConvertible {
  /// The object's identifier.
  public final var queryValue: Value { .object(ObjectReference(objectID)) }
}

extension ManagedObjectID: ValueConvertible {
  /// The identifier as a value.
  public var queryValue: Value { .object(ObjectReference(self)) }
}

extension RecordKey {
  init(_ object: ManagedObject) { self.init(root: object.layout.rootIndex, key: object.key) }
}

extension RecordLocation {
  init(_ object: ManagedObject) { self.init(storeIndex: object.storeIndex, key: object.key) }
}
