import Foundation
import GraphStoreFiles
import GraphStoreModel
import GraphStoreSQLite

/// Run of a migration's plan: a new store is filled beside the old one, checked, and replaces it.
///
/// At every instant the path holds one complete store, the old one or the new. The old store is kept from
/// other writers meanwhile, and readers continue until the replacement. Any thread may run it, once.
///
/// ```swift
/// let migration = StoreMigration(plan)
/// let watch = Task {
///   while !migration.progress.isFinished {
///     print(migration.progress.fractionCompleted)
///     try await Task.sleep(for: .seconds(1))
///   }
/// }
/// let result = try migration.run()
/// watch.cancel()
/// ```
public final class StoreMigration: Sendable {
  /// The plan that is run.
  public let plan: MigrationPlan
  /// The options with which it is run.
  public let options: MigrationOptions
  /// As many units as steps; cancelling it ends the migration with `migration-cancelled`, unless the
  /// replacement has begun.
  public let progress: Progress
  private let steps: [Progress]
  private let cancellation = CancellationFlag()

  /// Makes a run of a plan.
  ///
  /// - Parameters:
  ///   - plan: What is run.
  ///   - options: How it is run.
  public init(_ plan: MigrationPlan, options: MigrationOptions = MigrationOptions()) {
    self.plan = plan
    self.options = options
    let progress = Progress(totalUnitCount: Int64(plan.steps.count))
    self.progress = progress
    // Fractions of a step are reported in thousandths.
    steps = plan.steps.map { _ in Progress(totalUnitCount: 1_000, parent: progress, pendingUnitCount: 1) }
  }

  /// Stops the migration at the next batch or statement, from any thread.
  ///
  /// - Parameter error: The error reported as the cause.
  public func cancelMigration(with error: (any Error)? = nil) { cancellation.cancel(with: error) }

  /// Runs the plan.
  ///
  /// - Returns: The result.
  /// - Throws: `migration-constraint` for data that the new version does not allow; `migration-cancelled`,
  ///   `migration-policy`, `migration-failed`; `store-in-use`, `store-timeout`, `store-permission`,
  ///   `store-exists`, `disk-full`. The store is as it was then.
  public func run() throws -> MigrationResult { try Self.run([self])[0] }

  /// Runs the plans of several stores: all are replaced, or none.
  ///
  /// All new stores are made and checked before the first replaces its old one. Where one cannot, those that
  /// did are restored from their backups, and the error lists the state of each.
  ///
  /// - Returns: The results, in the order of the migrations.
  /// - Throws: as ``run()``.
  public static func run(_ migrations: [StoreMigration]) throws -> [MigrationResult] {
    let clock = ContinuousClock()
    let start = clock.now
    let runs = try migrations.map { try $0.prepared() }
    let counts = try runs.map { try $0?.perform() ?? [:] }
    let backups = try place(zip(migrations, runs).map { $0.options.isRehearsal ? nil : $1 })
    return try migrations.indices.map { index in
      let (migration, run) = (migrations[index], runs[index])
      defer { migration.options.log.write(.steps, "total: \((clock.now - start).secondsText)") }
      if !migration.options.isRehearsal, let run {
        run.finish()
        if run.leavesSource, migration.options.deletesSource { run.removeSource() }
      }
      return MigrationResult(
        path: try run?.targetPath ?? migration.copied(), source: migration.plan.source,
        target: migration.plan.target,
        stepCount: run?.isOvertaken == false ? migration.plan.steps.count : 0,
        objectCounts: counts[index], inexactFindings: run?.inexactFindings ?? [],
        backup: backups[index], seconds: (clock.now - start) / .seconds(1))
    }
  }

  private func prepared() throws -> PreparedMigration? {
    plan.describe(to: options.log)
    if plan.steps.isEmpty { return nil }
    do {
      return try PreparedMigration(
        plan, options, cancellation: cancellation, progress: progress, steps: steps)
    } catch is PreparedMigration.Overtaken {
      return nil
    }
  }

  /// Moves all stores to their paths, or none.
  private static func place(_ runs: [PreparedMigration?]) throws -> [String?] {
    var placed: [PreparedMigration] = []
    do {
      return try runs.map { run in
        guard let run else { return nil }
        let backup = try run.place()
        placed.append(run)
        return backup
      }
    } catch {
      guard !placed.isEmpty, var failure = error as? GraphStoreError else { throw error }
      for run in placed.reversed() { failure.details.append(run.putBack()) }
      throw failure
    }
  }

  /// Removes what migrations of a store have left whose processes died (MIG-271).
  package static func removeLeftovers(ofStoreAt path: String) {
    guard ServerAddress(path) == nil else { return }
    TemporaryStore.removeLeftovers(beside: ResolvedPath.of(path))
    // Second names of the store are removed where it is opened for writing.
    if FileIdentity.hasSeveralNames(path) {
      try? StoreRegistry.open(path, StoreOptions(timeout: .zero), .carried).close()
    }
  }

  /// A store that has the version already: copied to another path as it is, and left alone at its own
  /// (MIG-010, MIG-011).
  private func copied() throws -> String {
    options.log.write(.steps, "\(plan.path) has version \(plan.target.label): nothing to do")
    guard let output = options.output, ResolvedPath.of(output) != ResolvedPath.of(plan.path) else {
      return plan.path
    }
    if options.isRehearsal { return output }
    let target = try plan.destination(at: output, options)
    let source = try plan.lockedStore(isReplaced: false, beside: target.path, options)
    defer { source.release() }
    try source.completeCopy(identifier: options.deletesSource ? nil : UUID())
    try source.place(at: target, removesSource: options.deletesSource)
    if options.deletesSource { source.remove() }
    return target.path
  }
}

/// Cancelling of a migration, from any thread.
final class CancellationFlag: Sendable {
  private let state = Monitor<(isCancelled: Bool, cause: (any Error)?)>((false, nil))

  func cancel(with cause: (any Error)?) { state.change { $0 = (true, cause) } }

  var isCancelled: Bool { state.withState(\.isCancelled) }

  var cause: (any Error)? { state.withState(\.cause) }
}

/// Result of a migration.
///
/// ```swift
/// let result = try StoreMigration(plan).run()
/// print(result.source.label, "to", result.target.label, "in", result.seconds, "seconds")
/// if let backup = result.backup { print("the former store is in", backup) }
/// ```
public struct MigrationResult: Sendable {
  /// The path of the migrated store.
  public let path: String
  /// The version that the store had.
  public let source: ModelVersion
  /// The version that it has.
  public let target: ModelVersion
  /// The number of steps that were run; 0 for a store that had the version already.
  public let stepCount: Int
  /// The number of objects by the names of the entities of the new version.
  public let objectCounts: [String: Int]
  /// What ``MigrationOptions/allowsInexactConversion`` has let pass: numbers that were rounded, and objects
  /// that have kept the first of several members.
  public let inexactFindings: [MigrationFinding]
  /// The path where the old store is kept; nil where it is not kept, or is where it was.
  public let backup: String?
  /// How long it took.
  public let seconds: Double
}
