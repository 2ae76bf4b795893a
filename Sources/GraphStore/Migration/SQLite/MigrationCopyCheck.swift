import GraphStoreModel
import GraphStoreSQLite

/// Check of a store that was filled from another one: the number of objects, and where links lead (MIG-265).
struct MigrationCopyCheck {
  private let connection: SQLiteConnection
  private let entities: MigratedEntities

  init(_ connection: SQLiteConnection, _ entities: MigratedEntities) {
    self.connection = connection
    self.entities = entities
  }

  /// - Returns: The number of objects by the names of the new entities.
  /// - Throws: `migration-failed` with what is wrong.
  func run() throws -> [String: Int] {
    let counts = try checkedCounts()
    let dangling = try danglingLinks("main", entities.destination)
    if dangling > 0, dangling > (try danglingLinks(MigrationText.oldSchema, entities.source)) {
      throw GraphStoreError.wrongCopy("\(dangling) links of the new store lead to no object")
    }
    return counts
  }

  private func checkedCounts() throws -> [String: Int] {
    let old = try counts(MigrationText.oldSchema, entities.source)
    let new = try counts("main", entities.destination)
    for pair in entities.pairs {
      let (before, after) = (old[pair.source.number] ?? 0, new[pair.destination.number] ?? 0)
      guard before == after else {
        throw GraphStoreError.wrongCopy(
          "\(before) objects of \(pair.source.entity.name) became \(after) of \(pair.destination.entity.name)"
        )
      }
    }
    for (number, count) in old where entities.source.entity(numbered: number) == nil {
      throw GraphStoreError(
        .storeCorrupt, "\(count) rows of the store have the entity number \(number), which no entity has.",
        remedy: "Check the store, and restore a backup; the store is as it was.")
    }
    var named: [String: Int] = [:]
    for entity in entities.destination.numberedEntities where !entity.entity.isAbstract {
      named[entity.entity.name] = new[entity.number] ?? 0
    }
    return named
  }

  private func counts(_ database: String, _ schema: SQLSchema) throws -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for table in schema.tables {
      let name = "\(database).\(table.quotedName)"
      if let (number, count) = try count(of: table, name) {
        counts[number, default: 0] += count
        continue
      }
      try connection.withStatement("SELECT Z_ENT, count(*) FROM \(name) GROUP BY Z_ENT") { row in
        while try row.step() { counts[Int(row.int64(at: 0)), default: 0] += Int(row.int64(at: 1)) }
      }
    }
    return counts
  }

  /// The number of rows of a table of one entity, which need not be sorted by entities; nil for others.
  private func count(of table: SQLTable, _ name: String) throws -> (number: Int, count: Int)? {
    let numbers = table.root.familyNumbers
    guard numbers.count == 1 else { return nil }
    return try connection.withStatement("SELECT count(*), total(Z_ENT = \(numbers[0])) FROM \(name)") { row in
      guard try row.step(), Double(row.int64(at: 0)) == row.double(at: 1) else { return nil }
      return (numbers[0], Int(row.int64(at: 0)))
    }
  }

  /// The number of links without an object of the entities that they may lead to.
  private func danglingLinks(_ database: String, _ schema: SQLSchema) throws -> Int {
    var count = 0
    for table in schema.tables {
      for column in table.columns where column.kind == .toOneKey {
        guard let relationship = column.property as? RelationshipDescription else { continue }
        count += try dangling(
          column.quotedName, in: table.quotedName, leadingTo: schema.entity(relationship.destination),
          database)
      }
    }
    for columns in schema.ownerColumns {
      count += try dangling(
        columns.key.quotedName, in: columns.key.table.quotedName, leadingTo: columns.owner, database)
    }
    for table in schema.joinTables {
      let ends = [(table.source, table.sourceEntity), (table.destination, table.destinationEntity)]
      for (column, entity) in ends {
        count += try dangling(SQLName.quoted(column), in: table.quotedName, leadingTo: entity, database)
      }
    }
    return count
  }

  private func dangling(
    _ column: String, in table: String, leadingTo target: SQLEntity, _ database: String
  ) throws -> Int {
    let numbers = target.sharesTable ? " AND t.Z_ENT IN \(MigrationText.list(target.familyNumbers))" : ""
    return Int(
      try connection.int64(
        """
        SELECT count(*) FROM \(database).\(table) AS s WHERE s.\(column) IS NOT NULL AND NOT EXISTS
          (SELECT 1 FROM \(database).\(target.table.quotedName) AS t WHERE t.Z_PK = s.\(column)\(numbers))
        """) ?? 0)
  }

}
