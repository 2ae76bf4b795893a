import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Makes tables and columns in which nothing can have been: of a table whose entities never had an object,
  /// and of one without rows. A join table never had a link where one of its ends never had an object.
  mutating func mendTables() throws {
    let dialect = SQLiteDialect()
    let present = try SQLiteLayout.readTableNames(connection)
    for table in schema.tables {
      if present.contains(table.name) {
        try addColumns(to: table, dialect)
      } else if try neverHadRows(table) {
        try make(table.name, dialect.createStatement(table))
      }
    }
    for table in schema.joinTables where !present.contains(table.name) {
      guard try neverHadRows(table.sourceEntity.table) || neverHadRows(table.destinationEntity.table) else {
        continue
      }
      try make(table.name, dialect.createStatement(table))
    }
  }

  private mutating func make(_ name: String, _ sql: String) throws {
    try connection.execute(sql)
    note("tables", name, count: 1, "make the table, which never had a row")
  }

  private mutating func addColumns(to table: SQLTable, _ dialect: SQLiteDialect) throws {
    let known = table.columns.map { ($0.name, "\($0.quotedName) \(dialect.declaredType($0.kind))") }
    let columns = [("Z_ENT", "Z_ENT INTEGER"), ("Z_OPT", "Z_OPT INTEGER")] + known
    let missing = try inspector.missingColumns(table.name, columns.map(\.0))
    guard !missing.isEmpty, try isEmpty(table.name) else { return }
    for (name, declaration) in columns where missing.contains(name) {
      try connection.execute("ALTER TABLE \(table.quotedName) ADD COLUMN \(declaration)")
    }
    note(
      "tables", table.name, count: missing.count,
      "add \(missing.joined(separator: ", ")) to the table, which has no rows")
  }

  private func isEmpty(_ table: String) throws -> Bool {
    try connection.int64("SELECT 1 FROM \(SQLName.quoted(table)) LIMIT 1") == nil
  }

  /// Whether no key was ever handed out to an object of a table, and none is referred to.
  private func neverHadRows(_ table: SQLTable) throws -> Bool {
    let counter = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.root.namingNumber)"
    guard try connection.int64(counter) == 0 else { return false }
    return try referringKeys(to: table).allSatisfy { try connection.int64("\($0) LIMIT 1") == nil }
  }

  /// Queries for the keys by which a table's rows are referred to, in references and links.
  func referringKeys(to table: SQLTable) -> [String] {
    let references = schema.tables.filter(inspector.isSound).flatMap(\.columns).filter { column in
      guard column.kind == .toOneKey, let relationship = column.property as? RelationshipDescription else {
        return false
      }
      return schema.entity(relationship.destination).table === table
    }.map { (column: $0.quotedName, table: $0.table.quotedName) }
    let links = schema.joinTables.filter(inspector.isSound).flatMap { join in
      [(join.source, join.sourceEntity), (join.destination, join.destinationEntity)]
        .filter { $0.1.table === table }.map { (column: SQLName.quoted($0.0), table: join.quotedName) }
    }
    let owners = schema.ownerColumns.filter { $0.owner.table === table && inspector.isSound($0.key.table) }
      .map { (column: $0.key.quotedName, table: $0.key.table.quotedName) }
    return (references + links + owners).map {
      "SELECT \($0.column) FROM \($0.table) WHERE \($0.column) IS NOT NULL"
    }
  }
}

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

extension RepairTransaction {
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
