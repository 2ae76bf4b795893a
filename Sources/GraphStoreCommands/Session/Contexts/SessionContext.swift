import GraphStore

/// Context of a session, with what can be undone in it and what becomes of its changes.
///
/// One over the store saves each statement, except between `.begin` and `.commit`. A scratch context is the
/// child of another one: it keeps its changes until they are committed, which saves them into its parent.
final class SessionContext {
  let name: String
  let context: ManagedObjectContext
  /// The context that a scratch context reads from and saves to; nil for one over the store.
  let parent: SessionContext?
  /// What its statements can undo.
  let history = StatementHistory()
  /// How the changes of a statement are saved.
  private(set) var savePolicy: CommandSession.SavePolicy
  /// What its saves do with conflicts; nil for what the session was begun with.
  var conflictPolicy: SaveConflictPolicy?
  /// Whether other programs have written to the store what the context may not have read.
  var isChangedElsewhere = false

  /// How many statements could be undone when it began to keep changes.
  private(set) var countAtBegin = 0
  /// What could be undone and redone then.
  private var markAtBegin: GraphUndoManager.Mark?
  private var savepoints: [(name: String, count: Int)] = []

  init(_ name: String, _ context: ManagedObjectContext, parent: SessionContext? = nil) {
    self.name = name
    self.context = context
    self.parent = parent
    savePolicy = parent == nil ? .everyCommand : .onRequest
  }

  /// Lets statements be undone one by one.
  func recordStatements() throws {
    try history.attach(to: context)
    if isScratch { begin() }
  }

  var isScratch: Bool { parent != nil }

  /// Whether changes stay in the context until somebody saves it.
  var keepsChanges: Bool { savePolicy == .onRequest }

  /// Whether somebody has yet to decide on changes: within `.begin`, or in a scratch context with some.
  var isUnfinished: Bool { isScratch ? context.hasChanges : keepsChanges }

  /// The contexts that it reads through, the topmost first.
  var ancestors: [SessionContext] { parent.map { $0.ancestors + [$0] } ?? [] }

  /// Lets objects read what others have saved.
  func readAnew() { history.renew(context) }

  // MARK: Keeping changes

  /// Keeps changes from now on until they are saved or rolled back.
  func begin() {
    savePolicy = .onRequest
    (countAtBegin, markAtBegin, savepoints) = (history.count, history.mark, [])
  }

  /// Ends what ``begin()`` has begun; a scratch context begins anew.
  func end() {
    if isScratch { return begin() }
    (savePolicy, markAtBegin) = (.everyCommand, nil)
  }

  /// Drops the changes that were kept; what could be undone and redone before them is that again.
  func rollback() {
    if let markAtBegin { history.rollback(context, to: markAtBegin) }
    end()
  }

  // MARK: Savepoints

  func setSavepoint(_ name: String) {
    savepoints.removeAll { $0.name == name }
    savepoints.append((name, history.count))
  }

  /// Undoes the statements since a savepoint; false where there is none of that name.
  func rollback(to name: String) throws -> Bool {
    guard let index = savepoints.firstIndex(where: { $0.name == name }) else { return false }
    guard try history.returnTo(savepoints[index].count) else { return false }
    savepoints.removeSubrange((index + 1)...)
    return true
  }

  /// Forgets savepoints whose state was undone: they are none, whatever comes then.
  func forgetUndoneSavepoints() { savepoints.removeAll { $0.count > history.count } }
}
