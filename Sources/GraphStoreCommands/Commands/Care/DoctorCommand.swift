import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore doctor`
struct DoctorCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Look for what keeps the command from working, and say what to do.",
    discussion: """
      Looks at the environment, the configuration files, the store and the model, in this order. Each line that is not ok \
      says what to do. The store is only read, and of its rows nothing: see check. The exit code is 2 if something fails.
      """)

  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? { .ofUntracedWork }

  func execute(in session: CommandSession) throws -> ExitCode {
    let findings =
      EnvironmentExamination(session.environment).findings
      + ConfigurationExamination(session.environment, profile: options.shared.profile).findings
      + StoreExamination(session).findings
    let report = ExaminationReport(findings, usesColor: session.outputTerminal.usesColor)
    if json {
      try session.printJSON { report.writeJSON(to: $0) }
    } else {
      try session.print(report: report.lines)
    }
    return report.isOK ? .success : .negativeAnswer
  }
}
