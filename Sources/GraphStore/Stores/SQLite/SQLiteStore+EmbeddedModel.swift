import GraphStoreSQLite

extension SQLiteStore {
  /// Writes the model that the file is to carry into its metadata, within the transaction that has begun.
  ///
  /// With it goes the mark that values with external storage have their prefix, where the file lacks it.
  func carryModel(_ connection: SQLiteConnection) throws {
    let (model, beginsPrefixes) = (modelToCarry.withLock(\.self), beginsPrefixes.withLock(\.self))
    guard model != nil || beginsPrefixes else { return }
    try reporting {
      var metadata = try SQLiteLayout.readMetadata(connection)
      if let model { metadata.carry(model) }
      if beginsPrefixes { metadata.values[StoreMetadata.Key.externalData] = .int(1) }
      try SQLiteLayout.writeMetadata(connection, metadata)
    }
  }

  /// Takes note that the file carries the model from now on.
  func endCarryingModel() {
    modelToCarry.withLock { $0 = nil }
    beginsPrefixes.withLock { $0 = false }
  }
}
