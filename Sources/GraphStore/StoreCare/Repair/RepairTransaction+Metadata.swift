import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension RepairTransaction {
  /// Removes metadata that are repeated, and records hashes anew where the others show what they are.
  mutating func mendMetadata() throws {
    try removeRepeatedMetadata()
    try inspectAnew()
    try mendHashes()
  }

  /// Removes rows of metadata that repeat the first one, which is the one that is read.
  private mutating func removeRepeatedMetadata() throws {
    let first = "(SELECT %@ FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1)"
    func value(_ column: String) -> String { first.replacing("%@", with: column) }
    let others = "rowid <> \(value("rowid"))"
    let count = try connection.int64("SELECT count(*) FROM Z_METADATA WHERE \(others)") ?? 0
    let different = try connection.int64(
      """
      SELECT count(*) FROM Z_METADATA
      WHERE Z_UUID IS NOT \(value("Z_UUID")) OR Z_PLIST IS NOT \(value("Z_PLIST"))
      """)
    guard count > 0, different == 0 else { return }
    try connection.execute("DELETE FROM Z_METADATA WHERE \(others)")
    note(
      "system tables", SQLiteLayout.metadataTable, count: Int(count),
      "remove \(Self.number(Int(count), "row")) that repeat\(count == 1 ? "s" : "") the first one")
  }

  /// Records the model's hashes where two of the three, hashes, digest and checksum, are the model's or say
  /// the same of it.
  private mutating func mendHashes() throws {
    var metadata = inspector.metadata
    let own = schema.stored.versionHashes
    let digest = ManagedObjectModel.versionHashesDigest(of: own)
    let checksum = ManagedObjectModel.versionChecksum(of: own)
    let hasOwn = metadata.versionHashes == own
    guard hasOwn || metadata.versionHashesDigest == digest || metadata.versionChecksum == checksum else {
      return
    }
    func record(_ key: String, _ value: Value) {
      guard let present = metadata.values[key], present != value else { return }
      metadata.values[key] = value
      note("model hashes", key, count: 1, "record what follows from the model")
    }
    record(StoreMetadata.Key.hashes, .dictionary(own.mapValues { .data($0) }))
    record(StoreMetadata.Key.digest, .string(digest))
    record(StoreMetadata.Key.checksum, .string(checksum))
    if metadata != inspector.metadata { try SQLiteLayout.writeMetadata(connection, metadata) }
  }
}
