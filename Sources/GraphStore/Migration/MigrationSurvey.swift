import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Survey of a store before its migration: what its steps leave behind, and what the new version does not
/// allow.
struct MigrationSurvey {
  let store: SurveyedStore
  let stored: StoredVersion
  let steps: [MigrationStep]
  let timeout: Duration

  /// The losses of the steps, with the numbers of objects where the store can count them.
  func losses() throws -> [MigrationLoss] {
    guard steps.contains(where: { !$0.losses.isEmpty }) else { return [] }
    let counter = try SQLiteLossCounter(
      path: store.readingPath(), stored: stored, model: steps[0].source.model, timeout: timeout)
    defer { counter.close() }
    var losses: [MigrationLoss] = []
    for (position, step) in steps.enumerated() {
      for loss in step.losses {
        let count = try count(of: loss, in: steps[..<position], counter)
        // Every object is taken by one filter or another.
        if !loss.filters.isEmpty, count == 0 { continue }
        losses.append(
          MigrationLoss(
            version: step.source.label, path: loss.path, reason: loss.reason, count: count,
            remedy: loss.remedy))
      }
    }
    return losses
  }

  /// The number of objects of the store that a loss concerns; nil where that shows only on the way.
  private func count(
    of loss: MigrationStep.Loss, in former: ArraySlice<MigrationStep>, _ counter: SQLiteLossCounter
  ) throws -> Int? {
    if !loss.filters.isEmpty { return former.isEmpty ? try countLeft(by: loss) : nil }
    return try former.traced(loss.entity, loss.property).flatMap {
      try counter.count(entity: $0.entity, property: $0.property)
    }
  }

  /// The objects of an entity, and none of its sub-entities, that no filter of the first step takes (MIG-156,
  /// MIG-157).
  private func countLeft(by loss: MigrationStep.Loss) throws -> Int {
    var options = StoreOptions(isReadOnly: true, timeout: timeout)
    options.configuration = stored.configuration
    let opened = try StoreRegistry.open(store.readingPath(), options, .model(steps[0].source.model))
    let side = try MigrationSide(opened, layout: opened.layout, savingMode: .refused)
    defer { side.coordinator.close() }
    // Counts what is taken, not the negation: with NULL both are unknown.
    let all = FetchRequest<ManagedObject>(entityName: loss.entity, includesSubentities: false)
    var taken = all
    taken.predicate = .or(loss.filters)
    return try side.context.performAndWait {
      try side.context.count(for: all) - side.context.count(for: taken)
    }
  }

  /// The fate of the parts of the file that are not in the model (MIG-279).
  func foreignParts() throws -> ForeignPartsSurvey {
    guard let first = steps.first else { return ForeignPartsSurvey() }
    guard store.isSQLite else { return try partsOfOthers() }
    do {
      let connection = try SQLiteConnection.openForReading(store.readingPath(), busyTimeout: timeout)
      defer { connection.close() }
      let header = try StoreHeader.read(connection).get()
      let schema = try SQLSchema(
        stored.entities(of: first.source.model), entityNumbers: header.entityNumbers,
        existingTables: header.existingTables)
      var parts = try ForeignParts(
        connection, beside: schema, isOurs: header.metadata.isOurs, history: header.history)
      // The columns of Core Data's stores are compared with the model when one is opened.
      if header.metadata.isOurs { try parts.readColumns(connection, schema) }
      let kept = steps.reduce(parts) { $0.kept(beside: SQLSchema(stored.entities(of: $1.destination.model))) }
      var survey = ForeignPartsSurvey(parts, kept: kept, version: first.source.label)
      if header.history != nil, steps.contains(where: { $0.kind == .written }) { survey.addEndOfHistory() }
      return survey
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: store.path)
    }
  }

  /// What is left of a store that holds nothing but its objects: the history, where it keeps one.
  private func partsOfOthers() throws -> ForeignPartsSurvey {
    var survey = ForeignPartsSurvey()
    if case .onServer(let driver) = stored.form {
      survey.addLocks()
      survey.addAdditions(try driver.additions(toStoreAt: store.path, timeout: timeout))
    }
    if steps.contains(where: { $0.kind == .written }), try store.keepsHistory() { survey.addEndOfHistory() }
    return survey
  }

  /// The number of objects of the store.
  func objectCount() throws -> Int {
    guard let first = steps.first else { return 0 }
    guard store.isSQLite else { return try store.objectCount() }
    let counter = try SQLiteLossCounter(
      path: store.readingPath(), stored: stored, model: first.source.model, timeout: timeout)
    defer { counter.close() }
    return try counter.countAll()
  }

  /// The size of the new stores beside the old one.
  func estimatedSize() throws -> Int { steps.isEmpty ? 0 : try store.sizeOfSteps(steps.count) }

  /// Findings that only the data decide, for an inferred first step (MIG-054).
  func findings() throws -> [MigrationFinding] {
    guard let step = steps.first, step.kind == .inferred else { return [] }
    return try SQLiteSetBasedStep(
      sourcePath: store.readingPath(), storePath: store.path, source: stored.entities(of: step.source.model),
      destination: stored.entities(of: step.destination.model),
      metadata: StoreMetadata(identifier: stored.identifier, stored.entities(of: step.destination.model)),
      pairing: step.difference.pairing, timeout: timeout
    ).findings()
  }
}

extension ArraySlice<MigrationStep> {
  /// The part of the store that an entity, or a property of one, was before these steps; nil where there was
  /// none, or where a written mapping made it.
  func traced(_ entity: String, _ property: String? = nil) -> (entity: String, property: String?)? {
    var subject = (entity: entity, property: property)
    for step in reversed() {
      guard step.kind == .inferred, let entity = step.destination.model.entitiesByName[subject.entity],
        let former = step.difference.pairing.source(of: entity)
      else { return nil }
      var name: String?
      if let property = subject.property {
        guard let property = entity.property(named: property),
          let origin = step.difference.pairing.source(of: property, in: entity)
        else { return nil }
        name = origin.name
      }
      subject = (former.name, name)
    }
    return subject
  }
}
