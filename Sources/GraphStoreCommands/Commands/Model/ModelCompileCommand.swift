import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model compile SRC… DST`
struct ModelCompileCommand: AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile", abstract: "Check models and write them in their canonical form.",
    discussion: """
      Several models are merged into one file. A directory of versions becomes a directory with every version, the current \
      one noted, and the written mappings. What is compiled has the same version hashes.

      graphstore model compile people.json shop.json build/all.json
      graphstore model compile Company.graphmodel build/Company.graphmodel
      """)

  @Argument(help: "Models, and behind them the file or directory to write.", completion: .file())
  var paths: [String]
  @OptionGroup var options: AskingCommandOptions

  private var destination: String { paths[paths.count - 1] }
  private var isDirectory: Bool { ModelFormat(endingOf: destination) == .versions }

  func validate() throws {
    guard paths.count >= 2 else {
      throw ValidationError("compile takes models, and behind them what to write.")
    }
    if !isDirectory { try ModelDestination.validate(destination) }
    if isDirectory, paths.count > 2 {
      throw ValidationError("Versions of several models are not merged; compile each directory alone.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    guard isDirectory else {
      try ModelDestination.write(try session.loadModel(paths.dropLast()), to: destination, session)
      return .success
    }
    let conversion = try ModelConversion(of: paths[0], to: .versions)
    for warning in conversion.warnings {
      session.report(DiagnosticMapper.warning(warning.finding, file: warning.file))
    }
    try ModelDestination.write(conversion, to: destination, session)
    return .success
  }
}
