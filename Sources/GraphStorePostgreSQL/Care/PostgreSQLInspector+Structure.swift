#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLInspector {
  /// The tables of the store itself.
  func systemTables(_ name: String) throws -> [StoreCheckFinding] {
    let rows = try number("SELECT count(*) FROM \(table(PostgreSQLTables.metadataTable))")
    if rows == 1 { return [] }
    return [
      StoreCheckFinding(
        .metadataRows, name: name, subject: PostgreSQLTables.metadataTable, count: Int(rows),
        message: "\(rows) rows instead of one")
    ]
  }

  /// The recorded hashes are those of the model that the store carries.
  func modelHashes(_ name: String) throws -> [StoreCheckFinding] {
    let recorded = try session.reporting { try store.tables.readMetadata(session.connection) }.versionHashes
    let own = schema.stored.versionHashes
    let differing = Set(recorded.keys).union(own.keys).filter { recorded[$0] != own[$0] }.sorted()
    return differing.map {
      StoreCheckFinding(
        .modelHash, name: name, subject: $0, count: 1, message: "the recorded hash is not that of the model")
    }
  }

  // MARK: Tables

  /// Tables, columns, their types, indexes and foreign keys.
  func tables(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    func add(_ damage: StoreDamage, _ subject: String, isWarning: Bool = false, _ message: String) {
      findings.append(
        StoreCheckFinding(
          damage, name: name, subject: subject, severity: isWarning ? .warning : .failure, count: 1,
          message: message))
    }
    func addLack(_ table: String, _ columns: [String]) {
      guard let missing = catalog.missing(columns, in: table) else {
        return add(.missingTable, table, "the table is missing")
      }
      if !missing.isEmpty {
        add(.missingColumns, table, "without \(missing.joined(separator: ", "))")
      }
    }
    for rows in schema.tables {
      addLack(rows.name, system.all + rows.columns.map(\.name))
      for column in rows.columns {
        let wanted = PostgreSQLType(column).rawValue
        guard let type = catalog.columns[rows.name]?[column.name], type != wanted else { continue }
        add(.columnType, rows.name, "\(column.name) is \(type) instead of \(wanted)")
      }
    }
    for pairs in schema.joinTables { addLack(pairs.name, pairs.columns) }
    for index in try missingIndexes() {
      add(
        .missingIndex, index.table, isWarning: !index.isUnique, "the index \(index.name) is missing")
    }
    for reference in missingReferences() {
      add(.missingForeignKey, reference.table, "the foreign key \(reference.name) is missing")
    }
    return findings
  }

  /// The indexes that the tables which are there lack.
  func missingIndexes() throws -> [SQLIndex] {
    try ownSchema.indexes().filter { catalog.columns[$0.table] != nil && !catalog.names.contains($0.name) }
  }

  /// The foreign keys that the tables which are there lack, or that do not hold for all rows.
  func missingReferences() -> [PostgreSQLReference] {
    ownSchema.references.filter { reference in
      catalog.columns[reference.table] != nil && catalog.columns[reference.target] != nil
        && !catalog.names.contains(reference.name)
    }
  }

  var ownSchema: PostgreSQLSchema { PostgreSQLSchema(tables: schema, dialect: store.dialect) }

  // MARK: Numbers and keys

  /// The list of entities: those of the model alone, each with its parent.
  func entityNumbers(_ name: String) throws -> [StoreCheckFinding] {
    let counter = schema.keyCounter
    let cursor = try session.run(
      "SELECT name, \(self.name(counter.entity)), coalesce(parent, 0) FROM \(table(counter.table)) ORDER BY 2",
      [])
    var findings: [StoreCheckFinding] = []
    while try cursor.step() {
      let (entity, number) = (cursor.string(at: 0), Int(cursor.int64(at: 1)))
      guard let known = schema.entity(numbered: number), known.entity.name == entity else {
        findings.append(
          StoreCheckFinding(
            .unknownEntity, name: name, subject: entity, count: 1,
            message: "the number \(number) is that of no entity of the model"))
        continue
      }
      let parent = schema.parentNumber(of: known)
      guard cursor.int64(at: 2) != parent else { continue }
      findings.append(
        StoreCheckFinding(
          .parentNumber, name: name, subject: entity, count: 1,
          message: "the number of its parent is \(cursor.int64(at: 2)) instead of \(parent)"))
    }
    return findings
  }

  /// Counters of keys that have not kept up with the rows, and keys that no counter can hand out.
  func keyCounters(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for rows in schema.tables where isSound(rows) {
      let beyond = try sample(rows, where: isImpossible)
      let subject = rows.root.entity.name
      let finding = beyond.finding(
        .impossibleKey, of: name, at: subject, noun: "row", what: "with a key that no object can have")
      if let finding { findings.append(finding) }
      let (last, greatest) = try keys(of: rows)
      guard greatest > last || last > StoredKey.keys.upperBound else { continue }
      findings.append(
        StoreCheckFinding(
          .keyCounter, name: name, subject: subject, count: 1,
          message: "the last key handed out is said to be \(last), and there is a key \(greatest)"))
    }
    return findings
  }

  /// The last key that was handed out, and the greatest that a row has.
  func keys(of rows: SQLTable) throws -> (last: Int64, greatest: Int64) {
    let cursor = try session.run(
      store.tables.greatestKey(rows), [PostgreSQLParameter(Int64(rows.root.namingNumber))])
    return try cursor.step() ? (cursor.int64(at: 0), cursor.int64(at: 1)) : (0, 0)
  }

  private var isImpossible: String {
    "s.\(key) NOT BETWEEN \(StoredKey.keys.lowerBound) AND \(StoredKey.keys.upperBound)"
  }

  func rowVersions(_ name: String) throws -> [StoreCheckFinding] {
    try schema.tables.filter(isSound).compactMap { rows in
      try sample(rows, where: isWithoutVersion).finding(
        .rowVersion, of: name, at: rows.root.entity.name, noun: "row", what: "without a version")
    }
  }

  /// A test that a row `s` has no version that a save could raise.
  var isWithoutVersion: String { "s.\(version) NOT BETWEEN 0 AND \(StoredKey.versions.upperBound)" }

  // MARK: Entities of rows

  /// The numbers of entities that objects can have.
  func entityTags(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    func add(_ damage: StoreDamage, _ subject: String, _ sample: CheckSample, what: String) {
      if let finding = sample.finding(damage, of: name, at: subject, noun: "row", what: what) {
        findings.append(finding)
      }
    }
    for rows in schema.tables where isSound(rows) {
      let numbers = rows.root.entity.concreteFamily.map(schema.entity).map(\.number).filter { $0 > 0 }
      add(
        .rowTag, rows.root.entity.name,
        try sample(rows, where: "s.\(entity) NOT IN (\(list(numbers)))"),
        what: "of no entity that belongs into the table")
    }
    for (owner, relationship) in declaredRelationships {
      guard case .toOne(let column, let tag, _) = owner.storage(of: relationship), isSound(column.table),
        isSound(schema.entity(relationship.destination).table)
      else { continue }
      let destination = schema.entity(relationship.destination)
      let join = "JOIN \(table(destination.table.name)) AS d ON d.\(key) = s.\(self.name(column.name))"
      if let belongs = belongs("d", to: destination) {
        add(
          .destinationEntity, "\(relationship)",
          try sample(column.table, joins: join, where: "NOT \(belongs)"),
          what: "with an object of another entity than \(destination.entity.name)")
      }
      if let tag {
        add(
          .referenceTag, "\(relationship)",
          try sample(
            column.table, joins: join, where: "s.\(self.name(tag.name)) IS DISTINCT FROM d.\(entity)"),
          what: "with a number that is not that of the object's entity")
      }
    }
    for pairs in schema.joinTables where isSound(pairs) {
      for (column, end) in [(pairs.source, pairs.sourceEntity), (pairs.destination, pairs.destinationEntity)]
      where isSound(end.table) {
        guard let belongs = belongs("s", to: end) else { continue }
        add(
          .linkedEntity, "\(pairs.relationship)",
          try sample(
            end.table, joins: "JOIN \(table(pairs.name)) AS j ON j.\(self.name(column)) = s.\(key)",
            where: "NOT \(belongs)"), what: "linked although not of the entity \(end.entity.name)")
      }
    }
    return findings
  }
}
#endif
