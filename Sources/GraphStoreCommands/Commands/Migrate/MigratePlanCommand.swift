import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore migrate plan`
struct MigratePlanCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show the steps of a migration, and what each does to the data.",
    discussion: """
      Nothing is written. + is added, - removed, > renamed or moved, ~ changed; what is left behind stands below with the \
      number of objects concerned. The exit code is 0; with --exit-code it is 2 when there are steps, and 78 when no chain \
      of mappings leads to the wanted version.

      --check-data also looks for objects that the new version does not allow: numbers that do not convert exactly, \
      duplicates under a new constraint, members that are missing or too many. The exit code is 65 if there are some, as \
      that of apply.

      Where no mapping is written, a step goes at once over the versions between if that keeps more; the plan then shows \
      both ways. --step-by-step asks for the other.

      graphstore migrate plan --store hr.db --to Company.graphmodel
      """)

  @OptionGroup var goal: MigrationArguments
  @Flag(name: .customLong("check-data"), help: "Look for objects that the new version does not allow.")
  var checkData = false
  @Flag(name: .customLong("exit-code"), help: "Exit 2 if there are steps.") var exitCode = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? { .ofWorkOnFiles }

  func execute(in session: CommandSession) throws -> ExitCode {
    let plan = try goal.plan(in: session, checksData: checkData)
    let report = MigrationReport(plan, usesColor: session.outputTerminal.usesColor)
    if json {
      try session.printJSON { report.writeJSON(to: $0) }
    } else {
      try session.print(report: report.lines)
      session.inform(report.summary)
      if let notice = plan.noticeOfRules { session.announce(notice) }
    }
    if !plan.findings.isEmpty { return .dataError }
    return exitCode && !plan.steps.isEmpty ? .negativeAnswer : .success
  }
}
