import ArgumentParser
import GraphStore

/// `graphstore check`
struct CheckCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Look for damage in the store.",
    discussion: """
      Checks the file by SQLite's own means, then the graph: inverses, dangling references, required and unique values, \
      and whatever reading would show wrongly or not at all. \
      The exit code is 2 if something is wrong.
      """)

  @Flag(help: "Leave out what reads all rows.") var quick = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let stores = try session.stores()
    guard stores.count > 1 else {
      let report = try report(stores[0].path, in: session)
      return try tell(report.failureCount, report.lines, in: session) { report.writeJSON(to: $0) }
    }
    let reports = try CheckReports(
      StoreName.named(stores).map { (store: $0, report: try report($0.path, in: session)) },
      usesColor: session.outputTerminal.usesColor)
    return try tell(reports.failureCount, reports.lines, in: session) { reports.writeJSON(to: $0) }
  }

  private func report(_ path: String, in session: CommandSession) throws -> CheckReport {
    let model = try session.givenModel()
    let results = try session.recovering(path) {
      try StoreCheck.run(path: path, model: model, isQuick: quick, timeout: session.timeout)
    }
    return CheckReport(results, usesColor: session.outputTerminal.usesColor)
  }

  private func tell(
    _ count: Int, _ lines: @autoclosure () -> [String], in session: CommandSession,
    writeJSON: (OutputBuffer) -> Void
  ) throws -> ExitCode {
    if json {
      try session.printJSON(writeJSON)
    } else {
      try session.print(lines())
      if count > 0 { session.inform("\(count) \(count == 1 ? "problem" : "problems")") }
    }
    return count == 0 ? .success : .negativeAnswer
  }
}
