import GraphStorePredicates
import OrderedCollections

/// Undo for a session of statements, each of which is saved by itself.
extension GraphUndoManager {
  /// The objects that the latest group concerns.
  package var objectsToUndo: [ManagedObject] { objects(of: undoStack.last) }

  /// The objects that the group undone last concerns.
  package var objectsToRedo: [ManagedObject] { objects(of: redoStack.last) }

  /// The objects that groups concern, from a position on.
  package func objectsToUndo(from position: Int) -> [ManagedObject] {
    ObjectSet(undoStack.dropFirst(position).flatMap { objects(of: $0) }).elements
  }

  /// State of the undo and redo stacks at one time.
  package struct Mark {
    let undoStack: [Group]
    let redoStack: [Group]
    let removedObjects: RemovedObjects
  }

  /// The present state of the undo and redo stacks.
  package var mark: Mark { Mark(undoStack: undoStack, redoStack: redoStack, removedObjects: removedObjects) }

  /// Makes that what can be undone and redone: the objects are again what they were then.
  package func restore(_ mark: Mark) {
    restore(undoing: mark.undoStack, redoing: mark.redoStack)
    removedObjects = mark.removedObjects
  }

  private func objects(of group: Group?) -> [ManagedObject] {
    ObjectSet(group?.steps.flatMap(\.reversals).map(\.object) ?? []).elements
  }
}

extension ManagedObjectContext {
  /// Lets every object without unsaved changes read anew the values that others have saved meanwhile, and
  /// keeps the undo steps.
  package func renewObjects() {
    checkQueue()
    for object in registry.all() where object.state.isDisjoint(with: .changed) && isSaved(object) {
      // A fault without a row has been renewed before, and not read since.
      let isFault = object.state.contains(.fault)
      if isFault, object.block == nil { continue }
      registry.caches[Int(object.storeIndex)].forget(object.layout.rootIndex, [object.key])
      if isFault {
        object.dropRow()
        object.dropAttachment()
      } else {
        object.turnIntoFault()
      }
    }
  }

  /// The version of an object's record, as far as the context knows it; nil for one that is in no store.
  package func version(of object: ManagedObject) throws -> Int64? {
    guard object.context === self, object.key > 0, !object.state.contains(.inserted) else { return nil }
    try object.realize()
    guard !object.state.contains(.inaccessible) else { return nil }
    return object.currentRow?.version
  }
}

/// Memberships in one-way to-manys of records that a save deletes: they are deleted with the members' rows,
/// and no member knows of them.
extension GraphUndoManager {
  /// Reads to what owners records belong that a save deletes, with two statements a relationship and store
  /// (OBJ-410).
  func keepMemberships(of deleted: [ManagedObject], in context: ManagedObjectContext) throws {
    for layout in context.coordinator.layout.entities {
      for relationship in layout.relationships
      where relationship.isToMany && relationship.isPersistent && relationship.inverse < 0
        && relationship.description.entityIndex == layout.index
      {
        let members = deleted.filter {
          $0.key > 0 && !$0.isInserted && $0.entity.isKind(of: relationship.destinationEntity)
        }
        if !members.isEmpty { try keepMemberships(of: members, in: relationship, layout, context) }
      }
    }
  }

  private func keepMemberships(
    of deleted: [ManagedObject], in relationship: RelationshipLayout, _ layout: EntityLayout,
    _ context: ManagedObjectContext
  ) throws {
    let gone = Dictionary(deleted.map { (ObjectKey(entity: $0.layout.index, key: $0.key), $0) }) { first, _ in
      first
    }
    let owners = try owners(of: deleted, relationship, layout, context)
    for (store, owners) in OrderedDictionary(grouping: owners, by: \.storeIndex) {
      let links = try context.readingOnce(from: store) {
        try $0.members(relationship, owners: owners.map(\.key))
      }
      let linksByOwner = Dictionary(grouping: links, by: \.owner)
      for owner in owners {
        let links = linksByOwner[owner.key] ?? []
        let order = relationship.isOrdered ? context.faults(links[...], store) : nil
        for member in links.compactMap({ gone[$0.member] }) where member.storeIndex == store {
          removedObjects.keep(
            RemovedObject.Membership(owner: owner, ordinal: relationship.ordinal, order: order), of: member)
        }
      }
    }
  }

  /// The stored owners of some members that are not deleted themselves.
  private func owners(
    of members: [ManagedObject], _ relationship: RelationshipLayout, _ layout: EntityLayout,
    _ context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    let list = Value.list(members.map { .object(ObjectReference($0.objectID)) })
    var request = FetchRequest<ManagedObject>(
      entityName: layout.entity.name,
      predicate: .comparison(
        QueryComparison(
          left: .key(relationship.description.name), modifier: .any, comparator: .in,
          right: QueryExpression(.constant(list)))))
    request.includesPendingChanges = false
    return try context.fetch(request).filter { !$0.isDeleted }
  }
}
