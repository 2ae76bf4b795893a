import GraphStoreModel
import Synchronization

/// Migration in stages that the program lists, instead of the chain that would be planned.
///
/// ```swift
/// let stage = CustomMigrationStage(
///   migratingFrom: ManagedObjectModelReference(model: old), to: ManagedObjectModelReference(model: new))
/// let manager = try StagedMigrationManager(stages: [stage])
/// let plan = try manager.plan(forStoreAt: "hr.db", to: ModelVersion(new))
/// let result = try StoreMigration(plan).run()
/// ```
///
/// All stages work on copies, which replace the store when all of them have succeeded; a handler never sees
/// the store itself, and an error in any stage leaves it as it was. A manager may be used from any thread, by
/// one migration at a time.
public final class StagedMigrationManager: Sendable {
  /// The stages, in the order in which they run.
  public let stages: [any MigrationStage]
  /// The versions among which models of lightweight stages are found by their checksums.
  public let versions: ModelVersions?
  private let models: [ManagedObjectModelReference]
  private let current = Mutex<PersistentContainer?>(nil)

  /// Makes a manager.
  ///
  /// - Parameters:
  ///   - stages: The stages, in the order in which they run.
  ///   - versions: The directory in which the models of lightweight stages are found.
  ///   - models: Further models of lightweight stages.
  /// - Throws: `migration-failed` for no stage, for a stage without versions, and for a checksum in two
  ///   stages, unless a custom stage begins where the one before it ended.
  public init(
    stages: [any MigrationStage], versions: ModelVersions? = nil, models: [ManagedObjectModelReference] = []
  ) throws {
    self.stages = stages
    self.versions = versions
    self.models = models
    try checkStages()
  }

  private func checkStages() throws {
    var seen: Set<String> = []
    var last: String?
    for (position, stage) in stages.enumerated() {
      guard stage.versionChecksums.first != nil else {
        throw GraphStoreError(
          .migrationFailed, "The stage \(name(of: position)) has no versions.",
          remedy: "List the checksums of the versions that it goes through.")
      }
      for (place, checksum) in stage.versionChecksums.enumerated() {
        let continues = place == 0 && stage is CustomMigrationStage && checksum == last
        guard !seen.insert(checksum).inserted, !continues else { continue }
        throw GraphStoreError(
          .migrationFailed,
          "Duplicate version checksums across stages detected: \(checksum) comes twice, the second time in the stage "
            + "\(name(of: position)).",
          remedy: "List each version once; a custom stage may begin where the stage before it ended.")
      }
      last = stage.versionChecksums.last
    }
  }

  /// The name of a stage in messages.
  func name(of position: Int) -> String { stages[position].label ?? "number \(position + 1)" }

  // MARK: Handlers

  /// A container over the store that is migrated, for handlers: with the source's model in a
  /// `willMigrateHandler`, with the destination's in a `didMigrateHandler`.
  ///
  /// - Throws: `migration-failed` outside of handlers.
  public var container: PersistentContainer {
    get throws {
      if let container = current.withLock(\.self) { return container }
      throw GraphStoreError(
        .migrationFailed, "A staged migration has a container while a handler runs alone.",
        remedy: "Use it inside of willMigrateHandler or didMigrateHandler.")
    }
  }

  /// Runs a handler over a store.
  ///
  /// - Throws: `migration-failed` for what the handler throws, and for changes that it has not saved
  ///   (MIG-235).
  func run(
    _ handler: CustomMigrationStage.Handler, of stage: CustomMigrationStage, _ phase: String,
    overStoreAt path: String, _ model: ManagedObjectModel, configuration: String?
  ) throws {
    let container = PersistentContainer(name: "migration", model: model)
    let coordinator = container.persistentStoreCoordinator
    try coordinator.addStore(at: path, configuration: configuration)
    current.withLock { $0 = container }
    defer {
      current.withLock { $0 = nil }
      coordinator.close()
    }
    do { try handler(self, stage) } catch {
      throw GraphStoreError(
        .migrationFailed, "\(phase) of the stage \(stage.label ?? "without a label") failed: \(error)",
        remedy: (error as? GraphStoreError)?.remedy ?? "Correct the handler; the store is as it was.",
        underlying: error)
    }
    guard coordinator.contexts.all.contains(where: \.hasUnsavedObjects) else { return }
    throw GraphStoreError(
      .migrationFailed,
      "\(phase) of the stage \(stage.label ?? "without a label") has left changes unsaved.",
      remedy: "Save the context at the end of the handler; the store is as it was.")
  }

  // MARK: Models

  /// The model of a checksum in a lightweight stage.
  ///
  /// - Throws: `model-reference` where none of the known models has it.
  func model(withChecksum checksum: String) throws -> ModelVersion {
    for stage in stages {
      guard let stage = stage as? CustomMigrationStage else { continue }
      for reference in [stage.currentModel, stage.nextModel] where reference.versionChecksum == checksum {
        return try reference.resolved()
      }
    }
    for reference in models where reference.versionChecksum == checksum { return try reference.resolved() }
    for name in versions?.names ?? [] {
      let model = try versions?.model(named: name)
      if let model, model.versionChecksum == checksum { return ModelVersion(model, name: name) }
    }
    throw GraphStoreError(
      .modelReference, "No known model has the checksum \(checksum), which a stage names.",
      remedy: "Give the directory that has it, or a reference to it.")
  }
}

extension ManagedObjectContext {
  /// Whether something was changed and not saved, once nobody uses the context any more.
  fileprivate var hasUnsavedObjects: Bool { !unsaved.objects.isEmpty || !deletions.order.isEmpty }
}
