import Foundation
import GraphStore
import GraphStoreReports

/// Executor of the statements of the shell and of scripts in one session.
final class SessionExecutor: UndoingExecutor {
  let session: CommandSession
  /// The settings that every statement begins with.
  private let base: CommandSettings
  private let stores: [StoreName]
  private var objectCount: Int?
  /// How many statements could be undone at `.begin`, and at each savepoint since.
  private var countAtBegin = 0
  /// What could be undone and redone at `.begin`.
  private var markAtBegin: GraphUndoManager.Mark?
  private var savepoints: [(name: String, count: Int)] = []
  /// Looks for what other programs write.
  private var watch: FileWatch

  /// Opens the session's store.
  init(_ session: CommandSession) throws {
    self.session = session
    session.isShared = true
    base = session.settings
    stores = try session.stores()
    watch = FileWatch(stores: stores.map(\.path))
    _ = try session.context(.read)
    watch.restart()
  }

  func context() throws -> ManagedObjectContext { try session.context(.write) }

  var status: ShellStatus {
    let files = stores.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
    let names = zip(stores, files).map { store, file in
      let base = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
      return store.name ?? (base.isEmpty ? file : base)
    }
    watch.look()
    let context = session.openContext
    var status = ShellStatus(
      storeName: names.joined(separator: "+"), storeFile: files.joined(separator: ", "),
      modelName: context.map { ModelWords.title(of: $0.coordinator.managedObjectModel) }, objectCount: count()
    )
    status.isInTransaction = session.savePolicy == .onRequest
    status.undoCount = session.history.count
    status.isChangedElsewhere = watch.hasSeenChange
    if let context, status.isInTransaction {
      status.inserted = context.insertedObjects.count
      status.updated = context.updatedObjects.count
      status.deleted = context.deletedObjects.count
    }
    return status
  }

  /// How many objects the store held when the session began.
  private func count() -> Int? {
    if let objectCount { return objectCount }
    guard let context = session.openContext else { return nil }
    objectCount = context.coordinator.managedObjectModel.entities.filter { $0.superentity == nil }
      .reduce(0) { sum, root in
        sum + ((try? context.count(for: FetchRequest(entityName: root.name))) ?? 0)
      }
    return objectCount
  }

  let formatNames = OutputFormat.allCases.map(\.rawValue)

  /// Commands that make sense within a session.
  static let excluded: Set<String> = ["init", "shell", "run", "completions"]

  var commandNames: [String] { RootCommand.commandNames.filter { !Self.excluded.contains($0) } }

  func execute(_ statement: ShellStatement, settings: ShellSettings) throws -> Bool {
    let arguments = statement.arguments
    guard let first = arguments.first else { return false }
    guard commandNames.contains(first) else { throw unknownCommand(first) }
    guard case .command(let executable) = try CommandParser.request(arguments) else { return false }
    lookForOthers()
    defer { if SaveProgress.current.isSaved { watch.skip() } }
    // A person wants to know what became of this statement, and not of those before.
    if settings.isInteractive { SaveProgress.current = .reading }
    session.settings = base
    session.settings.apply(settings)
    defer { session.settings = base }
    try session.settings.apply(executable)
    try refusePolicy(of: executable)
    session.settings.showsTime = base.showsTime
    let code = try session.run(executable)
    session.history.name(statement.text)
    // Commands that answer "no" have said so themselves; a script goes on, as with fetch that finds nothing.
    if code != .success, code != .negativeAnswer { throw ReportedFailure(exitCode: code) }
    return session.hasChanged
  }

  /// Looks for what others have written before a statement, which reads it unless a transaction is open.
  private func lookForOthers() {
    if session.savePolicy == .everyCommand { watch.forget() }
    watch.look()
  }

  /// A statement between `.begin` and `.commit` saves nothing: what it says of conflicts would be said in
  /// vain.
  private func refusePolicy(of executable: any ExecutableCommand) throws {
    guard session.savePolicy == .onRequest, let policy = executable.conflictPolicy else { return }
    throw Diagnostic(
      code: "usage", message: "--on-save-conflict is for statements that are saved by themselves",
      hints: ["write .policy \(policy.rawValue) before .commit"], exitCode: .usage)
  }

  private func unknownCommand(_ word: String) -> Diagnostic {
    var diagnostic = DiagnosticMapper.unknownCommand(word, among: commandNames)
    if let command = DotCommand(meantBy: word) { diagnostic.suggestions.insert(command.name, at: 0) }
    let hint =
      Self.excluded.contains(word)
      ? "\(word) is a command of the system's shell, not of a session" : "\".help\" lists what there is"
    diagnostic.hints = [hint] + diagnostic.hints.dropLast()
    diagnostic.source = Diagnostic.Source(label: "command", text: word, offset: 0, length: word.utf8.count)
    return diagnostic
  }

  var timeAnswering: Duration { session.timeAnswering }

  // MARK: Transactions

  func beginScript() throws {
    SaveProgress.begin()
    let context = try context()
    _ = try CommandTransaction.begin(on: context.coordinator, with: context)
  }

  func commitScript() throws {
    guard let transaction = try context().coordinator.currentTransaction else { return }
    try CommandTransaction.commit(transaction, reaching: .all)
    watch.skip()
  }

