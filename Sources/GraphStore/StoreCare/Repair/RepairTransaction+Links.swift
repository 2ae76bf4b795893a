import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Sets the missing ends of one-to-one relationships.
  ///
  /// An end is missing where it is nil, or refers to an object that is gone. It is set where a single object
  /// refers to the one that lacks it, and no other refers to that object in turn: then only two objects are
  /// concerned, and they can only mean each other.
  mutating func mendPairs() throws {
    for pair in inspector.oneToOnePairs() {
      try mendEnds(pair.back, claimedBy: pair.key, subject: pair.subject)
      if !pair.isOwnInverse { try mendEnds(pair.key, claimedBy: pair.back, subject: pair.subject) }
    }
  }

  private mutating func mendEnds(
    _ end: StoreInspector.PairEnd, claimedBy other: StoreInspector.PairEnd, subject: String
  ) throws {
    let (own, key) = (end.column.quotedName, other.column.quotedName)
    let (objects, claimants) = (end.column.table.quotedName, other.column.table.quotedName)
    let claims = "FROM \(claimants) AS c WHERE c.\(key) = s.Z_PK"
    let isMissing =
      "(s.\(own) IS NULL OR NOT EXISTS (SELECT 1 FROM \(claimants) AS x WHERE x.Z_PK = s.\(own)))"
    let isWanted = inspector.all("1 = (SELECT count(*) \(claims))", belongs("s", end.column.entity))
    let fits = "EXISTS (SELECT 1 \(inspector.all(claims, belongs("c", other.column.entity))))"
    let isContested = """
      EXISTS (SELECT 1 FROM \(claimants) AS c JOIN \(objects) AS o ON o.\(own) = c.Z_PK
        WHERE c.\(key) = s.Z_PK AND o.Z_PK <> s.Z_PK)
      """
    var assignments = ["\(own) = (SELECT c.Z_PK \(claims))"]
    if let tag = end.tag { assignments.append("\(tag.quotedName) = (SELECT c.Z_ENT \(claims))") }
    try update(
      end.column.table, check: "one-to-one", subject: subject,
      where: "\(isMissing) AND \(isWanted) AND \(fits) AND NOT \(isContested)", set: assignments
    ) { "set the other end of \(Self.number($0, "reference"))" }
  }

  /// A test that a row is of an entity that the other end leads to.
  private func belongs(_ alias: String, _ entity: SQLEntity) -> String {
    "\(alias).Z_ENT IN (\(inspector.list(entity.familyNumbers)))"
  }

  /// Adds the second direction to links of relationships that are their own inverse; reading shows it
  /// already. In an ordered one the places are assigned with those of other members.
  mutating func mendOneSidedPairs() throws {
    for table in schema.joinTables
    where table.form == .reflexive && inspector.isSound(table)
      && inspector.isSound(table.sourceEntity.table)
    {
      let sample = try inspector.oneSidedPairs(of: table)
      guard sample.count > 0 else { continue }
      let (source, destination) = (SQLName.quoted(table.source), SQLName.quoted(table.destination))
      try connection.execute(
        """
        INSERT INTO \(table.quotedName) (\(source), \(destination))
        SELECT j.\(destination), j.\(source) FROM \(table.quotedName) AS j
        JOIN \(table.sourceEntity.table.quotedName) AS s ON s.Z_PK = j.\(source)
        WHERE \(inspector.isOneSided(table))
        """)
      note(
        "one-to-one", "\(table.relationship)", count: sample.count, objects: sample.objects,
        "record \(Self.number(sample.count, "pair")) in the other direction")
    }
  }

  /// Removes links to objects that are gone, as the deletion of an object removes its links.
  mutating func mendDanglingLinks() throws {
    for table in schema.joinTables where inspector.isSound(table) {
      let sample = try inspector.danglingLinks(of: table)
      guard sample.count > 0 else { continue }
      let ends = [(table.source, table.sourceEntity), (table.destination, table.destinationEntity)]
      let isGone = ends.filter { inspector.isSound($0.1.table) }.map { column, entity in
        """
        NOT EXISTS (SELECT 1 FROM \(entity.table.quotedName) AS e
          WHERE e.Z_PK = \(table.quotedName).\(SQLName.quoted(column)))
        """
      }
      try connection.execute("DELETE FROM \(table.quotedName) WHERE \(isGone.joined(separator: " OR "))")
      let count = connection.changes
      note(
        "join rows", "\(table.relationship)", count: count, objects: sample.objects,
        "remove \(Self.number(count, "link"))")
    }
    for columns in schema.ownerColumns {
      guard let condition = inspector.isOwnerless(columns) else { continue }
      try update(
        columns.key.table, check: "join rows", subject: "\(columns.relationship)", where: condition,
        set: columns.columns.map { "\($0.quotedName) = NULL" }
      ) { "remove \(Self.number($0, "link"))" }
    }
  }

  /// Sets optional references to objects that are gone to nil, with or without an inverse (REL-306).
  mutating func mendDanglingReferences() throws {
    for (entity, relationship) in inspector.declaredRelationships where relationship.isOptional {
      guard case .toOne(let key, let tag, let order) = entity.storage(of: relationship),
        let condition = inspector.isDangling(key, relationship)
      else { continue }
      try update(
        key.table, check: "references", subject: "\(relationship)", where: condition,
        set: [key, tag, order].compactMap(\.self).map { "\($0.quotedName) = NULL" }
      ) { "set \(Self.number($0, "reference")) to nil" }
    }
  }
}
