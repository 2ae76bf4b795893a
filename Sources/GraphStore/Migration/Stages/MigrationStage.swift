import GraphStoreModel

/// Part of a staged migration: a ``LightweightMigrationStage`` or a ``CustomMigrationStage``.
///
/// ```swift
/// let stages: [any MigrationStage] = [
///   LightweightMigrationStage(versionChecksums: [old.versionChecksum]),
///   CustomMigrationStage(
///     migratingFrom: ManagedObjectModelReference(model: old), to: ManagedObjectModelReference(model: new)),
/// ]
/// let manager = try StagedMigrationManager(stages: stages, versions: versions)
/// ```
public protocol MigrationStage: Sendable {
  /// The name of the stage in messages.
  var label: String? { get }
  /// The checksums of the versions that the stage covers, in this order; the first is the one that it begins
  /// with.
  var versionChecksums: [String] { get }
}

/// Stage that migrates over versions one by one by inferred mappings.
///
/// ```swift
/// let stage = LightweightMigrationStage(
///   versionChecksums: [old.versionChecksum, new.versionChecksum], label: "additions")
/// let manager = try StagedMigrationManager(stages: [stage], versions: versions)
/// ```
public struct LightweightMigrationStage: MigrationStage {
  /// The name of the stage in messages.
  public let label: String?
  /// The checksums of the versions, in their order.
  public let versionChecksums: [String]

  /// Makes a stage.
  ///
  /// - Parameters:
  ///   - versionChecksums: The checksums of the versions, whose models the manager finds among its own.
  ///   - label: What the stage is called in messages.
  public init(versionChecksums: [String], label: String? = nil) {
    self.versionChecksums = versionChecksums
    self.label = label
  }
}

/// Stage that migrates from one version to the next by an inferred mapping, with code of the program before
/// and after it.
///
/// An attribute may become mandatory without a default: missing values are checked after
/// ``willMigrateHandler``.
///
/// ```swift
/// var stage = CustomMigrationStage(
///   migratingFrom: ManagedObjectModelReference(model: old), to: ManagedObjectModelReference(model: new))
/// stage.willMigrateHandler = { manager, _ in
///   let context = try manager.container.newBackgroundContext()
///   try context.performAndWait {
///     let unnamed = FetchRequest(entityName: "Employee", predicate: try QueryPredicate("name == nil"))
///     for employee in try context.fetch(unnamed) {
///       try employee.setValue("unnamed", forKey: "name")
///     }
///     try context.save()
///   }
/// }
/// ```
public struct CustomMigrationStage: MigrationStage {
  /// Code of the program in a stage; what it throws ends the migration.
  public typealias Handler = @Sendable (StagedMigrationManager, CustomMigrationStage) throws -> Void

  /// The name of the stage in messages.
  public let label: String?
  /// The model that is left.
  public let currentModel: ManagedObjectModelReference
  /// The model that is reached.
  public let nextModel: ManagedObjectModelReference
  /// Runs before the mapping, with the store in the form of ``currentModel``; nil for nothing.
  public var willMigrateHandler: Handler?
  /// Runs after the mapping, with the store in the form of ``nextModel``; nil for nothing.
  public var didMigrateHandler: Handler?

  /// Makes a stage without handlers.
  ///
  /// - Parameters:
  ///   - currentModel: The model that is left.
  ///   - nextModel: The model that is reached.
  ///   - label: What the stage is called in messages.
  public init(
    migratingFrom currentModel: ManagedObjectModelReference, to nextModel: ManagedObjectModelReference,
    label: String? = nil
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    self.label = label
  }

  /// The checksums of both models.
  public var versionChecksums: [String] { [currentModel.versionChecksum, nextModel.versionChecksum] }
}

/// Stages of a plan: whose handlers run around which of its steps.
struct MigrationStaging: Sendable {
  let manager: StagedMigrationManager
  /// By step; nil for one without handlers.
  let stages: [CustomMigrationStage?]

  /// The stage of a step.
  subscript(position: Int) -> CustomMigrationStage? {
    stages.indices.contains(position) ? stages[position] : nil
  }
}
