import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// The metadata of a SQLite store that is not open, by its path.
enum SQLiteMetadataFile {
  /// Reads the metadata by one statement, without making or changing a file (STO-111, STO-112).
  ///
  /// - Parameter onStatement: Called with the text of each statement that begins to run.
  /// - Throws: what is wrong with the path, from `store-not-found` to `store-corrupt`.
  static func read(
    _ path: String, timeout: Duration, onStatement: ((String) -> Void)? = nil
  ) throws -> StoreMetadata {
    if let metadata = readAtOnce(path, timeout: timeout, onStatement: onStatement) { return metadata }
    // The fast path failed: probe the file to say why.
    return try SQLiteProbe.probe(path).metadata(path: path)
  }

  private static func readAtOnce(
    _ path: String, timeout: Duration, onStatement: ((String) -> Void)?
  ) -> StoreMetadata? {
    guard RegularFile.exists(path), SQLiteFileHeader(path: path) != nil,
      let connection = try? SQLiteConnection(
        path: path, mode: .reading(path), busyTimeout: timeout)
    else { return nil }
    defer { connection.close() }
    connection.onStatement = onStatement
    guard let (metadata, damage) = try? SQLiteLayout.readWhatIsThere(connection), damage == nil,
      metadata.format ?? 0 <= StoreMetadata.currentFormat
    else { return nil }
    return metadata
  }

  /// Changes metadata in a transaction of its own (STO-115).
  ///
  /// - Parameter changes: Returns values, or nil for keys to be removed, from the file's.
  /// - Throws: what is wrong with the path; `read-only-store` where triggers or a history would go stale;
  ///   `store-permission`, `store-timeout`, and what the body throws. Nothing has changed then.
  static func change(
    _ path: String, timeout: Duration, _ changes: ([String: Value]) throws -> [String: Value?]
  ) throws {
    let (connection, contents) = try SQLiteStore.connect(path, StoreOptions(timeout: timeout))
    defer { connection.close() }
    if let obstacle = StoreWarning.obstacle(contents, path: path) {
      throw GraphStoreError(
        .readOnlyStore, "\(obstacle.message) It takes no changes.", remedy: obstacle.remedy)
    }
    try SQLiteStore.checkWritable(connection, path)
    do {
      let values = try connection.transaction(.immediate) {
        var metadata = try SQLiteLayout.readMetadata(connection)
        try metadata.setUserValues(try changes(metadata.all))
        try SQLiteLayout.writeMetadata(connection, metadata)
        return metadata.values
      }
      connection.setKeepsLog(false)
      StoreWarning.reportLargeMetadata(values, path: path)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }
}

extension SQLiteStore {
  /// Writes the model that the file is to carry into its metadata, within the transaction that has begun.
  ///
  /// With it is stored the mark that values with external storage have their prefix, where the file lacks it.
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

  /// Records that the file carries the model from now on.
  func endCarryingModel() {
    modelToCarry.withLock { $0 = nil }
    beginsPrefixes.withLock { $0 = false }
  }
}
