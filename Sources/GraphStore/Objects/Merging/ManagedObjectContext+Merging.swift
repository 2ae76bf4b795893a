import Foundation

extension ManagedObjectContext {
  /// Merges a save of another context, taken from its notification; called on this context's queue.
  ///
  /// Only identifiers are taken from it. Of what others have *changed*, registered objects are refreshed:
  /// those without unsaved changes become faults, others keep what was set here and take everything else
  /// anew; records that are not registered are left alone. *Inserted* records are registered as faults while
  /// observers are notified. *Deleted* ones become deleted here as well, also with unsaved changes, which are
  /// lost: they stay readable, have left ``registeredObjects``, and need no save; links of this context to
  /// them are cut at the other end, which is a change to be saved. Then pending changes are processed and the
  /// merge is posted.
  ///
  /// It runs no statement where both contexts have one coordinator; the rows of another coordinator's save
  /// are read anew, by a statement an entity tree. The time grows with the save, not with the objects that
  /// are registered. A merge cannot be undone; the context's own save, or one that was merged before, changes
  /// nothing.
  ///
  /// ```swift
  /// let other = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
  /// let token = NotificationCenter.default.addObserver(
  ///   forName: ManagedObjectContext.didSaveObjectIDsNotification, object: context, queue: nil
  /// ) { notification in try? other.mergeChanges(fromContextDidSave: notification) }
  /// try context.save()
  /// NotificationCenter.default.removeObserver(token)
  /// ```
  ///
  /// - Throws: `invalid-request` for another notification than ``didSaveObjectsNotification``,
  ///   ``didSaveObjectIDsNotification`` and ``PersistentHistoryTransaction/objectIDNotification()``;
  ///   `context-busy` while this context saves or applies delete rules; what reading rows and processing
  ///   pending changes throw.
  public func mergeChanges(fromContextDidSave notification: Notification) throws {
    if let payload = ContextDidSaveObjectIDs(notification) {
      return try mergeChanges(fromContextDidSave: payload)
    }
    if let transaction = notification.historyTransaction {
      return try mergeChanges(fromHistory: [transaction])
    }
    guard let payload = ContextDidSave(notification) else {
      throw GraphStoreError(
        .invalidRequest, "\(notification.name.rawValue) is no notification of a save.",
        remedy: "Merge what is posted as didSaveObjectsNotification or didSaveObjectIDsNotification.")
    }
    try mergeChanges(fromContextDidSave: payload)
  }

  /// Merges a save of another context by the payload of did-save, as
  /// ``mergeChanges(fromContextDidSave:)-(Notification)`` does.
  ///
  /// - Throws: as that, but for `invalid-request`.
  public func mergeChanges(fromContextDidSave payload: ContextDidSave) throws {
    checkQueue()
    if payload.context !== self { try merge(SavedIdentifiers(payload)) }
  }

  /// Merges a save of another context by the payload of did-save-identifiers, as
  /// ``mergeChanges(fromContextDidSave:)-(Notification)`` does.
  ///
  /// - Throws: as that, but for `invalid-request`.
  public func mergeChanges(fromContextDidSave payload: ContextDidSaveObjectIDs) throws {
    checkQueue()
    if payload.context !== self { try merge(SavedIdentifiers(payload)) }
  }

  /// Merges a save of another context in its `Sendable` form, as
  /// ``mergeChanges(fromContextDidSave:)-(Notification)`` does.
  ///
  /// As long as it waits for that, the rows of the saved objects stay cached: the faults that it leaves fire
  /// without a statement.
  ///
  /// - Throws: as that, but for `invalid-request`.
  public func mergeChanges(fromContextDidSave changes: SavedChanges) throws {
    checkQueue()
    if changes.origin !== queue { try merge(SavedIdentifiers(changes)) }
  }

  // MARK: Merging

  /// Merges what others have changed in a store, where nothing tells of which records: the rows of all
  /// registered objects are read anew, by a statement an entity tree, and those that have none are deleted.
  func mergeUnknownChanges(in mount: Mount) throws {
    let registered = registry.all().filter { $0.key > 0 && $0.storeIndex == mount.index }
    let updated = SavedIdentifiers(updated: Set(registered.map(\.objectID)), scope: mount.scope)
    try merge(updated, deletesMissing: true)
  }

  /// Merges records that others have saved.
  func merge(_ changes: SavedIdentifiers, deletesMissing: Bool = false) throws {
    try beginMerge()
    let changes = changes.present(in: self)
    var merge = ContextMerge(self, isForeign: changes.isForeign(to: coordinator))
    // Changes by a merge are the others', and cannot be undone (CTX-364).
    try unrecorded {
      try merge.update(changes.updated, deletesMissing: deletesMissing)
      try merge.renew(changes.derived)
      try merge.insert(changes.inserted)
      try merge.delete(changes.deleted)
    }
    try processPendingChanges()
    if let report = merge.report, !report.isEmpty { deliver(report) }
  }

  /// Begins a merge: the one place for what one does to the context before it looks at anything.
  private func beginMerge() throws {
    guard !saving.isRunning, !unsaved.isProcessing || delivery.changes != nil else {
      throw GraphStoreError(
        .contextBusy,
        "Changes were merged while the context \(saving.isRunning ? "saves" : "applies delete rules").",
        remedy: "Merge them when that has ended.")
    }
    movePin()
    try readingFromSource {}
    try processPendingChanges()
  }
}
