import GraphStoreModel
import GraphStoreSQLite

extension StoreInspector {
  /// Counters of keys that have not kept up with the rows, and keys that no counter can hand out.
  func keyCounters(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for table in schema.tables where isSound(table) {
      let beyond = try sample(
        table,
        where:
          "s.Z_PK IS NULL OR s.Z_PK NOT BETWEEN \(StoredKey.keys.lowerBound) AND \(StoredKey.keys.upperBound)"
      )
      let finding = beyond.finding(
        .impossibleKey, of: name, at: table.root.entity.name, noun: "row",
        what: "with a key that no object can have")
      if let finding { findings.append(finding) }
      let greatest = try connection.int64("SELECT max(Z_PK) FROM \(table.quotedName)") ?? 0
      let counter =
        try connection.int64("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.root.namingNumber)") ?? 0
      if counter > StoredKey.keys.upperBound {
        findings.append(
          StoreCheckFinding(
            .keyCounter, name: name, subject: table.root.entity.name, count: 1,
            message: "the last key handed out is said to be \(counter), and no key follows it"))
      }
      guard greatest > counter else { continue }
      let number = try connection.int64("SELECT Z_ENT FROM \(table.quotedName) WHERE Z_PK = \(greatest)") ?? 0
      findings.append(
        StoreCheckFinding(
          .keyCounter, name: name, subject: table.root.entity.name, count: 1,
          objects: [self.name(greatest, number: Int(number), root: table.root)],
          message: "the last key handed out is said to be \(counter), and there is a key \(greatest)"))
    }
    return findings
  }

  /// A test that a row `s` has no version that a save could raise.
  var isWithoutVersion: String {
    "typeof(s.Z_OPT) <> 'integer' OR s.Z_OPT NOT BETWEEN 0 AND \(StoredKey.versions.upperBound)"
  }

  func rowVersions(_ name: String) throws -> [StoreCheckFinding] {
    try schema.tables.filter(isSound).compactMap { table in
      let sample = try sample(table, where: isWithoutVersion)
      return sample.finding(
        .rowVersion, of: name, at: table.root.entity.name, noun: "row", what: "without a version")
    }
  }
}
