import Foundation
import GraphStore
import GraphStoreReports

/// Executor of the statements of the shell and of scripts in one session.
final class SessionExecutor: UndoingExecutor {
  let session: CommandSession
  /// The settings that every statement begins with.
  var base: CommandSettings
  private(set) var contexts: SessionContexts
  private var stores: [StoreName]
  /// The last statement that printed a result which can be had again.
  var lastQuery: ShellStatement?
  private var objectCount: Int?
  /// Looks for what other programs write.
  var watch: FileWatch
  /// The contexts that there were when the script began that is running as one transaction.
  var atScript: ContextsAtScript?

  /// Opens the session's store.
  init(_ session: CommandSession) throws {
    self.session = session
    session.isShared = true
    base = session.settings
    (stores, watch, contexts) = try Self.openStores(of: session)
  }

  private static func openStores(
    of session: CommandSession
  ) throws -> ([StoreName], FileWatch, SessionContexts) {
    let stores = try session.stores()
    var watch = FileWatch(stores: stores.map(\.path))
    _ = try session.context(.read)
    guard let contexts = session.contexts else { throw StoreIsClosed() }
    watch.skip()
    return (stores, watch, contexts)
  }

  /// Lets go of the stores, and opens those that the settings name now.
  func reopen() throws {
    session.close()
    session.settings = base
    session.formerIdentifiers = [:]
    objectCount = nil
    (stores, watch, contexts) = try Self.openStores(of: session)
  }

  /// Thrown where a session has lost its store.
  private struct StoreIsClosed: Error {}

  /// The context that statements run in.
  var present: SessionContext { contexts.present }

  func context() throws -> ManagedObjectContext { try session.context(.write) }

  var status: ShellStatus {
    let files = stores.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
    let names = zip(stores, files).map { store, file in
      let base = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
      return store.name ?? (base.isEmpty ? file : base)
    }
    lookForOthers()
    let context = present.context
    var status = ShellStatus(
      storeName: names.joined(separator: "+"), storeFile: files.joined(separator: ", "),
      modelName: ModelWords.title(of: context.coordinator.managedObjectModel), objectCount: count())
    status.contexts = contexts.tree.map { ContextStatus($0, isPresent: $0 === present) }
    status.undoCount = present.history.count
    status.isChangedElsewhere = present.isChangedElsewhere
    return status
  }

  /// How many objects the store held when the session began.
  private func count() -> Int? {
    if let objectCount { return objectCount }
    let context = present.context
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

  func execute(_ statement: ShellStatement, settings: ShellSettings) throws -> StatementOutcome {
    let arguments = statement.arguments
    guard let first = arguments.first else { return StatementOutcome() }
    guard commandNames.contains(first) else { throw unknownCommand(first) }
    guard case .command(let executable) = try CommandParser.request(arguments) else {
      return StatementOutcome()
    }
    guard executable.options.shared.profile == nil else {
      throw Diagnostic(
        code: "usage", message: "--profile is for the session as a whole",
        hints: ["begin the session with it"], exitCode: .usage)
    }
    session.statementPlace.text = statement.source.name.map { "\($0):\(statement.position.line)" }
    try lookForOthersAnew()
    defer { if SaveProgress.current.isSaved { watch.skip() } }
    // A person wants to know what became of this statement, and not of those before.
    if settings.isInteractive { SaveProgress.current = .reading }
    session.settings = base
    session.settings.apply(settings)
    session.settings.conflictPolicy = policy
    defer { session.settings = base }
    session.settings.showsTime = false
    try session.settings.apply(executable)
    session.isStatementTimed = session.settings.showsTime
    try refusePolicy(of: executable)
    try session.refuseInScratchContext(executable)
    if base.showsTime { session.settings.showsTime = true }
    let code = try session.run(executable)
    present.history.name(statement.text)
    // An answer of "no" is no failure: a script goes on, as with fetch that finds nothing.
    if code != .success, code != .negativeAnswer { throw ReportedFailure(exitCode: code) }
    if Self.repeatable.contains(first) { lastQuery = statement }
    return StatementOutcome(hasChanged: session.hasChanged, exitCode: code)
  }

  /// A statement between `.begin` and `.commit` saves nothing: what it says of conflicts, and of the author,
  /// would be said in vain.
  private func refusePolicy(of executable: any ExecutableCommand) throws {
    guard present.keepsChanges || present.isScratch else { return }
    if executable.author != nil {
      throw Diagnostic(
        code: "usage", message: "--author is for statements that are saved by themselves",
        hints: ["leave it out: .commit saves as the author of the session"], exitCode: .usage)
    }
    guard present.keepsChanges, let policy = executable.conflictPolicy else { return }
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

  // MARK: Settings and state

  var policy: SaveConflictPolicy {
    get { present.conflictPolicy ?? base.conflictPolicy }
    set { present.conflictPolicy = newValue }
  }

  var tracedKinds: Set<TraceKind> { base.tracedKinds }

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
    let pages = ErrorPage.pages(for: topic)
    if !pages.isEmpty { return pages.map { $0.text + "\n" }.joined(separator: "\n") }
    guard commandNames.contains(topic), let command = RootCommand.command(named: topic) else { return nil }
    return HelpLayout.ownOptionsFirst(RootCommand.helpMessage(for: command))
  }

  func diagnostic(for error: any Error) -> Diagnostic {
    let diagnostic = DiagnosticMapper.diagnostic(for: error)
    return base.errorFormat == .json ? diagnostic : diagnostic.withSuggestionsInHints
  }

  var interruption: StatementInterruption { session.interruption }
}
