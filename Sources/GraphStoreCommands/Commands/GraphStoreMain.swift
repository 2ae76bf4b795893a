import ArgumentParser
import CGraphStoreShims
import Foundation
import GraphStore
import GraphStoreReports

/// Entry point of the command: from the arguments of the process to its exit code.
public enum GraphStoreMain {
  /// Runs the command that the arguments of the process name.
  /// - Returns: the exit code of the process.
  public static func run() -> Int32 {
    gs_populate_zeroed_data()
    let process = ProcessArguments()
    let arguments = process.words
    OutputBuffer.reportBrokenPipes()
    // A write beyond the limit of a file's size fails then, and does not end the process without a word.
    signal(SIGXFSZ, SIG_IGN)
    let processEnvironment = ProcessEnvironment()
    let environment = processEnvironment.variables
    // The command writes the lines of its trace itself, and reads the variables of both.
    Diagnostics.tracedKinds = []
    Diagnostics.sqlLevel = 0
    Diagnostics.migrationLevel = 0
    var settings = CommandSettings()
    settings.errorFormat = word(
      of: "--error-format", in: arguments, environment["GRAPHSTORE_ERROR_FORMAT"], or: .text)
    settings.color =
      arguments.prefix { $0 != "--" }.contains("--no-color")
      ? .never : word(of: "--color", in: arguments, environment["GRAPHSTORE_COLOR"], or: .auto)
    settings.usesPager = !arguments.prefix { $0 != "--" }.contains("--no-pager")
    gs_set_messages(settings.errorFormat == .json ? 1 : 0)
    unsafe gs_report_crashes(RootCommand.crashReport)
    StoresAsModels.accept()
    let session = CommandSession(settings: settings, environment: environment)
    // The process ends next: the store is closed, and memory goes with the process.
    _ = unsafe Unmanaged.passRetained(session)
    defer {
      session.openContext?.coordinator.finishPendingWork()
      session.close()
    }
    do {
      try process.check()
      try processEnvironment.check()
      return try run(arguments, in: session).rawValue
    } catch {
      return report(error, in: session).rawValue
    }
  }

  private static func run(_ arguments: [String], in session: CommandSession) throws -> ExitCode {
    guard !arguments.isEmpty else {
      try session.print(page: RootCommand.shortHelp)
      return .success
    }
    let executable: any ExecutableCommand
    do {
      switch try CommandParser.request(arguments) {
      case .command(let command): executable = command
      case .page(let text):
        try session.print(page: text)
        return .success
      case .help(var command):
        try command.run()
        return .success
      }
    } catch {
      return try answer(error, in: session)
    }
    var warnings: [Diagnostic] = []
    do {
      let configuration = try Configuration(
        environment: session.environment, profile: executable.options.shared.profile)
      session.settings = try CommandSettings(environment: session.environment, configuration: configuration)
      warnings = configuration.warnings
    } catch  where executable is DoctorCommand {
      // What is wrong is its answer; it goes on with what stands in variables.
      let store = session.environment["GRAPHSTORE_STORE"] ?? ""
      session.settings.stores = store.isEmpty ? [] : [StoreName(path: store)]
    }
    try session.settings.apply(executable)
    if executable is DoctorCommand {
      // Where the program is missing, it finds the same by opening the store.
      try? ServerProgram.takeOver(arguments, stores: session.settings.stores)
    } else {
      try ServerProgram.takeOver(arguments, stores: session.settings.stores)
    }
    try session.refuseLogInStore()
    gs_set_messages(session.settings.errorFormat == .json ? 1 : 0)
    if !executable.handlesSignals { ProcessSignals.install() }
    if !(executable is DoctorCommand) { warnings.forEach { session.report($0) } }
    return try session.run(executable)
  }

  /// Prints what the parser ends with where that is no failure: help, the version, a completion script.
  private static func answer(_ error: any Error, in session: CommandSession) throws -> ExitCode {
    guard RootCommand.exitCode(for: error) == .success else { throw error }
    try session.print([HelpLayout.ownOptionsFirst(RootCommand.fullMessage(for: error))])
    return .success
  }

  private static func report(_ error: any Error, in session: CommandSession) -> ExitCode {
    if let error = error as? OutputError, error.code == .brokenPipe { return .brokenPipe }
    if error is Pager.Left { return .success }
    let diagnostic = DiagnosticMapper.diagnostic(for: error)
    session.report(diagnostic)
    return diagnostic.exitCode
  }

  /// The value of an option for errors that are found before the options are read.
  private static func word<Word: RawRepresentable<String>>(
    of option: String, in arguments: [String], _ variable: String?, or standard: Word
  ) -> Word {
    var word = variable.flatMap { Word(rawValue: $0) }
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { break }
      if argument == option, index + 1 < arguments.count {
        word = Word(rawValue: arguments[index + 1])
      } else if argument.hasPrefix(option + "=") {
        word = Word(rawValue: String(argument.dropFirst(option.count + 1)))
      }
    }
    return word ?? standard
  }
}
