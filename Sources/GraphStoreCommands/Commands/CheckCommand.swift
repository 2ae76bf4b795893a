import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore check`
struct CheckCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Look for damage in the store.",
    discussion: """
      Checks the file by SQLite's own means, then the graph: inverses, dangling references, required and unique values, \
      and whatever reading would show wrongly or not at all. Values that a validation rule forbids are warnings. \
      The exit code is 2 if something is wrong.

      A store in one document is read as a whole, which finds what is wrong with its form and links, and says the line; its \
      values are checked as those of a file are. It is not repaired: edit it. A store on a server is looked at in its tables, \
      for what others may have left there.

      --repair mends what can be mended without losing data, after a question (--yes answers it): references and links \
      to objects that are gone, ends of links that are missing, order values, key counters, versions, numbers of \
      entities, indexes and derived values. It lists what somebody has to decide, with what can be done about it. \
      The former state of a store is copied to a file beside it first, and whoever has the store open has to close it; on a \
      server it is copied to the schema NAME_backup, and others go on reading. \
      A value of a wrong type that keeps its row from being read is set to nil by --clear ENTITY.PROPERTY. \
      --repair --dry-run tells what would be done and left, and exits 2 as long as something is wrong.
      """)

  @Flag(help: "Leave out what reads all rows.") var quick = false
  @Flag(help: "Mend what can be mended without losing data.") var repair = false
  @Option(
    help: .init(
      "Let --repair set values to nil that are none of a property's type. Repeatable.",
      valueName: "entity.property"))
  var clear: [String] = []
  @Flag(help: "Exit 2 with warnings alone too.") var strict = false
  @OptionGroup var dryRun: DryRunOptions
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: AskingStoreCommandOptions

  var writesStoreItself: Bool { repair && !dryRun.isOn }

  var idleOptions: IdleStoreOptions? {
    guard repair else { return .ofWorkOnFiles }
    return IdleStoreOptions(
      options: [.configuration, .trace, .sqlLog],
      reason: "repair goes by the configuration that the store records or that fits, and is not traced")
  }

  func validate() throws {
    guard !(quick && repair) else {
      throw ValidationError("--repair looks at all rows, which --quick leaves out")
    }
    guard repair || clear.isEmpty else {
      throw ValidationError("a check writes nothing; --clear goes with --repair")
    }
    guard repair || !dryRun.isOn else {
      throw ValidationError("a check writes nothing; --dry-run goes with --repair")
    }
    guard !(repair && !dryRun.isOn && options.store.readOnly) else {
      throw ValidationError("--repair writes to the store, which --read-only forbids")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let stores = try session.stores()
    let repairs = repair ? try mend(stores, in: session) : [:]
    guard stores.count > 1 else {
      let report = try report(stores[0].path, repairs, in: session)
      return try tell(report.counts, report.lines, after: repairs, in: session) { report.writeJSON(to: $0) }
    }
    let reports = try CheckReports(
      StoreName.named(stores).map { (store: $0, report: try report($0.path, repairs, in: session)) },
      usesColor: session.outputTerminal.usesColor)
    return try tell(reports.counts, reports.lines, after: repairs, in: session) { reports.writeJSON(to: $0) }
  }

  /// Mends what can be mended in all stores, after one question; in a dry run it only looks.
  ///
  /// - Returns: What was done and left, by the store's path.
  private func mend(_ stores: [StoreName], in session: CommandSession) throws -> [String: RepairReport] {
    let model = try session.givenModel()
    let repairs = try stores.map { store in
      try session.recovering(store.path) {
        try StoreRepair(path: store.path, model: model, clearing: clear, timeout: session.timeout)
      }
    }
    if !dryRun.isOn, repairs.contains(where: { !$0.steps.isEmpty }) {
      let plan = repairs.flatMap { RepairReport($0).planLines($0.path) }
      try session.requireConsent(
        for: "check --repair", showing: plan, or: "with --dry-run to write nothing")
      try session.confirm("repair the store", showing: plan)
    }
    // A repair fills a copy first, which has to go when it is interrupted.
    ProcessSignals.watch()
    return try Dictionary(
      repairs.map { repair in
        let isRun = !dryRun.isOn && !repair.steps.isEmpty
        return (repair.path, isRun ? try RepairReport(repair.run()) : RepairReport(repair))
      }, uniquingKeysWith: { first, _ in first })
  }

  private func report(
    _ path: String, _ repairs: [String: RepairReport], in session: CommandSession
  ) throws -> CheckReport {
    let model = try session.givenModel()
    let results = try session.recovering(path) {
      try StoreCheck.run(
        path: path, model: model, configuration: session.settings.configuration, isQuick: quick,
        timeout: session.timeout)
    }
    let terminal = session.outputTerminal
    return CheckReport(
      results, repairs[path], usesColor: terminal.usesColor, columns: min(80, terminal.columns ?? 80))
  }

  private func tell(
    _ counts: CheckCounts, _ lines: @autoclosure () -> [String], after repairs: [String: RepairReport],
    in session: CommandSession, writeJSON: (OutputBuffer) -> Void
  ) throws -> ExitCode {
    try session.telling(repairs.values.contains(where: \.isRun) ? "the store is repaired" : nil) {
      if json { try session.printJSON(writeJSON) } else { try session.print(report: lines()) }
    }
    if !json, let summary = counts.summary(isRepaired: repair && !dryRun.isOn) { session.inform(summary) }
    let isBad = counts.failures > 0 || strict && counts.warnings > 0
    return isBad ? .negativeAnswer : .success
  }
}
