import GraphStore

extension SessionExecutor {
  func beginScript() throws {
    SaveProgress.begin()
    atScript = ContextsAtScript(contexts)
    let transaction = try CommandTransaction.begin(on: context().coordinator, with: nil)
    for context in contexts.all where atScript?.isUnfinished(context) != true {
      try transaction.join(context.context)
    }
  }

  func commitScript() throws {
    atScript = nil
    guard let transaction = try context().coordinator.currentTransaction else { return }
    try CommandTransaction.commit(transaction, reaching: .all)
    watch.skip()
  }

  func rollbackScript() throws {
    let coordinator = try context().coordinator
    atScript?.takeBack(contexts)
    atScript = nil
    try coordinator.currentTransaction?.rollback()
  }
}

/// The contexts of a session when a script began that is one transaction.
struct ContextsAtScript {
  private let state: SessionContexts.State
  /// What could be undone and redone in scratch contexts, which are rolled back as the script is.
  private let marks: [(context: SessionContext, mark: GraphUndoManager.Mark)]
  private let unfinished: [SessionContext]

  init(_ contexts: SessionContexts) {
    state = contexts.state
    unfinished = contexts.all.filter(\.isUnfinished)
    marks = contexts.all.filter { $0.isScratch && !$0.isUnfinished }.map { ($0, $0.history.mark) }
  }

  /// Whether a context had changes, or kept them, that are none of the script's.
  func isUnfinished(_ context: SessionContext) -> Bool { unfinished.contains { $0 === context } }

  /// Drops what the script has changed and not saved, and the contexts that it has made.
  func takeBack(_ contexts: SessionContexts) {
    for context in contexts.upwards where !isUnfinished(context) {
      guard let (_, mark) = marks.first(where: { $0.context === context }) else {
        context.context.rollback()
        context.end()
        continue
      }
      context.history.rollback(context.context, to: mark)
      context.end()
    }
    contexts.restore(state)
  }
}
