import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model convert SRC DST`
struct ModelConvertCommand: AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Write a model in another format.",
    discussion: """
      The names say what is meant: .json is one model; .graphmodel is a directory of versions; .xcdatamodel and \
      .xcdatamodeld are those of Xcode; .mom and .momd are compiled and can be read only. Between directories all versions \
      and the current one are kept; a single file gets the current version. - as DST prints JSON.

      What was read otherwise than it stands, or left out, is a warning with its line. DST is written whole or not at all.

      graphstore model convert Shop.xcdatamodeld Shop.graphmodel
      graphstore model convert Shop.graphmodel Shop.xcdatamodeld --force
      """, aliases: ["import"])

  @Argument(help: ArgumentHelp("Model to read.", valueName: "src"), completion: .file()) var source: String
  @Argument(help: ArgumentHelp("Where to write it; - prints JSON.", valueName: "dst"), completion: .file())
  var destination: String
  @Flag(help: "Replace what is there; so does --yes.") var force = false
  @OptionGroup var options: AskingCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let path =
      destination.count > 1 && destination.hasSuffix("/") ? String(destination.dropLast()) : destination
    let format = path == "-" ? .json : try Self.format(of: path)
    let conversion = try ModelConversion(of: source, to: format)
    for warning in conversion.warnings {
      session.report(DiagnosticMapper.warning(warning.finding, file: warning.file))
    }
    try ModelDestination.write(conversion, to: path, force: force, session)
    return .success
  }

  /// What a name asks to be written.
  private static func format(of path: String) throws -> ModelFormat {
    if let format = ModelFormat(endingOf: path) { return format }
    throw Diagnostic(
      code: "usage", message: "the name of \(path) does not say what to write",
      hints: ["end it in .json, .graphmodel, .xcdatamodel or .xcdatamodeld"], exitCode: .usage)
  }
}
