import GraphStoreModel

extension StoreInspector {
  /// References to objects that are gone. One without an inverse is what a deletion leaves behind by itself,
  /// and only worth knowing (REL-300, DGN-108).
  func references(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for (entity, relationship) in declaredRelationships {
      guard case .toOne(let key, _, _) = entity.storage(of: relationship),
        let condition = isDangling(key, relationship)
      else { continue }
      let sample = try sample(key.table, where: condition, other: "s.\(key.quotedName)")
      if let finding = sample.danglingReferences(by: relationship, of: name) { findings.append(finding) }
    }
    return findings
  }

  /// A test that a row `s` refers to an object that is gone; nil where one of the tables is not whole.
  func isDangling(_ key: SQLColumn, _ relationship: RelationshipDescription) -> String? {
    let destination = schema.entity(relationship.destination).table
    guard isSound(key.table), isSound(destination) else { return nil }
    return """
      s.\(key.quotedName) IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM \(destination.quotedName) AS d WHERE d.Z_PK = s.\(key.quotedName))
      """
  }

  /// Links to objects that are gone: rows of tables of pairs, and members of a missing owner.
  func joinRows(_ name: String) throws -> [StoreCheckFinding] {
    let pairs = try schema.joinTables.filter(isSound).compactMap { table in
      try danglingLinks(of: table).finding(
        .danglingLink, of: name, at: "\(table.relationship)", noun: "link", what: "to a missing object")
    }
    let owners = try schema.ownerColumns.compactMap { columns in
      try ownerless(columns).finding(
        .danglingLink, of: name, at: "\(columns.relationship)", noun: "link", what: "to a missing object")
    }
    return pairs + owners
  }

  /// Members whose owner is gone.
  func ownerless(_ columns: SQLOwnerColumns) throws -> Sample {
    guard let condition = isOwnerless(columns) else { return Sample() }
    return try sample(columns.key.table, where: condition)
  }

  /// A test that a row `s` is a member of an object that is gone; nil where one of the tables is not whole.
  func isOwnerless(_ columns: SQLOwnerColumns) -> String? {
    guard isSound(columns.key.table), isSound(columns.owner.table) else { return nil }
    return """
      s.\(columns.key.quotedName) IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM \(columns.owner.table.quotedName) AS d WHERE d.Z_PK = s.\(columns.key.quotedName))
      """
  }

  /// Links of which one end is gone. The other one is named, so that the row can be found.
  func danglingLinks(of table: SQLJoinTable) throws -> Sample {
    let ends = [
      (table.source, table.sourceEntity, table.destination, table.destinationEntity),
      (table.destination, table.destinationEntity, table.source, table.sourceEntity),
    ]
    var sample = Sample()
    for (column, entity, otherColumn, otherEntity) in ends where isSound(entity.table) {
      let (end, other) = (SQLName.quoted(column), SQLName.quoted(otherColumn))
      let (number, join) =
        isSound(otherEntity.table)
        ? ("o.Z_ENT", "LEFT JOIN \(otherEntity.table.quotedName) AS o ON o.Z_PK = j.\(other)") : ("NULL", "")
      sample.add(
        try self.sample(
          """
          SELECT j.\(other), \(number), j.\(end), count(*) OVER () FROM \(table.quotedName) AS j \(join)
          WHERE NOT EXISTS (SELECT 1 FROM \(entity.table.quotedName) AS e WHERE e.Z_PK = j.\(end))
          ORDER BY 1 LIMIT \(StoreCheckFinding.objectLimit)
          """, root: otherEntity))
    }
    return sample
  }
}
