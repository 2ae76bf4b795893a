import GraphStoreModel
import GraphStorePredicates

/// Survey of a store before its migration: what its steps leave behind, and what the new version does not allow.
struct MigrationSurvey {
  let path: String
  let stored: StoredVersion
  let steps: [MigrationStep]
  let timeout: Duration

  /// What the steps leave behind, with the numbers of objects where the store can tell.
  func losses() throws -> [MigrationLoss] {
    guard !steps.isEmpty else { return [] }
    let counter = try SQLiteLossCounter(
      path: path, stored: stored, model: steps[0].source.model, timeout: timeout)
    defer { counter.close() }
    var losses: [MigrationLoss] = []
    for (position, step) in steps.enumerated() {
      for loss in step.losses {
        let subject = traced((loss.entity, loss.property), through: steps[..<position])
        losses.append(
          MigrationLoss(
            version: step.source.label, path: loss.path, reason: loss.reason,
            count: try subject.flatMap { try counter.count(entity: $0.entity, property: $0.property) },
            remedy: loss.remedy))
      }
    }
    return losses
  }

  /// What only the data decide, for an inferred first step (MIG-054).
  func findings() throws -> [MigrationFinding] {
    guard let step = steps.first, step.kind == .inferred else { return [] }
    return try SQLiteSetBasedStep(
      sourcePath: path, source: stored.entities(of: step.source.model),
      destination: stored.entities(of: step.destination.model),
      metadata: StoreMetadata(identifier: stored.identifier, stored.entities(of: step.destination.model)),
      pairing: step.difference.pairing, timeout: timeout
    ).findings()
  }

  /// What something in the source of a step was in the store, before the inferred steps on the way; nil where it was not
  /// there, or where a written mapping made it.
  private func traced(
    _ subject: (entity: String, property: String?), through steps: ArraySlice<MigrationStep>
  ) -> (entity: String, property: String?)? {
    var subject = subject
    for step in steps.reversed() {
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
