import ArgumentParser
import GraphStore

/// `graphstore check`
struct CheckCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Look for damage in the store.",
    discussion: """
      Checks the file by SQLite's own means, then the graph: inverses, dangling references, required and unique values, \
      and whatever reading would show wrongly or not at all. \
      The exit code is 2 if something is wrong.

      --repair mends what can be mended without losing data, after a question (--yes answers it). The former state of a \
      store is copied to a file beside it first, and whoever has the store open has to close it.
      """)

  @Flag(help: "Leave out what reads all rows.") var quick = false
  @Flag(help: "Mend what can be mended without losing data.") var repair = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: AskingStoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let stores = try session.stores()
    let repairs = repair ? try mend(stores, in: session) : [:]
    guard stores.count > 1 else {
      let report = try report(stores[0].path, repairs, in: session)
      return try tell(report.failureCount, report.lines, in: session) { report.writeJSON(to: $0) }
    }
    let reports = try CheckReports(
      StoreName.named(stores).map { (store: $0, report: try report($0.path, repairs, in: session)) },
      usesColor: session.outputTerminal.usesColor)
    return try tell(reports.failureCount, reports.lines, in: session) { reports.writeJSON(to: $0) }
  }

  /// Mends what can be mended in all stores, after one question.
  ///
  /// - Returns: What was done, by the store's path.
  private func mend(_ stores: [StoreName], in session: CommandSession) throws -> [String: StoreRepair.Result]
  {
    let model = try session.givenModel()
    let repairs = try stores.map { store in
      try session.recovering(store.path) {
        try StoreRepair(path: store.path, model: model, timeout: session.timeout)
      }
    }.filter { !$0.steps.isEmpty }
    if repairs.isEmpty { return [:] }
    try session.requireConsent(for: "check --repair")
    let lines = repairs.flatMap { repair in
      repair.steps.map { "\(VisibleText.escape(repair.path)): \($0.subject): \($0.message)" }
    }
    try session.confirm("repair the store", showing: lines)
    return try Dictionary(uniqueKeysWithValues: repairs.map { ($0.path, try $0.run()) })
  }

  private func report(
    _ path: String, _ repairs: [String: StoreRepair.Result], in session: CommandSession
  ) throws -> CheckReport {
    let model = try session.givenModel()
    let results = try session.recovering(path) {
      try StoreCheck.run(path: path, model: model, isQuick: quick, timeout: session.timeout)
    }
    return CheckReport(results, repairs[path], usesColor: session.outputTerminal.usesColor)
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
