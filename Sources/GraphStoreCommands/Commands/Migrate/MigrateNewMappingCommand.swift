import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore migrate new-mapping OLD NEW`
struct MigrateNewMappingCommand: OutputFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-mapping", abstract: "Write a mapping between two models, to be completed by hand.",
    discussion: """
      Everything is spelt out as it would be inferred. What cannot be inferred has the value null and a note that says why; \
      it is told on standard error too. Delete what is inferred well, and what is left decides.

      A mapping is found when it lies in mappings/ of the directory of versions, whatever its name.

      graphstore migrate new-mapping Shop.graphmodel#1 Shop.graphmodel#2 -o 1-2.json
      """)

  @Argument(
    help: ArgumentHelp(
      "Model that is left: a file, a directory for its current version, or DIRECTORY#VERSION."),
    completion: .file(extensions: ["json", "graphmodel"]))
  var old: String
  @Argument(
    help: ArgumentHelp("Model that is reached."), completion: .file(extensions: ["json", "graphmodel"]))
  var new: String
  @OptionGroup var output: OutputFileOptions
  @OptionGroup var options: AskingCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let (source, destination) = (try Self.version(old), try Self.version(new))
    var mapping = MappingModel.draft(from: source.model, to: destination.model)
    (mapping.source, mapping.destination) = (source.name, destination.name)
    for note in mapping.notes { session.report(Self.warning(note)) }
    try session.print(json: mapping.jsonData())
    return .success
  }

  /// The version that a name of a model leads to.
  private static func version(_ text: String) throws -> (name: String, model: ManagedObjectModel) {
    let versions = try ModelVersions(at: text)
    return (versions.currentName, try versions.currentModel())
  }

  private static func warning(_ note: MappingModel.Note) -> Diagnostic {
    Diagnostic(
      .warning, code: "mapping-incomplete", message: "\(note.path): \(DiagnosticMapper.clause(note.text))",
      exitCode: .success)
  }
}
