import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Migration whose store is locked: its steps run into temporary stores, of which the last replaces the store
/// at the end.
///
/// All of several stores are performed before the first is moved to its path (MIG-282).
final class PreparedMigration {
  /// The path of the migrated store.
  let targetPath: String
  /// The path beside which the stores of the steps are filled.
  let workingPath: String
  /// Whether the old store stays where it is.
  let leavesSource: Bool
  let plan: MigrationPlan
  private let options: MigrationOptions
  private let cancellation: CancellationFlag
  private let progress: Progress
  /// A progress for each step.
  private let steps: [Progress]
  let source: any MigratedStore
  private let target: StoreDestination?
  var result: TemporaryStore?
  /// What inexact conversion has changed, in the order of the steps.
  private(set) var inexactFindings: [MigrationFinding] = []

  /// Locks the store; nothing has been written then but a copy of a store that cannot be.
  ///
  /// - Throws: `store-in-use`, `store-timeout`, `store-permission`, `store-exists` for an output that is
  ///   taken; `disk-full` where there is not enough room; ``Overtaken``; `migration-failed` for a store that
  ///   has got another version since it was planned.
  init(
    _ plan: MigrationPlan, _ options: MigrationOptions, cancellation: CancellationFlag, progress: Progress,
    steps: [Progress]
  ) throws {
    (self.plan, self.options, self.cancellation) = (plan, options, cancellation)
    (self.progress, self.steps) = (progress, steps)
    try EntityMigrationPolicy.check(plan.steps)
    let place = options.output.map(ResolvedPath.of)
    let isElsewhere = place.map { !plan.isAt($0) } ?? false
    leavesSource = isElsewhere
    targetPath = isElsewhere ? place ?? plan.path : plan.replacedPath
    workingPath = plan.workingPath(for: targetPath)
    target = isElsewhere ? try plan.destination(at: targetPath, options) : nil
    if options.isRehearsal, !isElsewhere { try plan.checkWritable() }
    TemporaryStore.removeLeftovers(beside: workingPath)
    if plan.isInFile { try Self.checkRoom(plan, beside: workingPath) }
    do {
      source = try plan.lockedStore(
        isReplaced: !isElsewhere && !options.isRehearsal, beside: targetPath, options
      ) { [progress, cancellation] in cancellation.isCancelled || progress.isCancelled }
    } catch is LockedStore.Cancelled {
      throw GraphStoreError.migrationCancelled(cancellation.cause, path: plan.path)
    }
    guard plan.stored.isSame(by: source.metadata) else {
      if plan.stored.hasReached(plan.target.model, by: source.metadata) { throw Overtaken() }
      throw GraphStoreError.changedSincePlanned(plan.path)
    }
  }

  /// Another process has brought the store to the target since it was planned (MIG-285).
  struct Overtaken: Error {}

  /// Runs all steps.
  ///
  /// - Returns: The number of objects by the names of new entities.
  func perform() throws -> [String: Int] {
    if let counts = try inPlace() { return counts }
    if !plan.isInFile { try Self.checkRoom(plan, beside: workingPath) }
    var reading = try cancelling { try source.readingPath() }
    var counts: [String: Int] = [:]
    for (position, step) in plan.steps.enumerated() {
      let start = ContinuousClock.now
      step.describe(to: options.log)
      if let stage = plan.staging?[position], stage.willMigrateHandler != nil {
        reading = try prepare(for: stage, before: step, reading: reading)
      }
      let store = try TemporaryStore(beside: workingPath)
      counts = try run(step, at: position, from: reading, into: store)
      try finish(step, at: position, in: store)
      options.log.write(
        .steps,
        "step \(position + 1) of \(plan.steps.count): \(step.source.label) to \(step.destination.label), "
          + "\(step.kind.rawValue), \(counts.values.reduce(0, +)) objects, \((ContinuousClock.now - start).secondsText)"
      )
      options.log.write(.steps, "checked the store of version \(step.destination.label)")
      (result, reading) = (store, store.path)
      source.endReading()
      // The last step ends with the replacement (MIG-292).
      if position < steps.count - 1 { steps[position].completedUnitCount = steps[position].totalUnitCount }
    }
    if let result { try cancelling { try source.complete(result, identifier: identifier) } }
    result = nil
    return counts
  }

  /// Does all steps where the store is, if they need nothing of it; a rehearsal would keep others from
  /// reading.
  private func inPlace() throws -> [String: Int]? {
    guard plan.staging == nil, options.usesStoreSpecificMigrationManager, !options.isRehearsal,
      let counts = try cancelling({ try source.migrateInPlace(keepsFormer: keepsBackup) })
    else { return nil }
    options.log.write(.steps, "altered the tables of \(source.path) where they are")
    return counts
  }

