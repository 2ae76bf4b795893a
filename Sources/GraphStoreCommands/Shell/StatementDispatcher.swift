import GraphStorePredicates
import GraphStoreReports

/// Dispatcher of statements: dot commands to the session, all others to the executor.
final class StatementDispatcher {
  /// What happens after a statement.
  enum Step: Hashable, Sendable {
    case next
    /// `.quit` or `.exit`.
    case leave(code: Int32)
  }

  /// Scripts within scripts; a file that reads itself ends here.
  static let deepestRead = 16

  let executor: any StatementExecutor
  let output: ShellOutput
  let style: FailureStyle
  var settings: ShellSettings
  /// The environment, which names the editor.
  var environment: [String: String] = [:]
  /// What was typed, oldest first; nil where nothing is typed.
  var history: (() -> [String])?
  /// Adds to what was typed; nil where nothing is typed.
  var remember: ((String) -> Void)?
  /// The last statement that is no dot command.
  private(set) var lastStatement: ShellStatement?
  /// Statements kept under names.
  var queries: NamedQueries?
  /// The last failure, as it was printed.
  var lastFailure: String?
  /// True while a script transaction is open.
  var isInScript = false
  var readDepth = 0
  /// How many statements have changed something, those that were rolled back left out.
  private(set) var changeCount = 0
  private var changeCountAtBegin = 0
  /// The exit code of the last statement whose answer was "no"; a script that comes to its end ends with it.
  var answer = ExitCode.success

  init(
    executor: any StatementExecutor, output: ShellOutput, style: FailureStyle, settings: ShellSettings
  ) {
    self.executor = executor
    self.output = output
    self.style = style
    self.settings = settings
  }

  /// The dot commands that work with this executor, here.
  var dotCommands: [DotCommand] {
    DotCommand.allCases.filter { command in
      if command.isUnsafe, settings.isSafe { return false }
      return switch command {
      case .open, .fields, .output, .once: executor is any StoreExecutor
      case .edit, .bail: history != nil
      case .query: queries != nil
      case .undo, .redo, .savepoint: executor is any UndoingExecutor
      case .context: executor is any ContextExecutor
      case .last: executor is any LastResultExecutor
      case .history: history != nil
      default: true
      }
    }
  }

  func run(_ statement: ShellStatement) throws -> Step {
    if settings.echoes { output.errorLine(VisibleText.escape(statement.text, keeping: ["\n", "\t"])) }
    let clock = ContinuousClock()
    let start = clock.now
    var timeAnswering = Duration.zero
    defer {
      if settings.showsTime {
        let duration = start.duration(to: clock.now) - timeAnswering
        output.errorLine("time: \(duration.millisecondsText) ms")
      }
    }
    do {
      guard !statement.isDotCommand else { return try runDotCommand(statement) }
      defer { timeAnswering = executor.timeAnswering }
      let settings = settings
      // What fails has written nothing there either.
      self.settings.nextOutputPath = nil
      let outcome = try executor.execute(statement, settings: settings)
      if outcome.hasChanged { changeCount += 1 }
      if outcome.exitCode != .success { answer = outcome.exitCode }
      lastStatement = statement
    } catch is Pager.Left {}
    return .next
  }

  /// Records the state that a rollback returns to.
  func recordBegin() { changeCountAtBegin = changeCount }

  /// Returns to the state recorded at the beginning.
  func recordRollback() { changeCount = changeCountAtBegin }

  /// Shows an error and remembers it for `.error`.
  /// - Returns: the exit code.
  @discardableResult
  func report(_ error: any Error, in statement: ShellStatement?, insideScript: Bool) -> ExitCode {
    if let error = error as? ReportedFailure { return error.exitCode }
    var diagnostic: Diagnostic
    var place: ShellPlace?
    if let error = error as? ShellError {
      diagnostic = Diagnostic(error)
      place = error.place
      if place == nil, let statement, let index = error.wordIndex, statement.words.indices.contains(index) {
        place = ShellPlace(source: statement.source, range: statement.words[index].range)
      }
    } else {
      diagnostic = executor.diagnostic(for: error)
      place = statement.flatMap { diagnostic.place(in: $0) }
    }
    if place == nil, insideScript {
      place = statement.map { ShellPlace(source: $0.source, range: $0.range) }
    }
    if let place { diagnostic = diagnostic.located(at: place, keepsSource: style.isJSON) }
    // A wrong statement is the caller's mistake on the command line, and wrong input in a script.
    if insideScript, diagnostic.exitCode == .usage { diagnostic.exitCode = .dataError }
    let text = style.describe(diagnostic)
    lastFailure = text
    output.writeError(text)
    return diagnostic.exitCode
  }

  /// Suggestions for a command's name, dot commands included.
  func suggestions(for word: String) -> [String] {
    NearestNames.names(
      near: word, among: word.hasPrefix(".") ? dotCommands.map(\.name) : executor.commandNames)
  }
}
