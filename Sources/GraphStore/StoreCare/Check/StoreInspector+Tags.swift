import GraphStoreModel

extension StoreInspector {
  /// The numbers of entities that objects can have.
  func entityTags(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    func add(_ damage: StoreDamage, _ subject: String, sample: Sample, what: String) {
      if let finding = sample.finding(damage, of: name, at: subject, noun: "row", what: what) {
        findings.append(finding)
      }
    }
    for table in schema.tables where isSound(table) {
      add(
        .rowTag, table.root.entity.name,
        sample: try sample(table, where: isOfNoEntity(table)),
        what: "of no entity that belongs into the table")
    }
    for (entity, relationship) in declaredRelationships {
      guard case .toOne(let key, let tag, _) = entity.storage(of: relationship), isSound(key.table) else {
        continue
      }
      let destination = schema.entity(relationship.destination)
      guard isSound(destination.table) else { continue }
      let join = "JOIN \(destination.table.quotedName) AS d ON d.Z_PK = s.\(key.quotedName)"
      if destination.entity.superentity != nil {
        add(
          .destinationEntity, "\(relationship)",
          sample: try sample(
            key.table, joins: join, where: "d.Z_ENT NOT IN (\(list(destination.familyNumbers)))"),
          what: "with an object of another entity than \(destination.entity.name)")
      }
      if let tag {
        add(
          .referenceTag, "\(relationship)",
          sample: try sample(key.table, joins: join, where: "s.\(tag.quotedName) IS NOT d.Z_ENT"),
          what: "with a number that is not that of the object's entity")
      }
    }
    for table in schema.joinTables where isSound(table) {
      for (column, entity) in [
        (table.source, table.sourceEntity), (table.destination, table.destinationEntity),
      ] where isSound(entity.table) {
        guard let belongs = belongs("s", to: entity) else { continue }
        add(
          .linkedEntity, "\(table.relationship)",
          sample: try sample(
            entity.table,
            joins: "JOIN \(table.quotedName) AS j ON j.\(SQLName.quoted(column)) = s.Z_PK",
            where: "NOT \(belongs)"), what: "linked although not of the entity \(entity.entity.name)")
      }
    }
    for columns in schema.ownerColumns where isSound(columns.key.table) && isSound(columns.owner.table) {
      let key = columns.key.quotedName
      let isLinked = "EXISTS (SELECT 1 FROM \(columns.key.table.quotedName) AS j WHERE j.\(key) = s.Z_PK)"
      for (entity, condition) in [(columns.owner, isLinked), (columns.key.entity, "s.\(key) IS NOT NULL")] {
        guard let belongs = belongs("s", to: entity) else { continue }
        add(
          .linkedEntity, "\(columns.relationship)",
          sample: try sample(entity.table, where: "\(condition) AND NOT \(belongs)"),
          what: "linked although not of the entity \(entity.entity.name)")
      }
    }
    return findings
  }

  /// The entities that rows of a table can be of.
  func concreteEntities(of table: SQLTable) -> [SQLEntity] {
    table.root.entity.concreteFamily.map(schema.entity).filter { $0.number > 0 }
  }

  /// A test that a row `s` is of no entity that belongs into the table.
  func isOfNoEntity(_ table: SQLTable) -> String {
    "s.Z_ENT IS NULL OR s.Z_ENT NOT IN (\(list(concreteEntities(of: table).map(\.number))))"
  }
}
