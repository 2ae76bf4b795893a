import Foundation
import GraphStoreModel
import GraphStoreSQLite

extension StoreInspector {
  func integrity(_ name: String) throws -> [StoreCheckFinding] {
    try integrity(name, limit: StoreCheckFinding.objectLimit)
  }

  /// The findings of SQLite in the file.
  ///
  /// - Parameter limit: After how many lines it stops.
  func integrity(_ name: String, limit: Int) throws -> [StoreCheckFinding] {
    let statement = try connection.prepare(
      isQuick ? "PRAGMA quick_check(\(limit))" : "PRAGMA integrity_check(\(limit))")
    var findings: [StoreCheckFinding] = []
    if let header, header.needsNewerWriter {
      findings.append(
        StoreCheckFinding(
          .newerWriter, name: name, subject: "the file", count: 1,
          message: "its header asks for a newer SQLite to write it (write version \(header.writeVersion)), "
            + "so that it can only be read"))
    }
    while try statement.step() {
      guard let line = statement.string(at: 0), line != "ok" else { continue }
      let damage: StoreDamage = StoreDamage.index(inIntegrityLine: line) == nil ? .page : .indexContent
      findings.append(StoreCheckFinding(damage, name: name, subject: "the file", count: 1, message: line))
    }
    return findings
  }

  func systemTables(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    let expected = [
      (SQLiteLayout.primaryKeyTable, ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]),
      (SQLiteLayout.metadataTable, ["Z_VERSION", "Z_UUID", "Z_PLIST"]),
    ]
    for (table, columns) in expected {
      if let finding = try lack(of: columns, in: table, name, .systemColumns) { findings.append(finding) }
    }
    guard findings.isEmpty else { return findings }
    if let damage {
      let part = damage.drop { $0 != ":" }.dropFirst(2)
      findings.append(
        StoreCheckFinding(
          .metadata, name: name, subject: SQLiteLayout.metadataTable, count: 1,
          message: String(part.hasSuffix(".") ? part.dropLast() : part)))
    }
    let rows = Int(try connection.int64("SELECT count(*) FROM Z_METADATA") ?? 0)
    if rows != 1 {
      findings.append(
        StoreCheckFinding(
          .metadataRows, name: name, subject: SQLiteLayout.metadataTable, count: rows,
          message: "the table has \(rows) rows instead of one"))
    }
    return findings
  }

  func modelHashes(_ name: String) -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    func add(_ damage: StoreDamage, _ subject: String, _ message: String) {
      findings.append(StoreCheckFinding(damage, name: name, subject: subject, count: 1, message: message))
    }
    let recorded = metadata.versionHashes
    // Core Data's hashes are its own; only those of stores of ours can be compared with the model.
    if metadata.format != nil {
      for entity in schema.stored.entities where recorded[entity.name] != entity.versionHash {
        add(.modelHash, entity.name, "the recorded hash is not that of the model")
      }
      let known = schema.stored.versionHashes
      for name in recorded.keys.sorted() where known[name] == nil {
        add(.modelHash, name, "a hash is recorded for an entity that the model lacks")
      }
      for attribute in metadata.attributesStoredOtherwise(than: schema.stored) {
        add(.modelHash, attribute, "the store writes its values in another way than the model says")
      }
    }
    if let digest = metadata.versionHashesDigest,
      digest != ManagedObjectModel.versionHashesDigest(of: recorded)
    {
      add(.hashDigest, StoreMetadata.Key.digest, "the digest is not that of the recorded hashes")
    }
    if let checksum = metadata.versionChecksum, checksum != ManagedObjectModel.versionChecksum(of: recorded) {
      add(.hashDigest, StoreMetadata.Key.checksum, "the checksum is not that of the recorded hashes")
    }
    return findings
  }

  func tables(_ name: String) throws -> [StoreCheckFinding] {
    let present = try SQLiteLayout.readTableNames(connection)
    var findings: [StoreCheckFinding] = []
    func examine(_ table: String, _ columns: [String]) throws {
      guard present.contains(table) else {
        findings.append(
          StoreCheckFinding(
            .missingTable, name: name, subject: table, count: 1, message: "the table is missing"))
        return
      }
      if let finding = try lack(of: columns, in: table, name, .missingColumns) { findings.append(finding) }
    }
    for table in schema.tables {
      try examine(table.name, SQLTable.leadingColumns + table.columns.map(\.name))
    }
    for table in schema.joinTables { try examine(table.name, table.columns) }
    return try findings + declaredTypes(name) + missingKeys(name) + missingIndexes(name) + oldFunctions(name)
      + foreignParts(name)
  }

  /// The finding that a table has not all of its columns; nil where it has.
  private func lack(of columns: [String], in table: String, _ name: String, _ damage: StoreDamage) throws
    -> StoreCheckFinding?
  {
    let missing = try missingColumns(table, columns)
    guard !missing.isEmpty else { return nil }
    return StoreCheckFinding(
      damage, name: name, subject: table, count: missing.count,
      message: "the table lacks \(missing.joined(separator: ", "))")
  }

  /// The indexes that the model asks for, and for which none serves that is there.
  func unservedIndexes() throws -> [SQLIndex] {
    try SQLiteIndexComparison(connection, schema).unserved.filter { soundTables.contains($0.table) }
  }

  /// An index that is missing costs time only, unless it guards uniqueness.
  private func missingIndexes(_ name: String) throws -> [StoreCheckFinding] {
    try unservedIndexes().map { index in
      StoreCheckFinding(
        .missingIndex, name: name, subject: index.table, severity: index.isUnique ? .failure : .warning,
        count: 1,
        message: "the index \(index.name) is missing")
    }
  }
}
