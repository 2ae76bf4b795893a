import GraphStoreModel

extension StoreInspector {
  /// The numbers of entities that objects can have.
  func entityTags(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    func add(_ subject: String, sample: Sample, what: String) {
      if let finding = sample.finding(of: name, at: subject, noun: "row", what: what) {
        findings.append(finding)
      }
    }
    for table in schema.tables where isSound(table) {
      let concrete = table.root.entity.concreteFamily.map { schema.entity($0).number }.filter { $0 > 0 }
      add(
        table.root.entity.name,
        sample: try sample(table, where: "s.Z_ENT IS NULL OR s.Z_ENT NOT IN (\(list(concrete)))"),
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
          "\(relationship)",
          sample: try sample(
            key.table, joins: join, where: "d.Z_ENT NOT IN (\(list(destination.familyNumbers)))"),
          what: "with an object of another entity than \(destination.entity.name)")
      }
      if let tag {
        add(
          "\(relationship)",
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
          "\(table.relationship)",
          sample: try sample(
            entity.table,
            joins: "JOIN \(table.quotedName) AS j ON j.\(SQLName.quoted(column)) = s.Z_PK",
            where: "NOT \(belongs)"), what: "linked although not of the entity \(entity.entity.name)")
      }
    }
    return findings
  }

  func rowVersions(_ name: String) throws -> [StoreCheckFinding] {
    try schema.tables.filter(isSound).compactMap { table in
      let sample = try sample(
        table,
        where: "typeof(s.Z_OPT) <> 'integer' OR s.Z_OPT NOT BETWEEN 0 AND \(StoredKey.versions.upperBound)")
      return sample.finding(of: name, at: table.root.entity.name, noun: "row", what: "without a version")
    }
  }
}
