import GraphStoreModel
import GraphStoreSQLite

extension MigrationStepRun {
  /// Copies the parts of the store that are not in its model, as far as the new version does not conflict
  /// with them (MIG-279), and its history.
  ///
  /// - Parameter pairing: What became of old entities and properties; nil where records are made by rules.
  /// - Returns: Whether there was such a thing.
  func takeOverForeignParts(_ pairing: (any MigrationPairing)?) throws -> Bool {
    do {
      let parts = try foreignParts().kept(beside: SQLSchema(stored.entities(of: step.destination.model)))
      let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
      defer { connection.close() }
      let history = try history(connection, pairing)
      if parts.isEmpty, history == nil { return false }
      try connection.withStatement("ATTACH ?1 AS \(MigrationText.oldSchema)") { statement in
        try statement.bind(AbsolutePath.of(sourcePath), at: 1)
        try statement.run()
      }
      try parts.copy(into: connection, from: MigrationText.oldSchema)
      try history?.write(connection, attached: MigrationText.oldSchema)
      return true
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: store.path)
    }
  }

  /// The history of the store; nil where it keeps none.
  private func history(
    _ connection: SQLiteConnection, _ pairing: (any MigrationPairing)?
  ) throws -> MigratedHistory? {
    let reading = try SQLiteConnection.openForReading(sourcePath, busyTimeout: options.timeout)
    defer { reading.close() }
    let (old, new) = (try StoreHeader.read(reading).get(), try StoreHeader.read(connection).get())
    guard let tables = old.history else { return nil }
    return MigratedHistory(
      tables, try TombstoneLayout(reading), from: try schema(of: step.source.model, old),
      to: try schema(of: step.destination.model, new),
      pairing: pairing)
  }

  private func schema(of model: ManagedObjectModel, _ header: StoreHeader) throws -> SQLSchema {
    try SQLSchema(
      stored.entities(of: model), entityNumbers: header.entityNumbers, existingTables: header.existingTables)
  }

  private func foreignParts() throws -> ForeignParts {
    let reading = try SQLiteConnection.openForReading(sourcePath, busyTimeout: options.timeout)
    defer { reading.close() }
    let header = try StoreHeader.read(reading).get()
    return try ForeignParts(
      reading, beside: try schema(of: step.source.model, header), isOurs: header.metadata.isOurs,
      history: header.history)
  }
}
