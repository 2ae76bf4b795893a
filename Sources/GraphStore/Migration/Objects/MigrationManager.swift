import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Carries out one step of a migration, object by object, from a store of one model to a new store of
/// another.
///
/// It makes the destination's objects of the source's in three passes: objects with their attributes, then
/// relationships, then validation. Entity mappings pair sources with destinations
/// (``/GraphStoreModel/MappingModel``); an ``EntityMigrationPolicy`` adds code of the program.
///
/// ```swift
/// let manager = MigrationManager(sourceModel: old, destinationModel: new)
/// try manager.migrateStore(
///   from: URL(fileURLWithPath: "hr.db"), mapping: mapping, to: URL(fileURLWithPath: "hr-2.db"))
/// ```
///
/// The source is only read, and the destination is a store of its own until the whole step has succeeded;
/// replacing the source by it is the caller's. Objects are handled in batches (``batchSize``), and what was
/// made for what is kept as keys, so that memory does not grow with the objects themselves.
///
/// A manager belongs to the thread that migrates, as do the contexts that it offers to policies; from
/// anywhere else only ``migrationProgress``, ``progress`` and ``cancelMigration(with:)`` may be used.
public final class MigrationManager: @unchecked Sendable {
  /// The model of the source.
  public let sourceModel: ManagedObjectModel
  /// The model of the destination.
  public let destinationModel: ManagedObjectModel
  /// Data that policies keep with the manager, shared by all mappings of a step, empty at first.
  public var userInfo: [String: Any] = [:]
  /// The number of objects that are handled together.
  public var batchSize = 1000 {
    didSet { batchSize = max(1, batchSize) }
  }
  /// Whether numbers without an equal of the new type are rounded to the nearest, and of several members of
  /// what is to-one now the first is kept; false at first: such data are refused.
  public var allowsInexactConversion = false
  /// Whether the destination that a failed run has begun is kept for inspection; false at first.
  public var keepsFailedDestination = false
  /// Receives what the run does, mapping by mapping; at first the log of the process.
  public var log = MigrationLog.ofProcess
  /// The functions that `FUNCTION` calls in expressions besides those of mappings.
  public var functions = PredicateFunctions.standard

  let signal = MigrationSignal()
  /// Called with the part that is done, after each batch; what it throws ends the run.
  var onProgress: ((Double) throws -> Void)?
  /// Called with what inexact conversion has changed, where there is something.
  var onInexact: (([MigrationFinding]) -> Void)?
  /// What messages call the source: the store of which it may be a copy; nil for its own path.
  var storePath: String?
  private var run: MigrationRun?

  /// Makes a manager.
  public init(sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
  }

  // MARK: Running

  /// Migrates the store at a location to a new store at another one.
  ///
  /// It blocks until the store is migrated, and may run on any thread. The destination gets the user's
  /// metadata of the source, and a UUID of its own.
  ///
  /// - Parameters:
  ///   - source: The store that is migrated, which is opened for reading only.
  ///   - sourceType: The type that the source has to have; nil for any type.
  ///   - sourceOptions: How the source is opened.
  ///   - mapping: The mapping; nil infers everything. Parts that it leaves out are inferred.
  ///   - destination: The path at which the new store is made, which has to be free.
  ///   - destinationType: The type of the new store; nil for SQLite.
  ///   - destinationOptions: How the new store is made.
  /// - Throws: ``GraphStoreError``: `migration-policy` for a policy that is not registered, and for what
  ///   hooks and expressions throw; `migration-source`, `migration-destination` with the cause underneath;
  ///   `migration-constraint` for data that the new model does not allow; `migration-failed` for failures of
  ///   validation, and values or links that mappings may not set; `migration-cancelled`.
  ///   ``/GraphStoreModel/ModelError`` for a mapping that does not fit the models, and what inference throws.
  ///   The destination is removed then.
  public func migrateStore(
    from source: URL, type sourceType: StoreType? = nil, options sourceOptions: StoreOptions = StoreOptions(),
    mapping: MappingModel? = nil, to destination: URL, type destinationType: StoreType? = nil,
    options destinationOptions: StoreOptions = StoreOptions()
  ) throws {
    let checked = try CheckedMapping(
      mapping: mapping, from: sourceModel, to: destinationModel,
      configuration: destinationOptions.configuration)
    try migrateStore(
      at: source.path, sourceType, sourceOptions, parts: [checked], to: destination.path, destinationType,
      destinationOptions)
  }