  /// Does something that ends early where the migration is cancelled.
  ///
  /// - Throws: `migration-cancelled`, and what the body throws.
  private func cancelling<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch is LockedStore.Cancelled { throw cancelled() }
  }

  /// Moves the last store to its path (MIG-224, MIG-266).
  ///
  /// - Returns: Where the old store is kept; nil where it is not, and where another process has been faster
  ///   (MIG-285).
  func place() throws -> String? {
    if cancellation.isCancelled || progress.isCancelled { throw cancelled() }
    if let target {
      try cancelling { try source.place(at: target, removesSource: options.deletesSource) }
      complete()
      options.log.write(.steps, "the migrated store is \(targetPath); \(source.path) \(fateOfSource)")
      return nil
    }
    let backup: String?
    do {
      backup = try cancelling {
        try source.replace(keepingOldAs: keepsBackup ? .backup(version: plan.source.label) : .hidden)
      }
    } catch let replaced as ReplacedMeanwhile {
      try accept(replaced)
      return nil
    }
    complete()
    // What is still there of a store on a server is kept, by wish or because others depend on it.
    let kept = keepsBackup || !plan.isInFile ? backup : nil
    options.log.write(
      .steps, "\(source.path) was replaced; the old store is \(kept.map { "kept as \($0)" } ?? "not kept")")
    placedBackup = backup
    return kept
  }

  private var fateOfSource: String { options.deletesSource ? "is removed" : "stays as it was" }

  /// Accepts a store with which another process has replaced the old one meanwhile.
  ///
  /// - Throws: `migration-failed`, and of a document `file-changed`, where that has another version than this
  ///   migration leads to.
  private func accept(_ replaced: ReplacedMeanwhile) throws {
    let stored: StoredVersion
    do {
      stored = try StoredVersion(
        at: plan.path, configuration: plan.stored.configuration, timeout: options.timeout)
    } catch {
      var failure = replaced.failure
      failure.underlying = error
      throw failure
    }
    guard stored.isOf(plan.target.model) else { throw replaced.failure }
    isOvertaken = true
    complete()
  }

  /// Whether another process has brought the store to the target while this one migrated it.
  private(set) var isOvertaken = false

  private func complete() {
    for step in steps { step.completedUnitCount = step.totalUnitCount }
  }

  /// Removes the old store where it is not to be kept; once every store is at its path.
  func finish() {
    if let placedBackup, !keepsBackup { source.removeBackup(placedBackup) }
    placedBackup = nil
  }

  /// Restores the old store, because another store could not be moved to its path (MIG-283); a migrated one
  /// that others have written to stays.
  ///
  /// - Returns: The state of the store, as a sentence.
  func putBack() -> String {
    guard let placedBackup else { return "\(targetPath) is the migrated store" }
    do {
      try source.putBack(placedBackup)
      self.placedBackup = nil
      return "\(source.path) is the old store again"
    } catch is WrittenMeanwhile {
      return
        "\(source.path) is the migrated store, in which somebody has written already, and the old one is "
        + placedBackup
    } catch {
      return "\(source.path) is the migrated store, and the old one is \(placedBackup)"
    }
  }

  /// Removes the old store after a migration to another path.
  func removeSource() { source.remove() }

  private var placedBackup: String?

  private var keepsBackup: Bool { options.keepsBackup ?? (plan.isLossy || plan.isForeign) || plan.isForeign }

  // MARK: Steps

  private func run(
    _ step: MigrationStep, at position: Int, from path: String, into store: TemporaryStore
  ) throws -> [String: Int] {
    do {
      let counts = try MigrationStepRun(
        step: step, isLast: position == plan.steps.count - 1, sourcePath: path, storePath: plan.path,
        store: store, stored: plan.stored, metadata: source.metadata,
        identifier: identifier, options: options, onInexact: { self.inexactFindings += $0 }
      ).run(
        progress: { [progress, cancellation, own = steps[position]] part in
          if cancellation.isCancelled || progress.isCancelled { throw LockedStore.Cancelled() }
          let done = Int64(part * Double(own.totalUnitCount))
          own.completedUnitCount = max(own.completedUnitCount, min(done, own.totalUnitCount - 1))
        },
        isCancelled: { [progress, cancellation] in cancellation.isCancelled || progress.isCancelled })
      return counts
    } catch is LockedStore.Cancelled {
      throw cancelled()
    } catch var error as GraphStoreError {
      error.details.insert(
        "in the step from version \(step.source.label) to \(step.destination.label)", at: 0)
      throw error
    }
  }

  /// The store's own identifier, or a new one where the old store stays beside it (MIG-274).
  private lazy var identifier: UUID =
    leavesSource && !options.deletesSource ? UUID() : plan.stored.identifier

  private func cancelled() -> GraphStoreError { .migrationCancelled(cancellation.cause, path: plan.path) }

  // MARK: Preparing

  /// Makes sure that the new stores have room (MIG-272); the old one stays as long as the last is filled.
  private static func checkRoom(_ plan: MigrationPlan, beside path: String) throws {
    let needed = plan.estimatedSize
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard let free = DiskSpace.free(at: folder), free < needed else { return }
    throw GraphStoreError(
      .diskFull,
      "The migration of \(plan.path) needs \(needed >> 20 + 1) MB beside it, and \(free >> 20) MB are free.",
      remedy: "Make room on the disk, or give a path on another one as output.")
  }
}
