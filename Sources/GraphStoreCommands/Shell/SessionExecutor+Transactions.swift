import GraphStore
import GraphStoreReports

extension SessionExecutor {
  func begin() throws {
    try lookForOthersAnew()
    present.begin()
  }

  func commit() throws -> CommitOutcome {
    lookForOthers()
    if present.isScratch { return try commitScratch() }
    let context = try context()
    let inserted = context.insertedObjects.map { (former: $0.objectID.shortForm, object: $0) }
    context.mergePolicy = policy.mergePolicy
    let changed = context.insertedObjects + context.updatedObjects
    if context.coordinator.currentTransaction != nil {
      try context.save()
    } else {
      SaveProgress.begin()
      try SaveProgress.commit(reaching: .part) { try context.save() }
    }
    let summary = context.lastSave
    present.history.recordSave(of: changed, since: present.countAtBegin)
    present.end()
    restartWatch()
    let identifiers: [(String, String)] = inserted.compactMap { former, object in
      let saved = context.replacement(of: object) ?? object
      guard !saved.objectID.isTemporaryID else { return nil }
      session.formerIdentifiers[former] = saved.objectID
      return (former, saved.objectID.shortForm)
    }
    return CommitOutcome(summary: summary, identifiers: identifiers)
  }

  func rollback() throws {
    present.rollback()
    present.isChangedElsewhere = false
  }

  func savepoint(_ name: String) throws { present.setSavepoint(name) }

  func rollback(to name: String) throws -> Bool { try present.rollback(to: name) }

  // MARK: Undo

  func undo() throws -> String? {
    defer { present.forgetUndoneSavepoints() }
    return try unwatched { try present.history.undo(in: context(), save: saver()) }
  }

  func redo() throws -> String? {
    try unwatched { try present.history.redo(in: context(), save: saver()) }
  }

  /// Runs what may save.
  private func unwatched<Result>(_ body: () throws -> Result) throws -> Result {
    try lookForOthersAnew()
    defer { if !present.keepsChanges { watch.skip() } }
    return try body()
  }

  /// What saves an undone statement where each is saved by itself.
  private func saver() throws -> ((() throws -> Void) throws -> Void)? {
    guard !present.keepsChanges else { return nil }
    let context = try context()
    return { body in
      guard context.coordinator.currentTransaction == nil else { return try body() }
      try CommandTransaction.run(on: context.coordinator, with: context, reaching: .part) { _ in try body() }
    }
  }

  // MARK: Other programs

  /// Looks for what others have written.
  func lookForOthers() {
    guard watch.look() else { return }
    for context in contexts.all { context.isChangedElsewhere = true }
  }

  /// Looks for it before a statement, which reads it unless changes are kept.
  func lookForOthersAnew() throws {
    if !present.keepsChanges {
      _ = try reloadStores()
      present.isChangedElsewhere = false
    }
    lookForOthers()
  }

  /// Takes note that what others have saved is known in the present context.
  func restartWatch() {
    watch.skip()
    present.isChangedElsewhere = false
  }
}
