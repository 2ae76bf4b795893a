import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model diff OLD NEW`
struct ModelDiffCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two models: what changed, and what a migration makes of it.",
    discussion: """
      A model is a file, a directory of versions for its current version, or DIRECTORY#VERSION. With one argument, a \
      directory's current version is compared with the version before it, and any other model with the store's.

      + is added, - removed, > renamed or moved, ~ changed. Behind each change stands its effect: "no migration" where \
      version hashes stay as they are, "lossless", "checked" where the data decide, "data lost", or "not inferable" where \
      a mapping has to be written.
      """)

  @Argument(
    help: ArgumentHelp("Model before the change.", valueName: "old"),
    completion: .file(extensions: ["json", "graphmodel"]))
  var first: String
  @Argument(
    help: ArgumentHelp("Model after it.", valueName: "new"),
    completion: .file(extensions: ["json", "graphmodel"]))
  var second: String?
  @Flag(name: .customLong("exit-code"), help: "Exit 2 if stores need a migration.") var exitCode = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? { second == nil ? nil : .ofModelFiles }

  func execute(in session: CommandSession) throws -> ExitCode {
    let models = try models(in: session)
    let difference = ModelDifference(from: models.old, to: models.new)
    let report = ModelDifferenceReport(difference, usesColor: session.outputTerminal.usesColor)
    if json {
      try session.printJSON { report.writeJSON(to: $0) }
    } else {
      try session.print(report: report.lines)
      session.inform(report.summary)
    }
    return exitCode && difference.needsMigration ? .negativeAnswer : .success
  }

  private func models(
    in session: CommandSession
  ) throws -> (old: ManagedObjectModel, new: ManagedObjectModel) {
    if let second {
      return (try ManagedObjectModel(contentsOf: first), try ManagedObjectModel(contentsOf: second))
    }
    if !isStoreGiven, let pair = try Self.lastTwo(ModelReference(first)) {
      return pair
    }
    let model = try ManagedObjectModel(contentsOf: first)
    return (try session.coordinator(.read).managedObjectModel, model)
  }

  /// The version before a version of a directory, and that version; nil for what has one version only.
  private static func lastTwo(
    _ reference: ModelReference
  ) throws -> (old: ManagedObjectModel, new: ManagedObjectModel)? {
    let versions = try ModelVersions(at: reference.path)
    let name = reference.version ?? versions.currentName
    guard let position = versions.names.firstIndex(of: name), position > 0 else { return nil }
    return (try versions.model(named: versions.names[position - 1]), try versions.model(named: name))
  }
}
