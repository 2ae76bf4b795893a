/// Handlers of stages, which run around the steps of a migration.
extension PreparedMigration {
  /// Runs the handler before a step, over a copy where the store itself would be read.
  ///
  /// - Returns: The path of the store that the step is to read.
  func prepare(
    for stage: CustomMigrationStage, before step: MigrationStep, reading: String
  ) throws -> String {
    var path = reading
    if result == nil {
      let copy = try source.makeCopy()
      (result, path) = (copy, copy.path)
    }
    if let handler = stage.willMigrateHandler {
      try call(handler, of: stage, "willMigrateHandler", path, step.source)
    }
    return path
  }

  /// Runs the handler behind a step.
  func finish(_ step: MigrationStep, at position: Int, in store: TemporaryStore) throws {
    guard let stage = plan.staging?[position], let handler = stage.didMigrateHandler else { return }
    try call(handler, of: stage, "didMigrateHandler", store.path, step.destination)
    try store.finish()
  }

  private func call(
    _ handler: CustomMigrationStage.Handler, of stage: CustomMigrationStage, _ phase: String, _ path: String,
    _ version: ModelVersion
  ) throws {
    let configuration = plan.stored.entities(of: version.model).configuration
    try plan.staging?.manager.run(
      handler, of: stage, phase, overStoreAt: path, version.model, configuration: configuration)
  }
}
