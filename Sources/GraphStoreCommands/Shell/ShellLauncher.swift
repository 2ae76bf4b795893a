import Foundation

/// Start options of `shell` and `run`.
struct ShellOptions {
  /// `-c LINE`, in order; a script if there is any.
  var lines: [String] = []
  var script = ScriptRunner.Options()
  var settings = ShellSettings()
  var skipsRCFile = false
  /// `--history FILE`.
  var historyPath: String?
  /// Colours the prompt.
  var isColored = false
  /// Whether the terminal shows more than ASCII.
  var isUTF8 = true
  var style: FailureStyle
  var version = ""
  var environment = ProcessInfo.processInfo.environment
  var output = ShellOutput.standard

  init(style: FailureStyle) {
    self.style = style
  }
}

/// Launcher of interactive sessions and scripts.
enum ShellLauncher {
  /// `graphstore run FILE|-`, or `-c` lines if the options hold some.
  /// - Returns: the exit code.
  static func run(path: String, executor: any StatementExecutor, options: ShellOptions) -> Int32 {
    let dispatcher = dispatcher(executor, options)
    do {
      let reader = options.lines.isEmpty ? try ScriptReader(path: path) : ScriptReader(lines: options.lines)
      return ScriptRunner(dispatcher: dispatcher, options: options.script).run(reader)
    } catch {
      return dispatcher.report(error, in: nil, insideScript: false).rawValue
    }
  }

  /// `graphstore shell`: interactive at a terminal, else the same as `run -`.
  /// - Returns: the exit code.
  static func shell(
    executor: any StatementExecutor, completions: any CompletionSource, options: ShellOptions
  ) -> Int32 {
    let history = ShellHistory(file: historyFile(options))
    guard options.lines.isEmpty, let editor = makeEditor(history, options) else {
      return run(path: "-", executor: executor, options: options)
    }
    let dispatcher = dispatcher(executor, options)
    let session = ShellSession(
      dispatcher: dispatcher, lines: editor, history: history,
      banner: ShellSession.banner(
        version: options.version, status: executor.status, isUTF8: options.isUTF8))
    editor.complete = { [unowned dispatcher, unowned session] line, cursor in
      Completer(
        source: completions, dotCommands: dispatcher.dotCommands, settings: dispatcher.settings,
        formatNames: executor.formatNames, contexts: { executor.status.contexts },
        queryNames: { ((try? dispatcher.queries?.all()) ?? [:])?.keys.sorted() ?? [] },
        preceding: session.openLines
      ).complete(line, cursor: cursor)
    }
    return session.run(rcFile: options.skipsRCFile ? nil : rcFile(options.environment))
  }

  private static func dispatcher(_ executor: any StatementExecutor, _ options: ShellOptions)
    -> StatementDispatcher
  {
    let dispatcher = StatementDispatcher(
      executor: executor, output: options.output, style: options.style, settings: options.settings)
    dispatcher.environment = options.environment
    dispatcher.queries = NamedQueries(environment: options.environment)
    return dispatcher
  }

  private static func historyFile(_ options: ShellOptions) -> HistoryFile? {
    if let path = options.historyPath { return path.isEmpty ? nil : HistoryFile(path: path) }
    return HistoryFile(environment: options.environment)
  }

  /// `$XDG_CONFIG_HOME/graphstore/shellrc`, if there is one.
  private static func rcFile(_ environment: [String: String]) -> ScriptReader? {
    var folder = environment["XDG_CONFIG_HOME"] ?? ""
    if !folder.hasPrefix("/") {
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      folder = home + "/.config"
    }
    return try? ScriptReader(path: folder + "/graphstore/shellrc")
  }

  private static func makeEditor(_ history: ShellHistory, _ options: ShellOptions) -> LineEditor? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    // Results may be redirected while a person types: the prompt then goes to standard error.
    let screen = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO
    guard isatty(screen) == 1, let input = unsafe fdopen(dup(STDIN_FILENO), "r"),
      let output = unsafe fdopen(dup(screen), "w")
    else { return nil }
    return unsafe LineEditor(
      input: input, output: output, errors: output, entries: history.entries, isColored: options.isColored)
  }
}
