import ArgumentParser
import GraphStoreReports

/// `graphstore run FILE|-`
struct RunCommand: StoreCommand, AskingCommand, SavingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a script: commands without \"graphstore\", one a line.",
    discussion: """
      The whole script is one transaction: the first statement that fails undoes all of it. - reads standard input. \
      A statement whose answer is "no", such as a check with findings or a fetch --exit-code that finds nothing, does not \
      fail: the script goes on, and its own exit code is 2.

      graphstore run load.gs --var min=50000
      graphstore run -c 'insert Department name=Research' -c 'count Department'
      """)

  @Argument(help: "Script, or - for standard input.", completion: .file()) var file: String?
  @Option(
    name: .customShort("c"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run this line; several run in order.", valueName: "line"))
  var lines: [String] = []
  @Option(
    name: .customLong("var"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Value of $name in predicates, as text; name:=JSON.", valueName: "name=value"))
  var variables: [String] = []
  @Flag(name: .customLong("keep-going"), help: "Go on after a failure; each statement is saved by itself.")
  var keepGoing = false
  @Flag(name: .customLong("no-transaction"), help: "Keep what succeeded before the first failure.")
  var noTransaction = false
  @Flag(help: "Print each statement to standard error.") var echo = false
  @OptionGroup var saving: SavingOptions
  @OptionGroup var options: AskingStoreCommandOptions

  func validate() throws {
    guard (file == nil) != lines.isEmpty else {
      throw ValidationError("Name a script, - for standard input, or give lines with -c.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    if let file { try session.refuseLog(amongInputs: [file]) }
    let executor = try SessionExecutor(session)
    var options = ShellOptions(style: session.failureStyle)
    options.lines = lines
    options.script.keepsGoing = keepGoing
    options.script.usesTransaction = !noTransaction
    options.settings = try session.shellSettings(variables: variables, echoes: echo)
    options.environment = session.environment
    options.version = RootCommand.version
    let code = ExitCode(rawValue: ShellLauncher.run(path: file ?? "-", executor: executor, options: options))
    if code == .success { session.reportUnused(options.settings.variables) }
    return code
  }
}
