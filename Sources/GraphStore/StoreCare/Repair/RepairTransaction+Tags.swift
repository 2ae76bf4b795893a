import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Sets the entity of rows without one where only one is possible: of all that the table has, the only one
  /// that has the columns in which the row has values, that the references and links to it lead to, and whose
  /// number those references have.
  mutating func mendRowTags() throws {
    for table in schema.tables where inspector.isSound(table) {
      let condition = inspector.isOfNoEntity(table)
      guard try inspector.sample(table, where: condition).count > 0 else { continue }
      try connection.execute("CREATE TEMP TABLE gs_candidates (key INTEGER, entity INTEGER)")
      defer { try? connection.execute("DROP TABLE temp.gs_candidates") }
      for entity in inspector.concreteEntities(of: table) {
        let conditions = [condition] + exclusions(of: entity, in: table)
        try connection.execute(
          """
          INSERT INTO temp.gs_candidates SELECT s.Z_PK, \(entity.number) FROM \(table.quotedName) AS s
          WHERE \(conditions.map { "(\($0))" }.joined(separator: " AND "))
          """)
      }
      try update(
        table, check: "entity tags", subject: table.root.entity.name,
        where: "s.Z_PK IN (SELECT key FROM temp.gs_candidates GROUP BY key HAVING count(*) = 1)",
        set: ["Z_ENT = (SELECT entity FROM temp.gs_candidates WHERE key = s.Z_PK)"]
      ) { "give \(Self.number($0, "row")) the only entity that fits" }
    }
  }

  /// Tests that a row `s` passes if nothing speaks against its being of an entity.
  private func exclusions(of entity: SQLEntity, in table: SQLTable) -> [String] {
    var tests = table.columns.filter { !entity.entity.isKind(of: $0.entity.entity) }
      .map { "s.\($0.quotedName) IS NULL" }
    let concrete = inspector.list(inspector.concreteEntities(of: table).map(\.number))
    for (source, relationship) in inspector.declaredRelationships {
      guard case .toOne(let key, let tag, _) = source.storage(of: relationship), inspector.isSound(key.table)
      else { continue }
      let destination = schema.entity(relationship.destination)
      guard destination.table === table else { continue }
      let others = "NOT EXISTS (SELECT 1 FROM \(key.table.quotedName) AS r WHERE r.\(key.quotedName) = s.Z_PK"
      if !destination.familyNumbers.contains(entity.number) {
        tests.append(others + ")")
      } else if let tag = tag?.quotedName {
        tests.append(others + " AND r.\(tag) IN (\(concrete)) AND r.\(tag) <> \(entity.number))")
      }
    }
    for join in schema.joinTables where inspector.isSound(join) {
      for (column, end) in [(join.source, join.sourceEntity), (join.destination, join.destinationEntity)]
      where end.table === table && !end.familyNumbers.contains(entity.number) {
        tests.append(
          "NOT EXISTS (SELECT 1 FROM \(join.quotedName) AS r WHERE r.\(SQLName.quoted(column)) = s.Z_PK)")
      }
    }
    for columns in schema.ownerColumns
    where columns.owner.table === table && inspector.isSound(columns.key.table)
      && !columns.owner.familyNumbers.contains(entity.number)
    {
      tests.append(
        "NOT EXISTS (SELECT 1 FROM \(columns.key.table.quotedName) AS r WHERE r.\(columns.key.quotedName) = s.Z_PK)"
      )
    }
    return tests
  }

  /// Writes the numbers of the objects' entities beside references; the objects themselves have them.
  mutating func mendReferenceTags() throws {
    for (entity, relationship) in inspector.declaredRelationships {
      guard case .toOne(let key, let tag?, _) = entity.storage(of: relationship), inspector.isSound(key.table)
      else { continue }
      let destination = schema.entity(relationship.destination)
      guard inspector.isSound(destination.table) else { continue }
      let object = "FROM \(destination.table.quotedName) AS d WHERE d.Z_PK = s.\(key.quotedName)"
      let numbers = inspector.list(
        inspector.concreteEntities(of: destination.table).map(\.number)
          .filter(destination.familyNumbers.contains))
      try update(
        key.table, check: "entity tags", subject: "\(relationship)",
        where:
          "EXISTS (SELECT 1 \(object) AND s.\(tag.quotedName) IS NOT d.Z_ENT AND d.Z_ENT IN (\(numbers)))",
        set: ["\(tag.quotedName) = (SELECT d.Z_ENT \(object))"]
      ) { "write the number of the object's entity to \(Self.number($0, "row"))" }
    }
  }
}
