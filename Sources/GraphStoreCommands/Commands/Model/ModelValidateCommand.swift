import ArgumentParser
import GraphStore

/// `graphstore model validate MODEL`
struct ModelValidateCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Look for problems in a model; exit 2 if there are some.",
    discussion: """
      Of a directory all versions are looked at. What had to be dropped of a model that another maker's tools wrote, and \
      what stores and requests cannot do with it yet, is told on standard error. For what is allowed and often a \
      mistake see `graphstore model lint`.
      """)

  @Argument(help: "Model file or directory.", completion: .file(extensions: ["json"])) var file: String?
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let path = try file ?? session.modelPath()
    var check = ModelLinter()
    check.includesWarnings = false
    let found = try check.report(at: path)
    let report = ModelFindingReport(path, found, usesColor: session.outputTerminal.usesColor)
    let errors = report.entries.filter { $0.finding.severity == .error }
    if json {
      try session.withOutput { report.writeProblemsJSON(to: $0) }
    } else {
      for entry in report.entries where entry.finding.severity == .warning {
        session.report(DiagnosticMapper.warning(entry.finding, file: entry.file))
      }
      try session.print(
        report: ModelFindingReport(path, errors, usesColor: session.outputTerminal.usesColor).lines)
      if errors.isEmpty { inform(of: found, at: path, in: session) }
    }
    return errors.isEmpty ? .success : .negativeAnswer
  }

  private func inform(of found: ModelCheckReport, at path: String, in session: CommandSession) {
    guard let model = found.versions.first(where: \.isCurrent)?.model else { return }
    let versions = found.versions.count > 1 ? ", \(found.versions.count) versions" : ""
    session.inform(
      "\(path): \(InitCommand.title(model)), \(model.entities.count) entities\(versions), no problems")
  }
}
