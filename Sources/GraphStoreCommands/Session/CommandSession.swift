import Foundation
import GraphStore
import GraphStoreReports

/// Session of commands: their settings, and the store, which is opened when the first command asks for it.
///
/// The command line makes one for a single command. A session of the shell keeps one for all its statements,
/// so that the open store and the objects in memory are used again. It belongs to the main thread, on which
/// commands run, and so does its context.
final class CommandSession {
  /// How a command's change reaches the store.
  enum SavePolicy: Sendable {
    /// Each command is one save.
    case everyCommand
    /// Changes stay in the context until somebody saves it.
    case onRequest
  }

  let environment: [String: String]
  /// The settings of the command that is running.
  var settings: CommandSettings
  /// Whether a session of the shell or a script owns this, and not a single command.
  var isShared = false
  /// Whether the command has changed something.
  var hasChanged = false
  /// What became, at `.commit`, of the ids that objects had before it.
  var formerIdentifiers: [String: ManagedObjectID] = [:]
  /// The variables that predicates of the session have asked for.
  var askedVariables: Set<String> = []
  /// How many objects the command may change without asking a person, or has got the answer for.
  var consent = 1
  /// Whether a statement of a session asks by itself how long it takes.
  var isStatementTimed = false
  /// How long the command has waited for answers, and for a person who reads in the pager.
  var timeAnswering = Duration.zero
  /// The file that results go to, while a command that prints several times keeps it open.
  var sharedOutput: OutputBuffer?
  /// The file that the results of a session go to; nil for standard output.
  private(set) var redirection: Redirection?
  /// Set when the statement that is running is to stop.
  let interruption = StatementInterruption.ofSession()
  /// The place of the statement that runs.
  let statementPlace = StatementPlace()
  /// What tells of the open store's work.
  private var trace: CommandTrace?
  /// What advises on the open store's work; nil as long as no command asks for it.
  private var advice: WorkAdvice?
  private let makeContext: (PersistentStoreCoordinator) -> ManagedObjectContext
  private var opened: (coordinator: PersistentStoreCoordinator, paths: [String])?
  /// The contexts over the open store; nil where none is open.
  private(set) var contexts: SessionContexts?

  /// - Parameter makeContext: Makes the context, for sessions of tests, which run on other threads.
  init(
    settings: CommandSettings, environment: [String: String] = ProcessEnvironment().variables,
    makeContext: @escaping (PersistentStoreCoordinator) -> ManagedObjectContext = {
      ManagedObjectContext(coordinator: $0, concurrencyType: .mainQueue)
    }
  ) {
    self.settings = settings
    self.environment = environment
    self.makeContext = makeContext
  }

  /// Has the results that follow written to a file, one behind the other.
  ///
  /// - Parameter path: The file, which is begun anew once a person agrees; nil for standard output.
  func redirectOutput(to path: String?) throws {
    let former = redirection
    redirection = nil
    try former?.finish()
    guard let path else { return }
    try confirmFile(path, as: "the output")
    redirection = try Redirection(path: path)
  }

  // MARK: Store

  /// What a command needs of the store.
  enum Access: Sendable {
    case read
    case write
  }

  /// The context that commands work in, if a store is open.
  var present: SessionContext? { contexts?.present }

  /// The same as the library knows it.
  var openContext: ManagedObjectContext? { present?.context }

  /// How changes of the present context reach the store.
  var savePolicy: SavePolicy { present?.savePolicy ?? .everyCommand }

  /// The present context over the store, which is opened if it is not yet.
  ///
  /// A command that only reads opens the store without write access, unless the session is one of several
  /// commands: that works on a store that cannot be written as long as none of them writes.
  func context(_ access: Access) throws -> ManagedObjectContext {
    if let opened, let contexts {
      let paths = settings.stores.map(\.path)
      if !paths.isEmpty, paths != opened.paths {
        let (own, other) = (opened.paths.joined(separator: ", "), paths.joined(separator: ", "))
        throw Diagnostic(
          code: "other-store", message: "the session works on \(own), not on \(other)",
          hints: ["leave out --store, or run the command outside of the session"], exitCode: .usage)
      }
      if access == .write { contexts.present.context.transactionAuthor = settings.author }
      return contexts.present.context
    }
    let stores = try stores()
    let isReadOnly = settings.isReadOnly || (access == .read && !isShared)
    let coordinator = try open(stores, isReadOnly: isReadOnly, orForReading: access == .read)
    // A single command that writes ends with the error that says the same.
    report(coordinator.warnings.filter { !$0.preventsWriting || isShared })
    let contexts = SessionContexts(main: makeContext(coordinator))
    if isShared { try contexts.present.recordStatements() }
    self.contexts = contexts
    opened = (coordinator, stores.map(\.path))
    trace = CommandTrace(coordinator, statementPlace, isJSON: settings.errorFormat == .json)
    renewTrace()
    interruption.include(coordinator)
    contexts.present.context.transactionAuthor = settings.author
    return contexts.present.context
  }

