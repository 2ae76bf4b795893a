import GraphStoreSQLite

extension RepairTransaction {
  /// Makes indexes anew that do not hold what their tables hold. They are mended first: searches that use
  /// them would miss rows.
  mutating func mendIndexContents() throws {
    let lines = try inspector.integrity("", limit: 10_000)
    let names = lines.compactMap { StoreDamage.index(inIntegrityLine: $0.message) }
    for name in Set(names).sorted(by: SQLName.precedes) {
      try attempt { repair in
        try repair.connection.execute("REINDEX \(SQLName.quoted(name))")
        repair.note("sqlite integrity", "the file", count: 1, "make the index \(name) anew")
      }
    }
  }

  /// Makes indexes that the model asks for.
  ///
  /// - Parameter isUnique: Those that guard uniqueness are made last, when the rows are mended; a name that
  ///   another index has is left to it.
  mutating func mendMissingIndexes(unique isUnique: Bool) throws {
    for index in try inspector.unservedIndexes() where index.isUnique == isUnique {
      guard try !isTaken(index.name) else { continue }
      try attempt { repair in
        try repair.connection.execute(index.sql)
        repair.note("tables", index.table, count: 1, "make the index \(index.name)")
      }
    }
  }

  private func isTaken(_ name: String) throws -> Bool {
    try connection.withStatement("SELECT 1 FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE") { statement in
      try statement.bind(name, at: 1)
      return try statement.step()
    }
  }

  /// Makes the indexes anew whose functions were of another version, as opening for writing does.
  mutating func mendIndexedFunctions() throws {
    for finding in try inspector.oldFunctions("tables") {
      note(finding.name, finding.subject, count: 1, "make the indexes of functions anew")
    }
    var metadata = inspector.metadata
    let indexes = try SQLiteIndexedFunctions.indexes(schema)
    guard !indexes.isEmpty, metadata.values[StoreMetadata.Key.functions] != SQLiteIndexedFunctions.version
    else { return }
    for index in indexes { try SQLiteStore.renew(index, connection) }
    metadata.values[StoreMetadata.Key.functions] = SQLiteIndexedFunctions.version
    try SQLiteLayout.writeMetadata(connection, metadata)
  }
}
