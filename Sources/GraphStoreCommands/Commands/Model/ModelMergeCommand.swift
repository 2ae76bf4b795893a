import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model merge SRC… DST`
struct ModelMergeCommand: AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Make one model file of several models.",
    discussion: """
      The models may lead to each other's entities. An entity that two of them have must have one version hash; what lies \
      outside of it is taken from the first. Of a directory of versions the current one is merged.

      graphstore model merge people.json shop.json all.json
      """)

  @Argument(help: "Models, and the JSON file to write last; - is standard output.", completion: .file())
  var paths: [String]
  @OptionGroup var options: AskingCommandOptions

  func validate() throws {
    if paths.count < 2 { throw ValidationError("merge takes models, and behind them the file to write.") }
    try ModelDestination.validate(paths[paths.count - 1])
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let model = try session.loadModel(paths.dropLast())
    try ModelDestination.write(model, to: paths[paths.count - 1], session)
    return .success
  }
}
