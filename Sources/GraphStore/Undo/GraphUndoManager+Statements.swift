/// What a session of statements needs of undo, each of which is saved by itself.
extension GraphUndoManager {
  /// The objects that the latest group concerns.
  package var objectsToUndo: [ManagedObject] { objects(of: undoStack.last) }

  /// The objects that the group undone last concerns.
  package var objectsToRedo: [ManagedObject] { objects(of: redoStack.last) }

  /// The objects that groups concern, from a position on.
  package func objectsToUndo(from position: Int) -> [ManagedObject] {
    ObjectSet(undoStack.dropFirst(position).flatMap { objects(of: $0) }).elements
  }

  /// What can be undone and redone at a moment.
  package struct Mark {
    let undoStack: [Group]
    let redoStack: [Group]
    let departures: Departures
  }

  /// What can be undone and redone now.
  package var mark: Mark { Mark(undoStack: undoStack, redoStack: redoStack, departures: departures) }

  /// Makes that what can be undone and redone: the objects are again what they were then.
  package func restore(_ mark: Mark) {
    restore(undoing: mark.undoStack, redoing: mark.redoStack)
    departures = mark.departures
  }

  private func objects(of group: Group?) -> [ManagedObject] {
    ObjectSet(group?.steps.flatMap(\.reversals).map(\.object) ?? []).elements
  }
}

extension ManagedObjectContext {
  /// Lets every object without unsaved changes read anew what others have saved meanwhile, and keeps what was recorded for undo.
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
