import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore migrate status`
struct MigrateStatusCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say which version a store has, and what is pending.",
    discussion: """
      Nothing is written. The exit code is 0; with --exit-code it is 2 when steps or indexes are pending, and 78 when no \
      chain of mappings leads to the wanted version.

      graphstore migrate status -s hr.db --to Company.graphmodel --exit-code
      """)

  @OptionGroup var goal: MigrationArguments
  @Flag(name: .customLong("exit-code"), help: "Exit 2 if something is pending.") var exitCode = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? { .ofUntracedWork }

  func execute(in session: CommandSession) throws -> ExitCode {
    let plan = try goal.plan(in: session)
    let indexes = try plan.steps.isEmpty ? PendingIndexes(plan, in: session) : nil
    let report = MigrationReport(plan, indexes: indexes, usesColor: session.outputTerminal.usesColor)
    if json {
      try session.printJSON { report.writeStatusJSON(to: $0) }
    } else {
      try session.print(report: report.statusLines)
    }
    return exitCode && report.isPending ? .negativeAnswer : .success
  }
}

extension PendingIndexes {
  /// Those of the store of a plan.
  init(_ plan: MigrationPlan, in session: CommandSession) throws {
    let difference = try session.recovering(plan.path) {
      let coordinator = try PersistentStoreCoordinator.open(
        storeAt: plan.path, options: session.storeOptions(isReadOnly: true),
        model: plan.target.model)
      defer { coordinator.close() }
      return try coordinator.indexDifference()
    }
    self.init(made: difference.made, removed: difference.removed)
  }
}
