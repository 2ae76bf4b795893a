import GraphStoreModel
import GraphStoreSQLite

extension MigrationStepRun {
  /// Copies the parts of the store that are not in its model, as far as the new version does not conflict
  /// with them (MIG-279).
  ///
  /// - Returns: Whether there was such a thing.
  func takeOverForeignParts() throws -> Bool {
    do {
      let parts = try foreignParts().kept(beside: SQLSchema(stored.entities(of: step.destination.model)))
      if parts.isEmpty { return false }
      let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
      defer { connection.close() }
      try connection.withStatement("ATTACH ?1 AS \(MigrationText.oldSchema)") { statement in
        try statement.bind(AbsolutePath.of(sourcePath), at: 1)
        try statement.run()
      }
      try parts.copy(into: connection, from: MigrationText.oldSchema)
      return true
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: store.path)
    }
  }

  private func foreignParts() throws -> ForeignParts {
    let reading = try SQLiteConnection.openForReading(sourcePath, busyTimeout: options.timeout)
    defer { reading.close() }
    let header = try StoreHeader.read(reading).get()
    let schema = try SQLSchema(
      stored.entities(of: step.source.model), entityNumbers: header.entityNumbers,
      existingTables: header.existingTables)
    return try ForeignParts(reading, beside: schema, isOurs: header.metadata.isOurs)
  }
}
