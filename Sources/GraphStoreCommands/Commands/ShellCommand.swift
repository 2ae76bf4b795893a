import ArgumentParser
import Foundation
import GraphStoreReports

/// `graphstore shell`
struct ShellCommand: StoreCommand, AskingCommand, SavingCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell", abstract: "Work with the store line by line.",
    discussion: """
      Lines are the commands of graphstore without its name; .help lists the commands of the session. Where standard \
      input is no terminal its lines are a script, as with run -.
      """)

  @Option(
    name: .customShort("c"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run this line and leave; several run in order.", valueName: "line"))
  var lines: [String] = []
  @Option(
    name: .customLong("var"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Value of $name in predicates, as text; name:=JSON.", valueName: "name=value"))
  var variables: [String] = []
  @Flag(help: "Print each statement to standard error.") var echo = false
  @Flag(name: [.customLong("no-rc"), .customShort("X")], help: "Leave out the lines of the shellrc file.")
  var noRC = false
  @Option(
    help: ArgumentHelp("Keep the history there; empty for none (GRAPHSTORE_HISTORY).", valueName: "file"),
    completion: .file())
  var history: String?
  @Flag(help: "Leave out the pager, .shell, .edit, .output and .once.") var safe = false
  @OptionGroup var saving: SavingOptions
  @OptionGroup var options: AskingStoreCommandOptions

  /// Only at a terminal an interrupt ends a statement; it ends a script as a whole.
  var handlesSignals: Bool { lines.isEmpty && isatty(STDIN_FILENO) == 1 }

  func execute(in session: CommandSession) throws -> ExitCode {
    var historyPath = history ?? session.settings.historyPath
    if let historyPath, !historyPath.isEmpty {
      try session.refuseAppending(toStoreAt: historyPath, "the history")
    }
    // A pager starts programs for whoever reads.
    if safe { session.settings.usesPager = false }
    let executor = try SessionExecutor(session)
    if historyPath == nil, session.settings.keepsHistoryPerStore {
      let store = session.openContext?.coordinator.persistentStores.first?.identifier
      historyPath = store.flatMap { HistoryFile.path(ofStore: $0, session.environment) }
    }
    var options = ShellOptions(style: session.failureStyle)
    options.lines = lines
    options.settings = try session.shellSettings(variables: variables, echoes: echo)
    options.settings.isSafe = safe
    options.skipsRCFile = noRC
    options.historyPath = historyPath
    options.isColored = session.outputTerminal.usesColor
    options.isUTF8 = session.outputTerminal.isUTF8
    options.environment = session.environment
    options.version = RootCommand.version
    let completions = SessionCompletions(session, executor)
    let code = ExitCode(
      rawValue: ShellLauncher.shell(executor: executor, completions: completions, options: options))
    if code == .success, !handlesSignals { session.reportUnused(options.settings.variables) }
    return code
  }
}
