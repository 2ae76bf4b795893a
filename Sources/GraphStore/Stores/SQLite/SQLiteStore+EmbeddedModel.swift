import GraphStoreSQLite

extension SQLiteStore {
  /// Writes the model that the file is to carry into its metadata, within the transaction that has begun.
  func carryModel(_ connection: SQLiteConnection) throws {
    guard let model = modelToCarry.withLock(\.self) else { return }
    try reporting {
      var metadata = try SQLiteLayout.readMetadata(connection)
      metadata.carry(model)
      try SQLiteLayout.writeMetadata(connection, metadata)
    }
  }

  /// Takes note that the file carries the model from now on.
  func endCarryingModel() { modelToCarry.withLock { $0 = nil } }
}