  /// Migrates the objects of the first store of a coordinator into the first store of another one, of any
  /// types.
  ///
  /// Neither store may be used by others meanwhile. Where it throws, the destination may have some of the
  /// objects.
  ///
  /// - Parameters:
  ///   - source: Has the source's model.
  ///   - mapping: The mapping; nil infers everything.
  ///   - destination: Has the destination's model; its store has no objects.
  /// - Throws: As ``migrateStore(from:type:options:mapping:to:type:options:)``.
  public func migrate(
    from source: PersistentStoreCoordinator, mapping: MappingModel? = nil,
    to destination: PersistentStoreCoordinator
  ) throws {
    let checked = try CheckedMapping(mapping: mapping, from: sourceModel, to: destinationModel)
    try execute(
      [checked], from: MigrationSide(sharing: source, savingMode: .refused),
      to: MigrationSide(sharing: destination, savingMode: .unchecked))
  }

  /// Migrates a store by the mappings of a step, which run one after the other into one new store (MIG-227).
  ///
  /// - Parameters:
  ///   - parts: The mappings, checked together.
  ///   - identifier: The UUID of the new store.
  /// - Returns: The number of objects by the names of new entities.
  @discardableResult
  package func migrateStore(
    at source: String, _ sourceType: StoreType? = nil, _ sourceOptions: StoreOptions = StoreOptions(),
    parts: [CheckedMapping], to destination: String, _ destinationType: StoreType? = nil,
    _ destinationOptions: StoreOptions = StoreOptions(), identifier: UUID = UUID()
  ) throws -> [String: Int] {
    // Before any file is made (MIG-181).
    for mapping in parts.flatMap(\.entityMappings) { _ = try EntityMigrationPolicy.make(for: mapping) }
    let sourceSide = try openSource(source, sourceType, sourceOptions)
    defer { sourceSide.coordinator.close() }
    let isNew = !FileManager.default.fileExists(atPath: destination)
    let destinationSide = try makeDestination(
      destination, destinationType, destinationOptions, identifier: identifier,
      keepingPairsOf: pairedRelationships(parts, in: sourceSide.mount.store))
    do {
      let counts = try execute(closing: destinationSide, parts, from: sourceSide)
      try finish(destinationSide)
      return counts
    } catch {
      if isNew, !keepsFailedDestination { TemporaryStore.remove(destination) }
      throw error
    }
  }

  private func execute(
    closing destination: MigrationSide, _ parts: [CheckedMapping], from source: MigrationSide
  ) throws -> [String: Int] {
    defer { destination.coordinator.close() }
    return try execute(parts, from: source, to: destination)
  }

  /// Makes the destination durable, which is closed, and checks its file (MIG-265).
  private func finish(_ destination: MigrationSide) throws {
    let store = destination.mount.store
    guard store.isInFile, StoreType.detected(at: store.path) == .sqlite else { return }
    do { try FinishedStore.finish(store.path) } catch { throw Self.placed(error, destination) }
  }

  private func openSource(
    _ path: String, _ type: StoreType?, _ options: StoreOptions
  ) throws -> MigrationSide {
    var options = options
    options.isReadOnly = true
    options.type = type ?? options.type
    do {
      if RegularFile.exists(path) { _ = try StoreType.resolved(type, at: path) }
      let store = try StoreRegistry.open(path, options, .model(sourceModel))
      return try MigrationSide(store, layout: store.layout, savingMode: .refused)
    } catch {
      throw GraphStoreError(
        .migrationSource, "\(path) cannot be opened to be migrated: \(error)",
        remedy: (error as? GraphStoreError)?.remedy ?? "See to the cause, and migrate again.",
        underlying: error)
    }
  }