  func rollbackScript() throws {
    session.savePolicy = .everyCommand
    let context = try context()
    context.rollback()
    try context.coordinator.currentTransaction?.rollback()
  }

  func begin() throws {
    lookForOthers()
    session.savePolicy = .onRequest
    (countAtBegin, markAtBegin, savepoints) = (session.history.count, session.history.mark, [])
  }

  func commit(settings: ShellSettings) throws -> CommitOutcome {
    let context = try context()
    let inserted = context.insertedObjects.map { (former: $0.objectID.shortForm, object: $0) }
    context.mergePolicy = (settings.policy ?? base.conflictPolicy).mergePolicy
    let changed = context.insertedObjects + context.updatedObjects
    if context.coordinator.currentTransaction != nil {
      try context.save()
    } else {
      SaveProgress.begin()
      try SaveProgress.commit(reaching: .part) { try context.save() }
    }
    let summary = context.lastSave
    session.history.recordSave(of: changed, since: countAtBegin)
    (session.savePolicy, markAtBegin) = (.everyCommand, nil)
    watch.restart()
    let identifiers: [(String, String)] = inserted.compactMap { former, object in
      let saved = context.replacement(of: object) ?? object
      guard !saved.objectID.isTemporaryID else { return nil }
      session.formerIdentifiers[former] = saved.objectID
      return (former, saved.objectID.shortForm)
    }
    return CommitOutcome(summary: summary, identifiers: identifiers)
  }

  func rollback() throws {
    if let markAtBegin { session.history.rollback(try context(), to: markAtBegin) }
    (session.savePolicy, markAtBegin) = (.everyCommand, nil)
    watch.forget()
  }

  func savepoint(_ name: String) throws {
    savepoints.removeAll { $0.name == name }
    savepoints.append((name, session.history.count))
  }

  func rollback(to name: String) throws -> Bool {
    guard let index = savepoints.firstIndex(where: { $0.name == name }) else { return false }
    guard try session.history.returnTo(savepoints[index].count) else { return false }
    savepoints.removeSubrange((index + 1)...)
    return true
  }

  // MARK: Undo

  var policy: SaveConflictPolicy { base.conflictPolicy }

  var tracedKinds: Set<TraceKind> { base.tracedKinds }

  func undo() throws -> String? {
    // A savepoint whose state is undone is none, whatever comes then.
    defer { savepoints.removeAll { $0.count > session.history.count } }
    return try unwatched { try session.history.undo(in: context(), save: saver()) }
  }

  func redo() throws -> String? {
    try unwatched { try session.history.redo(in: context(), save: saver()) }
  }

  /// Runs what may save.
  private func unwatched<Result>(_ body: () throws -> Result) rethrows -> Result {
    lookForOthers()
    defer { if session.savePolicy == .everyCommand { watch.skip() } }
    return try body()
  }

  /// Takes note that what others have saved is known.
  func restartWatch() { watch.restart() }

  /// What saves an undone statement outside of `.begin`.
  private func saver() throws -> ((() throws -> Void) throws -> Void)? {
    guard session.savePolicy == .everyCommand else { return nil }
    let context = try context()
    return { body in
      guard context.coordinator.currentTransaction == nil else { return try body() }
      try CommandTransaction.run(on: context.coordinator, with: context, reaching: .part) { _ in try body() }
    }
  }

  func pendingObjects() throws -> [String] {
    let context = try context()
    return context.insertedObjects.map { "+ \($0.objectID.shortForm)" }
      + (try context.updatedObjects.map(PendingChange.text))
      + context.deletedObjects.map { "- \($0.objectID.shortForm)" }
  }

  func failuresOfSave() throws -> [String] {
    try context().validateChanges().map { error in
      let place = [error.objectID?.shortForm, error.property].compactMap { $0 }.joined(separator: ".")
      return VisibleText.escape(
        (place.isEmpty ? "" : "\(place): ") + "\(error.message) [\(error.code.rawValue) \(error.number)]")
    }
  }

  // MARK: Showing

  func printEntities(settings: ShellSettings) throws {
    let context = try context()
    var rows: [(name: String, value: Value)] = []
    for entity in context.coordinator.managedObjectModel.entities {
      let count = try context.count(for: FetchRequest(entityName: entity.name))
      rows.append((entity.name, .int(Int64(count))))
    }
    session.settings = base
    session.settings.apply(settings)
    defer { session.settings = base }
    try session.write(PropertyLines(rows: rows, names: ("entity", "objects"), valueType: .integer))
  }

  func printSchema(entity: String?, settings: ShellSettings) throws {
    let model = try context().coordinator.managedObjectModel
    let outline = ModelOutline(model)
    try session.print(try entity.map { outline.lines(of: try model.entity(named: $0)) } ?? outline.lines)
  }

  func help(for topic: String) -> String? {
    if let topic = HelpTopic(rawValue: topic) { return topic.text + "\n" }
    guard commandNames.contains(topic), let command = RootCommand.command(named: topic) else { return nil }
    return HelpLayout.ownOptionsFirst(RootCommand.helpMessage(for: command))
  }

  func diagnostic(for error: any Error) -> Diagnostic {
    let diagnostic = DiagnosticMapper.diagnostic(for: error)
    return base.errorFormat == .text ? diagnostic.withSuggestionsInHints : diagnostic
  }

  var interruption: StatementInterruption { session.interruption }
}
