import GraphStoreModel

extension ManagedObjectContext {
  /// Closes the event that is open: applies delete rules, registers what has changed for undo, and notifies
  /// observers.
  ///
  /// Changes by observers are a further event, which is closed right away. It runs by itself at the end of
  /// the outermost block, before a save, a fetch that includes pending changes, undo, redo, rollback and
  /// obtaining identifiers; a main-queue context that is used without blocks may call it at any time. Without
  /// changes it does nothing, and inside of `awakeFromInsert` and `awakeFromFetch` it is deferred. It costs
  /// time in proportion to the objects that have changed since the last time.
  ///
  /// - Throws: what reading the objects throws that deletions concern; `changes-do-not-settle` after 1,000
  ///   rounds of changes by observers; `context-busy` where one of them has called ``rollback()`` or
  ///   ``reset()``.
  public func processPendingChanges() throws {
    checkQueue()
    guard !unsaved.isProcessing, unsaved.awakenings == 0 else { return }
    forgetRemovedStores()
    if !fetching.heldRows.isEmpty { fetching.heldRows = [] }
    guard !deletions.pending.isEmpty || hasOpenEvent else { return }
    unsaved.isProcessing = true
    defer { unsaved.isProcessing = false }
    var last = ContextChanges()
    for _ in 0..<Self.maximumRounds {
      if propagatesDeletesAtEndOfEvent || saving.isRunning { try propagateDeletions() }
      guard hasOpenEvent else { return }
      last = closeEvent()
      try throwMisuse()
    }
    throw unstable("Observers of changes changed something", last.objects.map { ($0, $0.changedKeys) })
  }

  static let maximumRounds = 1000

  /// Ends the event and notifies its readers.
  private func closeEvent() -> ContextChanges {
    let changes = endEvent()
    if changes.isEmpty { return changes }
    undoManager?.register(changes)
    deliver(changes)
    return changes
  }

  /// Whether the changes of an event have a consumer.
  var consumesChanges: Bool { undoManager?.isRegistering == true || deliversChanges }

  /// The error of changes that never end, with the objects and keys of the last rounds.
  func unstable(
    _ what: String, _ changes: [(object: ManagedObject, keys: [String])]
  ) -> GraphStoreError {
    var error = GraphStoreError(
      .changesDoNotSettle, "\(what) in each of \(Self.maximumRounds) rounds.",
      remedy: "Compare before setting.")
    let shown = changes.prefix(20)
    error.relatedObjects = shown.map(\.object.objectID)
    error.details = shown.map { "\($0.object.objectID.shortForm): \($0.keys.joined(separator: ", "))" }
    return error
  }

  // MARK: Misuse

  /// - Throws: `context-busy` while the context saves or processes changes.
  func checkIdle(before call: String) throws {
    if saving.isRunning || unsaved.isProcessing { throw busy(call) }
  }

  private func busy(_ call: String) -> GraphStoreError {
    GraphStoreError(
      .contextBusy,
      "\(call) was called while the context \(saving.isRunning ? "saves" : "processes changes").",
      remedy: "Call it when the save or the processing has ended.")
  }

  /// Records a call that is not allowed while the context saves or processes changes; true where it is
  /// (CTX-143).
  func refusesWhileBusy(_ call: String) -> Bool {
    guard saving.isRunning || unsaved.isProcessing else { return false }
    saving.misuse = busy(call)
    return true
  }

  func throwMisuse() throws {
    guard let error = saving.misuse else { return }
    saving.misuse = nil
    throw error
  }
}
