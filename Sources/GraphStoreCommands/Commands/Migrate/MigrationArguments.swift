import ArgumentParser
import GraphStore
import GraphStoreReports

/// Arguments that say where a migration leads, and by which mappings.
struct MigrationArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Wanted version: a model file, a directory of versions (its current one), or DIRECTORY#VERSION.",
      valueName: "model"), completion: .file(extensions: ["json", "graphmodel"]))
  var to: String?
  @Option(
    name: .customLong("mapping"),
    help: ArgumentHelp(
      "Mapping file beside those of the directory; repeat it for several.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var mappings: [String] = []
  @Flag(
    name: .customLong("step-by-step"),
    help: "Infer from each version to the next, also where going at once would keep more.")
  var isStepByStep = false
  @OptionGroup var hashes: HashesOptions

  /// The way from the store of a session to the wanted version.
  func plan(in session: CommandSession, checksData: Bool = false) throws -> MigrationPlan {
    let path = try session.storePath()
    let target = try MigrationGoal(try to ?? session.modelPath(namedBy: "--to MODEL"))
    let version = ModelVersion(
      try hashes.applied(to: target.version.model, in: session), name: target.version.name)
    let files = try mappings.map { try MappingFile(contentsOf: $0) }
    let plan = try session.recovering(path) {
      try MigrationPlan(
        fromStoreAt: path, to: version, in: target.versions, mappings: files,
        configuration: session.settings.configuration, allowsBackward: to != nil, isStepByStep: isStepByStep,
        checksData: checksData, madeWith: to == nil ? nil : session.givenModel(), timeout: session.timeout)
    }
    let used = Set(plan.steps.flatMap(\.mappingPaths))
    for file in files where !plan.steps.isEmpty && !used.contains(file.path ?? "") {
      session.report(
        Diagnostic(
          .warning, code: "mapping-unused",
          message: "no step of the plan uses the mapping \(file.path ?? "")",
          hints: ["it leads from \(file.source) to \(file.destination): name the versions of a step"],
          exitCode: .success))
    }
    return plan
  }
}

/// The version that a migration is to reach, and the directory that it is of.
struct MigrationGoal {
  let version: ModelVersion
  /// The directory; nil for a file that is in none.
  let versions: ModelVersions?

  /// - Parameter text: A model file, a directory of versions, or `DIRECTORY#VERSION`.
  /// - Throws: ``ModelError``, `model-bad-version` among them with the names there are.
  init(_ text: String) throws {
    let reference = ModelReference(text)
    let all = try ModelVersions(at: reference.path)
    guard all.format.hasVersions else {
      // A file that says which version it is goes by that, as the model that a store carries does.
      let model = try all.currentModel()
      let name = model.definition.version == nil ? all.currentName : nil
      (version, versions) = (ModelVersion(model, name: name), nil)
      return
    }
    // A version that there is not is told with the names that there are.
    let name = try ModelVersions(at: text).currentName
    version = ModelVersion(try all.model(named: name), name: name)
    versions = all
  }
}