  /// Makes a context beside the others over the open store, or one below the present one.
  func makeContext(named name: String, isScratch: Bool) throws -> SessionContext? {
    guard let contexts, let opened else { return nil }
    let present = contexts.present
    let made =
      isScratch
      ? SessionContext(
        name, ManagedObjectContext(parent: present.context, concurrencyType: .mainQueue), parent: present)
      : SessionContext(name, makeContext(opened.coordinator))
    made.conflictPolicy = present.conflictPolicy
    try made.recordStatements()
    contexts.add(made)
    return made
  }

  /// The coordinator of the store, which is opened if it is not yet.
  func coordinator(_ access: Access) throws -> PersistentStoreCoordinator { try context(access).coordinator }

  /// The path of the store of a command that works with just one.
  func storePath() throws -> String {
    let stores = try stores()
    guard stores.count == 1 else {
      throw Diagnostic(
        code: "several-stores", message: "this command works with one store, not with \(stores.count)",
        hints: [
          isShared
            ? "run it outside of the session, with one --store"
            : "name one of them: --store \(stores[0].path)"
        ], exitCode: .usage)
    }
    return stores[0].path
  }

  /// The stores: options, environment or project file.
  func stores() throws -> [StoreName] {
    if !settings.stores.isEmpty { return settings.stores }
    throw Diagnostic(
      code: "no-store", message: "no store is named",
      details: [
        "tried: --store (not given), GRAPHSTORE_STORE (not set), \(Configuration.projectFileName) (none with a store)"
      ],
      hints: ["name one with --store PATH, or make one: graphstore init PATH --model FILE"],
      exitCode: .noInput)
  }

  /// The model file of a command that needs just one: option, environment or configuration file.
  ///
  /// - Parameter option: The option that names it.
  func modelPath(namedBy option: String = "--model FILE") throws -> String {
    let paths = try modelPaths(namedBy: option)
    guard paths.count == 1 else {
      throw Diagnostic(
        code: "usage", message: "this command takes one model, not \(paths.count)",
        hints: ["merge them first: graphstore model merge SRC… DST"], exitCode: .usage)
    }
    return paths[0]
  }

  /// The model files of a command that needs a model; several are merged.
  ///
  /// - Parameter option: The option that names one.
  func modelPaths(namedBy option: String = "--model FILE") throws -> [String] {
    if !settings.models.isEmpty { return settings.models }
    if let path = settings.defaultModel { return [path] }
    throw Diagnostic(
      code: "no-model", message: "no model is named",
      details: [
        "tried: \(option.prefix { $0 != " " }) (not given), GRAPHSTORE_MODEL (not set), \(Configuration.projectFileName) (none with a model)"
      ],
      hints: ["name one with \(option)"], exitCode: .noInput)
  }

  /// Has the kinds of events told that the settings of now name.
  func renewTrace() {
    trace?.tell(settings.tracedKinds, isVerbose: settings.isVerbose)
    guard settings.isVerbose, let opened else { return }
    let advice = advice ?? WorkAdvice(opened.coordinator)
    advice.begin()
    self.advice = advice
  }

  /// Says what the command would have done faster (DGN-223).
  func advise(queried entity: String?) {
    guard settings.isVerbose, let advice, let opened else { return }
    let entity = entity.flatMap { opened.coordinator.managedObjectModel.entitiesByName[$0] }
    for hint in advice.hints(queried: entity) { say(hint: hint) }
  }

  /// Lets go of the store.
  func close() {
    do { try redirectOutput(to: nil) } catch { report(DiagnosticMapper.diagnostic(for: error)) }
    if let hint = advice?.hintOnSaves() { say(hint: hint) }
    advice = nil
    trace?.end()
    trace = nil
    opened?.coordinator.close()
    opened = nil
    contexts = nil
    interruption.include(nil)
  }
}
