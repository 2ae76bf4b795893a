import GraphStoreModel

extension StagedMigrationManager {
  /// Plans the migration of a store by the stages; nothing is written.
  ///
  /// The stages before the one that contains the store's checksum are left out. Where a stage ends at another
  /// version than the next one begins with, and after the last one short of the wanted version, one inferred
  /// step closes the gap. Plans that ``StoreMigration`` runs call the handlers on their way.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - target: The version that is wanted.
  ///   - configuration: The configuration whose entities the store holds; nil for the one that it records.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: `source-model-missing` for a store that is in no stage; `migration-version` for one whose
  ///   version cannot be determined; `model-reference`; `migration-backward` for stages that lead to an
  ///   earlier version; `mapping-missing` and `not-inferable` for steps that cannot be inferred.
  public func plan(
    forStoreAt path: String, to target: ModelVersion, configuration: String? = nil,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> MigrationPlan {
    let stored = try StoredVersion(at: path, configuration: configuration, timeout: timeout)
    if stored.isOf(target.model) {
      return try MigrationPlan(path: path, stored: stored, source: target, target: target, steps: [])
    }
    let start = try start(of: stored, path: path)
    var steps = StagedSteps(self, from: start.version, configuration: stored.configuration)
    for position in start.stage..<stages.count {
      let checksums = stages[position].versionChecksums
      let place = position == start.stage ? start.place : 0
      // The last version of a stage is where the next one may begin: nothing of it is left.
      if position == start.stage, place == checksums.count - 1, stages[position] is CustomMigrationStage {
        continue
      }
      if let custom = stages[position] as? CustomMigrationStage {
        try steps.add(custom, name(of: position))
      } else {
        for checksum in checksums[place...] { try steps.close(upTo: model(withChecksum: checksum)) }
      }
    }
    try steps.close(upTo: target)
    try checkDirection(steps.versions, path: path)
    var plan = try MigrationPlan(
      path: path, stored: stored, source: start.version, target: target, steps: steps.steps)
    plan.staging = MigrationStaging(manager: self, stages: steps.stages)
    return plan
  }

  /// The stage that the store's version is in, and where.
  private func start(
    of stored: StoredVersion, path: String
  ) throws -> (stage: Int, place: Int, version: ModelVersion) {
    guard !stored.hashes.isEmpty else {
      throw GraphStoreError(
        .migrationVersion, "\(path) records no hashes of its model, so that its version cannot be told.",
        remedy: "Migrate it with a plan of its own, or restore a backup.")
    }
    // With a configuration the hashes are those of a part, which the checksum of no whole model has.
    let checksum = stored.configuration == nil ? ManagedObjectModel.versionChecksum(of: stored.hashes) : nil
    // For a version in which one stage ends and the next one begins, the later stage counts.
    for (position, stage) in stages.enumerated().reversed() {
      for (place, candidate) in stage.versionChecksums.enumerated().reversed() {
        if let checksum, candidate != checksum { continue }
        let version = try model(withChecksum: candidate)
        if stored.isOf(version.model) { return (position, place, version) }
      }
    }
    var error = GraphStoreError(
      .sourceModelMissing, "\(path) was made with a version that is in none of the stages.",
      remedy: "Add a stage that begins with its version.")
    error.details = checksum.map { ["the store: \($0)"] } ?? []
    error.details += stages.indices.map {
      "stage \(name(of: $0)): \(stages[$0].versionChecksums.joined(separator: ", "))"
    }
    throw error
  }

  /// Makes sure that no step leads back in the order of the directory.
  private func checkDirection(_ versions: [ModelVersion], path: String) throws {
    guard let directory = self.versions else { return }
    var last: (place: Int, version: ModelVersion)?
    for version in versions {
      var place = version.name.flatMap { directory.names.firstIndex(of: $0) }
      for (position, name) in directory.names.enumerated() where place == nil {
        if try directory.model(named: name).versionChecksum == version.model.versionChecksum {
          place = position
        }
      }
      guard let place else { continue }
      if let last, place < last.place {
        throw GraphStoreError.backward(from: last.version, to: version, path: path)
      }
      last = (place, version)
    }
  }
}

/// Steps of a staged migration as they are put together.
private struct StagedSteps {
  private let manager: StagedMigrationManager
  private let configuration: String?
  private(set) var versions: [ModelVersion]
  private(set) var steps: [MigrationStep] = []
  /// By step, the stage whose handlers run around it.
  private(set) var stages: [CustomMigrationStage?] = []

  init(_ manager: StagedMigrationManager, from version: ModelVersion, configuration: String?) {
    self.manager = manager
    self.configuration = configuration
    versions = [version]
  }

  private var last: ModelVersion { versions[versions.count - 1] }

  /// Adds an inferred step to a version, unless it is reached.
  mutating func close(upTo version: ModelVersion) throws {
    if last.model.versionChecksum == version.model.versionChecksum { return }
    do {
      steps.append(try MigrationStep(from: last, to: version, configuration: configuration))
    } catch let error as GraphStoreError where error.code == .notInferable {
      throw GraphStoreError(
        .mappingMissing,
        "No stage leads from version \(last.label) to \(version.label), and no mapping can be inferred.",
        remedy: "Add a custom stage between them. \(error.remedy)", underlying: error)
    }
    stages.append(nil)
    versions.append(version)
  }

  mutating func add(_ stage: CustomMigrationStage, _ name: String) throws {
    try close(upTo: stage.currentModel.resolved())
    let next = try stage.nextModel.resolved()
    steps.append(
      try MigrationStep(from: last, to: next, configuration: configuration, allowsMissingValues: true))
    stages.append(stage)
    versions.append(next)
  }
}
