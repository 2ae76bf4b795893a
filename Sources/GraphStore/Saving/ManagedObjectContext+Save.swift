import GraphStoreModel

extension ManagedObjectContext {
  /// Checks all unsaved changes and writes them in one transaction a store, each object to its own.
  ///
  /// Delete rules are applied, every inserted, updated and deleted object is validated, and all failures are
  /// thrown together. A save that throws has written nothing and leaves every pending change, flag and
  /// temporary identifier as it was. Without changes nothing happens, except that metadata that wait for a
  /// save are written. Inside a coordinator's transaction the save is a part of it; observers are notified of
  /// it when that is committed.
  ///
  /// All stores are written before the first is committed. Where a commit fails after another one,
  /// `incomplete-save` names the stores of both kinds: objects of those that were written are saved, all
  /// others keep their changes.
  ///
  /// - Throws: `validation` or `multiple-validation-errors`, `delete-denied`, `merge-conflict`,
  ///   `constraint-conflict`, `no-store-for-object`, `cross-store-relationship`, `read-only-store`,
  ///   `store-timeout`, `disk-full`, `store-save-failed`, `incomplete-save`, `recursive-save`; `context-busy`
  ///   from a hook that runs while delete rules are applied, or while an object awakes and deletions wait for
  ///   them.
  public func save() throws {
    checkQueue()
    guard !saving.isRunning else {
      throw GraphStoreError(
        .recursiveSave, "save() was called while the same context is saving.",
        remedy: "Leave it to the save that is running; it takes up what its hooks change.")
    }
    if let error = saving.deferredErrors.first { throw error }
    if saving.mode == .refused { throw Self.readOnlyContext }
    guard let saved = try countingSave({ try writeChanges(&$0) }) else { return }
    notifyOnceCommitted(saved)
    tellDerivedValues()
  }

  private static var readOnlyContext: GraphStoreError {
    GraphStoreError(
      .readOnlyStore, "The context of a migration's source is only read.",
      remedy: "Change objects of the destination, or the source before it is migrated.")
  }

  /// Counts a save, and reports it to observers, if it has reached a store.
  private func countingSave(_ body: (inout PendingSave?) throws -> SavedObjects?) throws -> SavedObjects? {
    let logged = SQLLogRequest.begin()
    let clock = clock(for: TraceKind.saves.bit, isSummed: true)
    var attempt: PendingSave?
    let saved: SavedObjects?
    do { saved = try body(&attempt) } catch {
      logged?.end()
      if let attempt { recordSave(attempt, error, since: clock) }
      throw error
    }
    if let logged {
      if let attempt { logged.addSaveTime(of: attempt) }
      logged.end()
    }
    if let attempt { recordSave(attempt, nil, since: clock) }
    return saved
  }

  /// The save itself; nil where nothing was to be saved. Afterwards another one is allowed, by observers too.
  ///
  /// - Parameter attempt: The save that was passed to a store.
  private func writeChanges(_ attempt: inout PendingSave?) throws -> SavedObjects? {
    let isDeliveringChanges = delivery.changes != nil
    guard isDeliveringChanges || !unsaved.isProcessing, unsaved.awakenings == 0 || deletions.pending.isEmpty
    else {
      throw GraphStoreError(
        .contextBusy, "save() was called while delete rules are being applied, or an object awakes.",
        remedy: "Save when that has ended.")
    }
    saving.isRunning = true
    saving.misuse = nil
    saving.replacements = [:]
    saving.last = SaveSummary()
    let wasProcessing = unsaved.isProcessing
    // The event that an observer is told of has ended; what is saved belongs to further ones.
    unsaved.isProcessing = false
    defer { (saving.isRunning, unsaved.isProcessing) = (false, wasProcessing) }
    renewOldPropagation()
    try processPendingChanges()
    guard hasChanges else {
      try saveMetadata()
      detachMergedDeletions()
      return nil
    }
    notifyOfSave()
    try processPendingChanges()
    return try saveUntilResolved(&attempt)
  }

  /// Validates and writes until no conflict is met any more (CTX-100).
  ///
  /// - Throws: What the last of ten rounds has met, though it was resolved.
  private func saveUntilResolved(_ attempt: inout PendingSave?) throws -> SavedObjects {
    var round = 0
    var intended: IntendedChanges?
    defer { resumePin() }
    while true {
      try validateUntilStable()
      try throwMisuse()
      try undoManager?.prepareForSave()
      // Sorted anew: hooks may have refreshed objects, and objects that were read may have turned out to be
      // deleted.
      let changes = PendingSave(self)
      if source.writesStores, changes.isPersistent { attempt = changes }
      // From here on what is stored now counts.
      suspendPin()
      let outcome = try source.save(changes, of: self)
      // A policy that prefers the object drops nothing.
      if intended == nil, outcome.isRefused, !mergePolicy.type.prefersObject {
        intended = IntendedChanges(changes)
      }
      switch try resolveConflicts(of: outcome) {
      case .fail: return try finish(changes, outcome, intended)
      case .retry(let conflict):
        round += 1
        if round == Self.maximumConflictRounds { throw conflict }
      }
    }
  }

  /// Accesses that failed where they could not throw; every save throws the first until they are taken.
  public func takeDeferredErrors() -> [any Error] {
    checkQueue()
    defer { saving.deferredErrors = [] }
    return saving.deferredErrors
  }

  // MARK: Saving to the source

  /// Writes the metadata that wait for a save, and nothing else.
  private func saveMetadata() throws {
    if let failure = try source.save(PendingSave(), of: self).failure { throw failure }
  }

  /// Applies the outcome of a save; a failure leaves the context as it was.
  private func finish(
    _ changes: PendingSave, _ outcome: SaveOutcome, _ intended: IntendedChanges?
  ) throws -> SavedObjects {
    retireWorkingBlocks()
    switch outcome {
    case .saved(let saves):
      saving.generation += 1
      movePin()
      let renewed = saves.flatMap { publish($0, isNested: transaction != nil) }
      let saved = SavedObjects(changes, saves, writtenBack: saving.writtenBack)
      saving.last = SaveSummary(saved, intended: intended)
      finish(changes)
      noteDerivedValues(of: saves, renewed: renewed)
      return saved
    case .incomplete(let saves, let failure):
      if !saves.isEmpty {
        saving.generation += 1
        movePin()
      }
      let renewed = saves.flatMap { publish($0, isNested: transaction != nil) }
      for save in saves { finish(save) }
      noteDerivedValues(of: saves, renewed: renewed)
      renewPropagation()
      throw failure
    case .refused(_, let failure):
      renewPropagation()
      throw failure
    case .conflicts: throw unknownConflicts
    }
  }

  /// Conflicts of records without an object in the context, though it was to write them.
  private var unknownConflicts: GraphStoreError {
    GraphStoreError(
      .internalInconsistency, "A save met conflicts of objects that are not in the context.",
      remedy: "Nothing was written. Reset the context; this is a defect of the library, please report it.")
  }
}

extension SQLLogRequest {
  /// Adds the time of a save.
  fileprivate func addSaveTime(of save: PendingSave) {
    add(
      annotation: "save execution time: \(timeText) for \(save.inserted.count) inserted, "
        + "\(save.updated.count) updated, \(save.deleted.count) deleted.", level: 2)
  }
}
