import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model from-store [STORE]`
struct ModelFromStoreCommand: StoreCommand, OutputFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "from-store", abstract: "Print the model inside a store as a model file.",
    discussion: """
      Stores of this program carry their model as JSON, stores of Core Data as a compiled model, which is translated. \
      What has no meaning here is told on standard error.
      """)

  @Argument(
    help: "Store; without one that of --store.", completion: .file(extensions: ["db", "sqlite", "gstore"]))
  var path: String?

  @OptionGroup var output: OutputFileOptions

  @OptionGroup var options: AskingStoreCommandOptions

  var idleOptions: IdleStoreOptions? {
    IdleStoreOptions(
      options: [.model, .configuration, .trace, .sqlLog],
      reason: "the model is that of the store, whose reading is not traced")
  }

  func validate() throws {
    if path != nil, isStoreGiven {
      throw ValidationError("Name the store once: as STORE or with --store.")
    }
  }

  func adjust(_ settings: inout CommandSettings) throws {
    try applyAll(to: &settings)
    if let path { settings.stores = [StoreName(path: path)] }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let path = try session.storePath()
    let loaded = try session.recovering(path) {
      try StoreModel.load(fromStoreAt: path, timeout: session.timeout)
    }
    for finding in loaded.findings { session.report(DiagnosticMapper.warning(finding, file: path)) }
    try session.print(json: loaded.model.jsonData())
    return .success
  }
}
