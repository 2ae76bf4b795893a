import Foundation
import GraphStoreFiles
import GraphStoreModel
import GraphStoreSQLite

/// Chain of steps that brings a store to a version of its model, with all that it does to the data.
///
/// Making a plan reads models, the store's metadata and, for the numbers of objects that lose something, its
/// tables; nothing is written. The plan that is shown is the one that ``StoreMigration`` runs.
///
/// ```swift
/// let versions = try ModelVersions(at: "Company.graphmodel")
/// let plan = try MigrationPlan(fromStoreAt: "hr.db", to: versions)
/// for step in plan.steps { print(step.source.label, "to", step.destination.label, step.kind) }
/// for loss in plan.losses { print(loss.message) }
/// if !plan.isLossy { print(try StoreMigration(plan).run().seconds) }
/// ```
public struct MigrationPlan: Sendable {
  /// The store's file.
  public let path: String
  /// The version that the store has.
  public let source: ModelVersion
  /// The version that is wanted.
  public let target: ModelVersion
  /// The steps, each from the result of the one before; none for a store that has the version already.
  public let steps: [MigrationStep]
  /// The losses, in the order of the steps.
  public let losses: [MigrationLoss]
  /// The other way, where one migrates version by version and one directly, and they leave different amounts
  /// behind; nil where there is none.
  public let alternative: MigrationAlternative?
  /// Objects that the new version does not allow; empty unless the data were checked.
  ///
  /// Only the first step can be checked beforehand: later ones depend on its result.
  public let findings: [MigrationFinding]
  /// The number of objects of the store, each of which every step handles; 0 for a plan without steps.
  public let objectCount: Int
  /// The approximate size in bytes of the new stores beside the old one while the plan runs, without external
  /// data, whose files are shared. 0 for a plan without steps.
  public let estimatedSize: Int
  /// Whether another implementation made the store, whose own programs cannot open it any more.
  public let isForeign: Bool
  /// Whether the migrated store carries the hashes by which Core Data knows the version, so that it is to
  /// Core Data one of its own (see ``/GraphStoreModel/ManagedObjectModel/coreDataVersion``).
  public var recordsCoreDataHashes: Bool { stored.coreDataHashes(of: target.model) != nil }
  /// Notices on parts of the file that are not in the model, a sentence each: tables and indexes that are
  /// copied, and parts without data of their own that are not.
  public let notices: [String]
  let stored: StoredVersion
  /// The stages whose handlers run around steps; nil for a plan without stages.
  var staging: MigrationStaging?

  /// Whether a path is that of the store, by any links (MIG-226).
  package func isAt(_ other: String) -> Bool {
    if ResolvedPath.of(other) == ResolvedPath.of(path) { return true }
    guard let identity = FileIdentity(other) else { return false }
    return identity == FileIdentity(path)
  }

  /// Whether something is left behind.
  public var isLossy: Bool { !losses.isEmpty }

  /// Plans the way to a version of a directory.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - versions: The directory, with its written mappings.
  ///   - name: The version that is wanted; nil for the current one.
  ///   - mappings: Further written mappings.
  ///   - configuration: The configuration whose entities the store holds; nil for the one that it records.
  ///   - allowsInference: Whether mappings are inferred where none is written.
  ///   - allowsBackward: Whether written mappings to earlier versions are taken.
  ///   - isStepByStep: Whether inferred steps migrate version by version, whatever they leave behind.
  ///   - checksData: Whether what only the data decide is looked for; it reads the tables.
  ///   - source: The model that the store was made with, for one that carries none; nil for the one that it
  ///     carries, or the version that its hashes or its columns identify.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: what is wrong with the path, from `store-not-found` to `store-corrupt`;
  ///   `source-model-missing`, `mapping-missing`, `migration-backward`; ``/GraphStoreModel/ModelError`` for a
  ///   version or mapping that is wrong.
  public init(
    fromStoreAt path: String, to versions: ModelVersions, version name: String? = nil,
    mappings: [MappingFile] = [], configuration: String? = nil, allowsInference: Bool = true,
    allowsBackward: Bool = false, isStepByStep: Bool = false, checksData: Bool = false,
    madeWith source: ManagedObjectModel? = nil, timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    let name = name ?? versions.currentName
    let target = ModelVersion(try versions.model(named: name), name: name)
    try self.init(
      fromStoreAt: path, to: target, in: versions, mappings: mappings, configuration: configuration,
      allowsInference: allowsInference, allowsBackward: allowsBackward, isStepByStep: isStepByStep,
      checksData: checksData, madeWith: source, timeout: timeout)
  }

