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
        let subject = position == 0 ? loss.subject : traced(loss.subject, through: steps[..<position])
        losses.append(
          MigrationLoss(
            version: step.source.label, path: loss.path, reason: loss.reason,
            count: try subject.flatMap { try counter.count(of: $0) }, remedy: loss.remedy))
      }
    }
    return losses
  }

  /// What only the data decide, for an inferred first step (MIG-054).
  func findings() throws -> [MigrationFinding] {
    guard let step = steps.first, step.kind == .inferred else { return [] }
    return try SQLiteInferredStep(
      sourcePath: path, source: stored.entities(of: step.source.model),
      destination: stored.entities(of: step.destination.model),
      metadata: StoreMetadata(identifier: stored.identifier, stored.entities(of: step.destination.model)),
      timeout: timeout
    ).findings()
  }

  /// What something in the source of a step was in the store, before the inferred steps on the way; nil where it was not
  /// there, or where a written mapping made it.
  private func traced(
    _ subject: MigrationStep.LossSubject?, through steps: ArraySlice<MigrationStep>
  ) -> MigrationStep.LossSubject? {
    var subject = subject
    for step in steps.reversed() {
      guard let later = subject, step.kind == .inferred,
        let entity = step.destination.model.entitiesByName[later.entity],
        let former = step.difference.pairing.source(of: entity)
      else { return nil }
      guard let name = later.property else {
        subject = MigrationStep.LossSubject(entity: former.name, property: nil)
        continue
      }
      guard let property = entity.property(named: name),
        let origin = step.difference.pairing.source(of: property, in: entity)
      else { return nil }
      subject = MigrationStep.LossSubject(entity: former.name, property: origin.name)
    }
    return subject
  }
}
