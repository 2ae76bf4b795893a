import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model validate MODEL…`
struct ModelValidateCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Look for problems in a model; exit 2 if there are some.",
    discussion: """
      Of a directory all versions are looked at, of several files one after the other. What had to be dropped of a model that another maker's tools wrote, and \
      what stores and requests cannot do with it yet, is told on standard error. For what is allowed and often a \
      mistake see `graphstore model lint`.
      """)

  @Argument(
    help: ArgumentHelp("Model files or directories.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var files: [String] = []
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? {
    guard files.isEmpty else { return .ofModelFiles }
    return IdleStoreOptions(
      options: Set(StoreOption.allCases).subtracting([.model]),
      reason: "the command reads a model, and no store")
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let (found, unreadable) = try session.examine(files.isEmpty ? [session.modelPath()] : files) { path in
      (path: path, report: try Self.report(at: path))
    }
    let usesColor = session.outputTerminal.usesColor
    let reports = found.map { ModelFindingReport($0.path, $0.report, usesColor: usesColor) }
    if json {
      let all = ModelFindingReports(reports, fileCount: max(1, files.count))
      try session.withOutput { all.writeProblemsJSON(to: $0) }
    } else {
      for (found, report) in zip(found, reports) { try tell(report, of: found, in: session) }
    }
    if unreadable != .success { return unreadable }
    return reports.allSatisfy { $0.count(.error) == 0 } ? .success : .negativeAnswer
  }

  private static func report(at path: String) throws -> ModelCheckReport {
    var check = ModelLinter()
    check.includesWarnings = false
    var found = try check.report(at: path)
    for position in found.versions.indices {
      guard let model = found.versions[position].model, let problem = widthProblem(of: model) else {
        continue
      }
      found.versions[position].add([problem])
    }
    return found
  }

  private func tell(
    _ report: ModelFindingReport, of found: (path: String, report: ModelCheckReport),
    in session: CommandSession
  ) throws {
    for entry in report.entries where entry.finding.severity == .warning {
      session.report(DiagnosticMapper.warning(entry.finding, file: entry.file))
    }
    let errors = report.entries.filter { $0.finding.severity == .error }
    try session.print(
      report: ModelFindingReport(found.path, errors, usesColor: session.outputTerminal.usesColor)
        .lines(as: session.settings.errorFormat))
    if errors.isEmpty { inform(of: found.report, at: found.path, in: session) }
  }

  /// A model of which no store can be made, because a table has too few columns, is of no use either.
  private static func widthProblem(of model: ManagedObjectModel) -> ModelProblem? {
    guard let failure = try? model.widthFailure() else { return nil }
    let position = model.entities.firstIndex { $0.name == failure.entity }
    return ModelProblem(
      ModelProblem.Code(failure.code.rawValue),
      at: position.map { ModelPath().item("entities", $0) } ?? ModelPath(), message: failure.message,
      remedy: failure.remedy)
  }

  private func inform(of found: ModelCheckReport, at path: String, in session: CommandSession) {
    guard let model = found.versions.first(where: \.isCurrent)?.model else { return }
    let versions = found.versions.count > 1 ? ", \(found.versions.count) versions" : ""
    session.inform(
      "\(path): \(ModelWords.title(of: model)), \(model.entities.count) entities\(versions), no problems")
  }
}