  /// Plans the way to a model, over the versions of a directory where one is passed.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - target: The model that is wanted.
  ///   - versions: The directory, with its written mappings; nil for none: then one step leads from the model
  ///     that the store carries to the one that is wanted.
  ///   - mappings: Further written mappings.
  ///   - configuration: The configuration whose entities the store holds; nil for the one that it records.
  ///   - allowsInference: Whether mappings are inferred where none is written.
  ///   - allowsBackward: Whether written mappings to earlier versions are taken.
  ///   - isStepByStep: Whether inferred steps migrate version by version, whatever they leave behind.
  ///   - checksData: Whether what only the data decide is looked for; it reads the tables.
  ///   - source: The model that the store was made with, for one that carries none; nil for the one that it
  ///     carries, or the version that its hashes or its columns identify.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: as the initializer with versions and the name of one.
  public init(
    fromStoreAt path: String, to target: ModelVersion, in versions: ModelVersions? = nil,
    mappings: [MappingFile] = [], configuration: String? = nil, allowsInference: Bool = true,
    allowsBackward: Bool = false, isStepByStep: Bool = false, checksData: Bool = false,
    madeWith source: ManagedObjectModel? = nil, timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    var stored = try StoredVersion(
      at: path, configuration: configuration, madeWith: source, timeout: timeout)
    _ = try StoredEntities(target.model, configuration: configuration)
    self.path = path
    self.target = target
    isForeign = stored.isForeign
    if stored.isCurrent(for: target.model) {
      stored.inferConfiguration(by: target.model)
      (self.stored, self.source, steps, losses, alternative, findings, notices) =
        (stored, target, [], [], nil, [], [])
      (objectCount, estimatedSize) = (0, 0)
      return
    }
    let planner = try MigrationPlanner(
      stored, path: path, to: target, versions: versions,
      mappings: mappings + (try versions?.mappingFiles() ?? []), allowsInference: allowsInference,
      allowsBackward: allowsBackward, isStepByStep: isStepByStep)
    self.stored = planner.stored
    self.source = planner.source
    let store = SurveyedStore(path, planner.stored, of: planner.source.model, timeout: timeout)
    let route: MigrationRoute
    do {
      route = try MigrationRoute(planner, over: store, isStepByStep: isStepByStep, timeout: timeout)
    } catch let error as GraphStoreError where error.code == .mappingMissing {
      error.describeRefusals(to: .ofProcess)
      throw error
    }
    (steps, alternative) = (route.steps, route.alternative)
    let survey = MigrationSurvey(store: store, stored: planner.stored, steps: steps, timeout: timeout)
    let foreignParts = try survey.foreignParts()
    losses = route.losses + foreignParts.losses
    notices = foreignParts.notices
    findings = checksData ? try survey.findings() : []
    objectCount = try survey.objectCount()
    estimatedSize = try survey.estimatedSize()
  }

  /// Makes a plan of steps that are known.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - steps: The steps in their order; the first leaves the version that the store has.
  ///   - configuration: The configuration whose entities the store holds; nil for the one that it records.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: what is wrong with the path; `incompatible-model` for a store of another version than the
  ///   first step's.
  public init(
    fromStoreAt path: String, steps: [MigrationStep], configuration: String? = nil,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    let stored = try StoredVersion(at: path, configuration: configuration, timeout: timeout)
    guard let first = steps.first, let last = steps.last, stored.isOf(first.source.model) else {
      throw GraphStoreError(
        .incompatibleModel, "\(path) has another version than the one that the steps begin with.",
        remedy: "Give steps that begin with the version of the store.")
    }
    try self.init(
      path: path, stored: stored, source: first.source, target: last.destination, steps: steps,
      timeout: timeout)
  }

  /// Makes a plan of steps that are known to lead from one version to another.
  init(
    path: String, stored: StoredVersion, source: ModelVersion, target: ModelVersion, steps: [MigrationStep],
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    (self.path, self.stored, self.source, self.target, self.steps) = (path, stored, source, target, steps)
    isForeign = stored.isForeign
    let store = SurveyedStore(path, stored, of: source.model, timeout: timeout)
    let survey = MigrationSurvey(store: store, stored: stored, steps: steps, timeout: timeout)
    let foreignParts = try survey.foreignParts()
    losses = try survey.losses() + foreignParts.losses
    notices = foreignParts.notices
    alternative = nil
    findings = []
    objectCount = try survey.objectCount()
    estimatedSize = try survey.estimatedSize()
  }
}
