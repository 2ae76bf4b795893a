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