  private func makeDestination(
    _ path: String, _ type: StoreType?, _ options: StoreOptions, identifier: UUID,
    keepingPairsOf paired: Set<RelationshipDescription>
  ) throws -> MigrationSide {
    do {
      let type = try StoreType.resolved(type, at: path)
      let store = try StoreRegistry.driver(ofNew: type, at: path).create(
        path, options, destinationModel, NewStoreForm(identifier: identifier, paired: paired))
      return try MigrationSide(store, layout: store.layout, savingMode: .unchecked)
    } catch {
      throw GraphStoreError(
        .migrationDestination, "The migrated store cannot be made at \(path): \(error)",
        remedy: (error as? GraphStoreError)?.remedy ?? "See to the cause, and migrate again.",
        underlying: error)
    }
  }

  /// The new to-many relationships without inverse that continue old ones whose members may have several
  /// owners.
  private func pairedRelationships(
    _ parts: [CheckedMapping], in store: any PersistentStore
  ) -> Set<RelationshipDescription> {
    var paired: Set<RelationshipDescription> = []
    for mapping in parts.flatMap(\.entityMappings) {
      guard let source = mapping.source, let destination = mapping.destination else { continue }
      for new in destination.relationships where new.isToMany && new.inverse == nil && !new.isTransient {
        let old = source.relationships.first { $0.name == new.name || $0.name == new.renamingIdentifier }
        if let old, canShareMembers(old, of: source, in: store) { paired.insert(new) }
      }
    }
    return paired
  }

  /// Whether a member of a relationship may have several owners in a store: in SQLite's the tables say it.
  private func canShareMembers(
    _ relationship: RelationshipDescription, of entity: EntityDescription, in store: any PersistentStore
  ) -> Bool {
    guard let store = store as? SQLiteStore else { return relationship.inverse?.isToMany != false }
    return MigratedLinks(relationship, of: store.schema.entity(entity))?.canShareMembers == true
  }

  @discardableResult
  private func execute(
    _ parts: [CheckedMapping], from source: MigrationSide, to destination: MigrationSide
  ) throws -> [String: Int] {
    guard run == nil else { throw Self.isRunning }
    let run = try MigrationRun(self, parts, from: source, to: destination)
    self.run = run
    defer { self.run = nil }
    do {
      try signal.check()
      try source.context.performAndWait { try destination.context.performAndWait { try run.run() } }
    } catch {
      throw Self.placed(error, destination)
    }
    signal.advance(to: 1)
    let allowed = run.findings.allowed
    if !allowed.isEmpty { onInexact?(allowed) }
    return run.objectCounts
  }

  /// A failure of the store that is written, in the words of a migration; any other as it is.
  private static func placed(_ error: any Error, _ destination: MigrationSide) -> any Error {
    guard let failure = error as? GraphStoreError,
      [.diskFull, .storeSaveFailed, .storePermission, .sqlite, .storeReplaced].contains(failure.code)
    else { return error }
    return GraphStoreError(
      .migrationDestination, "\(destination.mount.store.path) cannot be written: \(failure.message)",
      remedy: failure.remedy, underlying: failure)
  }

  /// Forgets the contexts, associations and user information of the last run, so that another step can be
  /// run.
  ///
  /// - Throws: `migration-failed` during a run.
  public func reset() throws {
    guard run == nil else { throw Self.isRunning }
    userInfo = [:]
    signal.reset()
  }

  // MARK: Progress

  /// The fraction of the step that is done, from 0 to 1, never less than before. Any thread may read it.
  public var migrationProgress: Float { Float(signal.fraction) }

  /// The progress for trees of progress; cancelling it ends the run at the next batch.
  public var progress: Progress { signal.progress }

  /// Ends the run at the next batch, which throws `migration-cancelled`. Any thread may call it.
  ///
  /// - Parameter error: The reason, which becomes the underlying error; nil for none.
  public func cancelMigration(with error: (any Error)? = nil) { signal.cancel(error) }

  // MARK: The run

  /// The run, for what can be asked during one alone.
  ///
  /// - Throws: `migration-failed` outside of a run.
  func running() throws -> MigrationRun {
    if let run { return run }
    throw GraphStoreError(
      .migrationFailed, "The migration manager is not migrating.",
      remedy: "Ask it from hooks of migration policies, while it migrates.")
  }

  private static var isRunning: GraphStoreError {
    GraphStoreError(
      .migrationFailed, "The migration manager is migrating already.",
      remedy: "Wait for the end of the run, or make another manager.")
  }
}
