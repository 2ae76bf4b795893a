import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore migrate apply`
struct MigrateApplyCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Migrate a store.",
    discussion: """
      A new store is filled beside the old one, checked, and put in its place; the old one is kept as \
      NAME.VERSION.backup. Whatever happens on the way, the store is the old one or the new one, and whole.

      What would leave something behind needs --allow-lossy, or a yes at the terminal. --dry-run does everything but for \
      the replacement, and ends with the exit code of the real run. --output leaves the store as it is and writes the \
      migrated one to another place. Tables and indexes that somebody has added to the file go along; what cannot is told \
      before. What --allow-inexact has rounded, and which objects have lost members by it, is told as warnings.

      graphstore migrate apply --store hr.db --to Company.graphmodel
      graphstore migrate apply -s hr.db --to Company.graphmodel#3 --output new.db
      """)

  @OptionGroup var goal: MigrationArguments
  @Option(help: ArgumentHelp("Write the migrated store there.", valueName: "path"), completion: .file())
  var output: String?
  @Flag(help: "Replace a store that is at --output.") var force = false
  @Flag(name: .customLong("allow-lossy"), help: "Agree to what is left behind.") var allowLossy = false
  @Flag(
    name: .customLong("allow-inexact"),
    help: "Round numbers that do not convert exactly, and keep the first of several members of a to-one.")
  var allowInexact = false
  @Flag(name: .customLong("no-backup"), help: "Do not keep the old store.") var noBackup = false
  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Do everything but for the replacement.")
  var dryRun = false
  @Option(
    name: .customLong("migration-debug"),
    help: ArgumentHelp("Tell what is done: 1 steps, 2 mappings, 3 statements.", valueName: "level"))
  var debugLevel: String?
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: AskingStoreCommandOptions

  func validate() throws {
    if force, output == nil { throw ValidationError("--force goes with --output") }
  }

  func adjust(_ settings: inout CommandSettings) throws {
    try options.apply(to: &settings)
    if let debugLevel {
      settings.migrationLevel = try CommandSettings.migrationLevel(debugLevel, of: "--migration-debug")
    }
  }

  var writesStoreItself: Bool { output == nil && !dryRun }

  var idleOptions: IdleStoreOptions? { .ofUntracedWork }

  func execute(in session: CommandSession) throws -> ExitCode {
    if session.settings.isReadOnly, output == nil, !dryRun {
      throw Diagnostic(
        code: GraphStoreError.Code.readOnlyStore.rawValue,
        message: "--read-only keeps the store from being migrated",
        hints: ["leave it out, or write the migrated store to another place with --output PATH"],
        exitCode: .noPermission)
    }
    let plan = try goal.plan(in: session)
    try checkOutput(of: plan)
    try checkPolicies(of: plan)
    let report = MigrationReport(plan, usesColor: session.outputTerminal.usesColor)
    try agree(to: plan, in: session)
    for notice in report.notices { session.announce(notice) }
    if plan.steps.isEmpty, output == nil { return try applyIndexes(plan, report, in: session) }
    let result = try run(plan, in: session)
    for warning in MigrationReport.warnings(result, isRehearsal: dryRun) { session.report(warning) }
    if json {
      try session.telling(dryRun ? nil : "\(result.path) is migrated to \(plan.target.label)") {
        try session.printJSON { report.writeJSON(result, isRehearsal: dryRun, to: $0) }
      }
    }
    session.summarize(report.resultLines(result, isRehearsal: dryRun).joined(separator: "\n")) {
      report.writeJSON(result, isRehearsal: dryRun, to: $0)
    }
    return .success
  }

  /// - Throws: `store-exists` where the output is the store itself, by whatever name (MIG-328).
  private func checkOutput(of plan: MigrationPlan) throws {
    guard let output, !force, plan.isAt(output) else { return }
    throw Diagnostic(
      code: GraphStoreError.Code.storeExists.rawValue, message: "\(output) is the store itself",
      hints: ["leave --output out, or give another place"], exitCode: .cannotCreate)
  }

  /// - Throws: `migration-policy` for a plan that needs code of a program (MIG-197).
  private func checkPolicies(of plan: MigrationPlan) throws {
    let names = plan.steps.flatMap(\.policyNames)
    guard !names.isEmpty else { return }
    throw Diagnostic(
      code: GraphStoreError.Code.migrationPolicy.rawValue,
      message:
        "the plan needs the migration \(names.count == 1 ? "policy" : "policies") \(names.joined(separator: ", ")), "
        + "which a command cannot load",
      hints: ["run the migration by the program that has \(names.count == 1 ? "it" : "them")"],
      exitCode: .configuration)
  }

  /// - Throws: `lossy-migration` where nobody has agreed to what is left behind.
  private func agree(to plan: MigrationPlan, in session: CommandSession) throws {
    guard plan.isLossy, !allowLossy, !session.settings.answersYes else { return }
    let losses = plan.losses.map { VisibleText.escape($0.message) }
    guard session.isPersonAtTerminal, !session.settings.neverAsks else {
      throw Diagnostic(
        code: GraphStoreError.Code.lossyMigration.rawValue,
        message: "the migration would leave something behind: "
          + (losses.count == 1 ? losses[0] : "\(losses.count) things"),
        details: losses.count == 1 ? [] : losses,
        hints: plan.losses.compactMap(\.remedy).map(DiagnosticMapper.hint) + [
          "agree to what is left behind with --allow-lossy"
        ],
        exitCode: .notConfirmed)
    }
    // A rehearsal asks nobody.
    if dryRun { return }
    try session.confirm(
      "migrate, and leave that behind", showing: losses.map { "  - \($0)" })
  }

  private func applyIndexes(
    _ plan: MigrationPlan, _ report: MigrationReport, in session: CommandSession
  ) throws -> ExitCode {
    if let notice = plan.noticeOfRules { session.announce(notice) }
    let pending = try PendingIndexes(plan, in: session)
    if !dryRun, !session.settings.isReadOnly { StoreMigration.removeLeftovers(ofStoreAt: plan.path) }
    if !pending.isEmpty, !dryRun {
      try session.recovering(plan.path) {
        let coordinator = try PersistentStoreCoordinator.open(
          storeAt: plan.path, options: session.storeOptions(), model: plan.target.model)
        defer { coordinator.close() }
        try coordinator.rebuildIndexes()
      }
    }
    if json { try session.printJSON { report.writeJSON(to: $0) } }
    session.summarize(report.indexLine(pending, isRehearsal: dryRun)) { report.writeJSON(to: $0) }
    return .success
  }

  private func run(_ plan: MigrationPlan, in session: CommandSession) throws -> MigrationResult {
    var options = MigrationOptions()
    options.output = output
    options.replacesOutput = force
    options.keepsBackup = !noBackup
    options.allowsInexactConversion = allowInexact
    options.isRehearsal = dryRun
    options.timeout = session.timeout
    let migration = StoreMigration(plan, options: options)
    let watch = try MigrationWatch(
      migration, terminal: session.settings.isQuiet ? nil : session.errorTerminal)
    defer { watch.end() }
    return try session.recovering(plan.path) { try migration.run() }
  }
}
