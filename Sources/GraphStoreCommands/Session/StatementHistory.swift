import GraphStore
import GraphStoreReports

/// History of the statements of a session, which can be undone one by one: a group of the context's undo
/// manager each.
///
/// Where each statement is saved, so is what takes it back; objects that somebody else has changed meanwhile
/// are found by the versions that their records had when this session saved them.
final class StatementHistory {
  /// How many objects it keeps in memory at most, and reads anew before each statement; of older statements
  /// none is undone.
  private static let mostObjects = 100_000

  private let manager = GraphUndoManager()
  private weak var context: ManagedObjectContext?
  private var versions: [ManagedObjectID: Int64] = [:]
  /// Whether a statement is running.
  private var isOpen = false
  private var countAtBegin = 0
  /// What could be undone and redone when the statement began that has run last, or is running; nil where
  /// nothing could be redone.
  private var markAtBegin: GraphUndoManager.Mark?

  func attach(to context: ManagedObjectContext) throws {
    try context.setUndoManager(manager)
    self.context = context
  }

  /// How many statements can be undone.
  var count: Int { manager.undoCount }

  // MARK: Statements

  /// Lets objects read what others have saved.
  func renew(_ context: ManagedObjectContext) {
    if manager.canUndo || manager.canRedo { return context.renewObjects() }
    versions = [:]
    context.reset()
  }

  func begin() {
    guard !isOpen else { return }
    isOpen = true
    // Where nothing can be redone, undoing the statement leads back; a mark would have the next change copy
    // the whole stack.
    (countAtBegin, markAtBegin) = (manager.undoCount, manager.canRedo ? manager.mark : nil)
    manager.beginUndoGrouping()
  }

  /// Ends a statement that has succeeded.
  func end(isSaved: Bool) throws {
    try close()
    markAtBegin = nil
    guard isSaved, manager.undoCount > countAtBegin else { return }
    manager.keepObjects(atMost: Self.mostObjects)
    recordVersions(of: manager.objectsToUndo)
  }

  /// Forgets what could be undone: objects are changed past the context, as by an import.
  func endUndo() { manager.removeAllActions() }

  private func close() throws {
    guard isOpen else { return }
    isOpen = false
    try context?.processPendingChanges()
    try manager.endUndoGrouping()
  }

  /// Names the statement that has run last.
  func name(_ text: String) {
    if manager.undoCount > countAtBegin { manager.setActionName(text) }
  }

  /// Takes back what a statement that has failed has changed; what was unsaved before stays, and so does what
  /// could be redone.
  func takeBack(in context: ManagedObjectContext) {
    let count = isOpen ? countAtBegin : manager.undoCount
    do {
      try context.processPendingChanges()
      try close()
      if manager.undoCount > count {
        try undo(to: count)
        if let markAtBegin { manager.restore(markAtBegin) }
      }
      markAtBegin = nil
      _ = context.takeDeferredErrors()
    } catch {
      context.rollback()
    }
  }

  // MARK: Undoing

  /// Undoes the last statement; gives its text, nil where there is none.
  ///
  /// - Parameter save: Saves the opposite change, in a transaction with what it is given; nil leaves it
  ///   unsaved.
  func undo(in context: ManagedObjectContext, save: ((() throws -> Void) throws -> Void)?) throws -> String? {
    guard manager.canUndo else { return nil }
    let text = manager.undoActionName ?? "a change"
    try carryOut(
      manager.objectsToUndo, in: context, save, manager.undo, takingBack: manager.redo,
      concerned: { manager.objectsToRedo })
    return text
  }

  /// Brings back the statement that was undone last.
  func redo(in context: ManagedObjectContext, save: ((() throws -> Void) throws -> Void)?) throws -> String? {
    guard manager.canRedo else { return nil }
    let text = manager.redoActionName ?? "a change"
    try carryOut(
      manager.objectsToRedo, in: context, save, manager.redo, takingBack: manager.undo,
      concerned: { manager.objectsToUndo })
    return text
  }

  private func carryOut(
    _ objects: [ManagedObject], in context: ManagedObjectContext,
    _ save: ((() throws -> Void) throws -> Void)?,
    _ body: () throws -> [ManagedObjectID], takingBack: () throws -> [ManagedObjectID],
    concerned: () -> [ManagedObject]
  ) throws {
    // Somebody else's changes are not overwritten by taking back one's own.
    context.mergePolicy = .error
    guard let save else {
      let unreached = try body()
      guard unreached.isEmpty else {
        _ = try takingBack()
        throw refusal(unreached[0], "is gone")
      }
      return
    }
    var isDone = false
    do {
      try save {
        context.renewObjects()
        try checkVersions(of: objects, in: context)
        let unreached = try body()
        isDone = true
        if let first = unreached.first { throw refusal(first, "was deleted by somebody else") }
        try context.save()
      }
    } catch {
      if isDone, context.undoManager === manager { _ = try? takingBack() }
      throw error
    }
    // Links of what has returned may concern others than the statement did.
    recordVersions(of: objects + concerned())
  }

  private func checkVersions(of objects: [ManagedObject], in context: ManagedObjectContext) throws {
    for object in objects {
      guard let known = versions[object.objectID] else { continue }
      let present = try context.version(of: object)
      if let present, present != known { throw refusal(object.objectID, "was changed by somebody else") }
    }
  }

  /// Takes note of the versions that records have now. Within a transaction objects do not know them after a
  /// save.
  private func recordVersions(of objects: [ManagedObject]) {
    guard let context else { return }
    context.renewObjects()
    let present = objects.filter { $0.managedObjectContext === context && !$0.isInserted }
    try? context.realizeFaults(in: present)
    for object in present { versions[object.objectID] = try? context.version(of: object) }
  }

  private func refusal(_ id: ManagedObjectID, _ what: String) -> Diagnostic {
    var result = Diagnostic(
      code: GraphStoreError.Code.mergeConflict.rawValue,
      message: "\(id.shortForm) \(what) since; nothing is undone or redone",
      hints: [
        "look at it with get \(id.shortForm), and change by hand what this statement and older ones have "
          + "done: none of them is undone before this one"
      ], entity: id.entity.name, exitCode: .refused)
    result.object = id.shortForm
    return result
  }

  // MARK: Transactions

  /// What can be undone and redone now, where nothing is unsaved.
  var mark: GraphUndoManager.Mark { manager.mark }

  /// Takes note that objects are saved that were changed within a transaction, by statements or by undoing
  /// some, and what else statements concern that were run since a count of them.
  func recordSave(of changed: [ManagedObject], since count: Int) {
    recordVersions(of: changed + manager.objectsToUndo(from: count))
  }

  /// Drops all unsaved changes; what could be undone and redone before them is that again.
  func rollback(_ context: ManagedObjectContext, to mark: GraphUndoManager.Mark) {
    context.rollback()
    manager.restore(mark)
  }

  /// Undoes statements until only so many are left, and forgets them; false where fewer are left already.
  func returnTo(_ count: Int) throws -> Bool {
    guard manager.undoCount >= count else { return false }
    try undo(to: count)
    return true
  }

  /// What could be redone before is kept where nothing is undone.
  private func undo(to count: Int) throws {
    guard manager.undoCount > count else { return }
    while manager.undoCount > count { try manager.undo() }
    manager.removeRedoActions()
  }
}
