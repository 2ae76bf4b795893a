import GraphStoreModel

extension StoreInspector {
  /// One direction of a one-to-one relationship: the column of the key, and that of the number of its entity.
  struct PairEnd {
    let column: SQLColumn
    let tag: SQLColumn?
  }

  /// A one-to-one relationship: its two directions, or the same one twice where it is its own inverse.
  struct Pair {
    let relationship: RelationshipDescription
    let inverse: RelationshipDescription
    let key: PairEnd
    let back: PairEnd

    var isOwnInverse: Bool { inverse === relationship }

    /// The names of the relationships.
    var subject: String { isOwnInverse ? "\(relationship)" : "\(relationship) / \(inverse)" }
  }

  /// The one-to-one relationships whose tables are whole, each once.
  func oneToOnePairs() -> [Pair] {
    declaredRelationships.compactMap { entity, relationship in
      guard let inverse = relationship.inverse, isFirst(relationship, inverse),
        case .toOne(let key, let tag, _) = entity.storage(of: relationship),
        case .toOne(let back, let backTag, _) = schema.entity(inverse.entity).storage(of: inverse),
        isSound(key.table), isSound(back.table)
      else { return nil }
      return Pair(
        relationship: relationship, inverse: inverse, key: PairEnd(column: key, tag: tag),
        back: PairEnd(column: back, tag: backTag))
    }
  }

  func oneToOne(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for pair in oneToOnePairs() {
      func add(_ severity: StoreCheckFinding.Severity, where isWrong: String) throws {
        var sample = try disagreeing(pair.key.column, pair.back.column, where: isWrong)
        if !pair.isOwnInverse {
          sample.add(try disagreeing(pair.back.column, pair.key.column, where: isWrong))
        }
        guard sample.count > 0 else { return }
        findings.append(
          StoreCheckFinding(
            .disagreeingPair, name: name, subject: pair.subject, severity: severity, count: sample.count,
            objects: sample.objects,
            message: sample.count == 1 ? "1 pair disagrees" : "\(sample.count) pairs disagree"))
      }
      if metadata.isOurs {
        try add(.failure, where: "IS NOT s.Z_PK")
      } else {
        try add(.failure, where: "<> s.Z_PK")
        // Programs leave one end empty, and know why.
        try add(.warning, where: "IS NULL")
      }
    }
    return findings + (try oneSidedPairs(name))
  }

  private func isFirst(_ relationship: RelationshipDescription, _ inverse: RelationshipDescription) -> Bool {
    if relationship === inverse { return true }
    let numbers = (
      schema.entity(relationship.entity).namingNumber, schema.entity(inverse.entity).namingNumber
    )
    return numbers.0 == numbers.1
      ? SQLName.precedes(relationship.name, inverse.name) : numbers.0 < numbers.1
  }

  private func disagreeing(_ key: SQLColumn, _ back: SQLColumn, where isWrong: String) throws -> Sample {
    try sample(
      key.table, joins: "JOIN \(back.table.quotedName) AS d ON d.Z_PK = s.\(key.quotedName)",
      where: all("d.\(back.quotedName) \(isWrong)", belongs("s", to: key.entity)))
  }

  /// Pairs of a relationship that is its own inverse, of which one direction is missing; reading adds it
  /// (STO-254).
  private func oneSidedPairs(_ name: String) throws -> [StoreCheckFinding] {
    try schema.joinTables.filter { $0.form == .reflexive && isSound($0) }.compactMap { table in
      try oneSidedPairs(of: table).finding(
        .oneSidedPair, of: name, at: "\(table.relationship)", severity: .warning, noun: "pair",
        what: "recorded in one direction only")
    }
  }

  func oneSidedPairs(of table: SQLJoinTable) throws -> Sample {
    try sample(
      table.sourceEntity.table,
      joins: "JOIN \(table.quotedName) AS j ON j.\(SQLName.quoted(table.source)) = s.Z_PK",
      where: isOneSided(table))
  }

  /// A test that a row `j` of a table of pairs has none in the other direction.
  func isOneSided(_ table: SQLJoinTable) -> String {
    let (source, destination) = (SQLName.quoted(table.source), SQLName.quoted(table.destination))
    return """
      NOT EXISTS (SELECT 1 FROM \(table.quotedName) AS k
        WHERE k.\(source) = j.\(destination) AND k.\(destination) = j.\(source))
      """
  }

  /// References to objects that are gone. One without an inverse is what a deletion leaves behind by itself,
  /// and only worth knowing (REL-300, DGN-108).
  func references(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for (entity, relationship) in declaredRelationships {
      guard case .toOne(let key, _, _) = entity.storage(of: relationship),
        let condition = isDangling(key, relationship)
      else { continue }
      let sample = try sample(key.table, where: condition, other: "s.\(key.quotedName)")
      guard sample.count > 0 else { continue }
      let targets = Set(sample.others).sorted().prefix(3).map { "\(relationship.destination.name)/p\($0)" }
      let rows = sample.count == 1 ? "1 row refers" : "\(sample.count) rows refer"
      findings.append(
        StoreCheckFinding(
          .danglingReference, name: name, subject: "\(relationship)",
          severity: relationship.inverse == nil ? .warning : .failure, count: sample.count,
          objects: sample.objects,
          message: "\(rows) to a missing \(targets.joined(separator: ", "))"))
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

  func orderKeys(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    func add(_ subject: RelationshipDescription, sample: Sample, what: String) {
      if let finding = sample.finding(.place, of: name, at: "\(subject)", noun: "member", what: what) {
        findings.append(finding)
      }
    }
    for (entity, relationship) in declaredRelationships where relationship.isToMany && relationship.isOrdered
    {
      switch entity.storage(of: relationship) {
      case .toManyInverse(let key, let order?) where isSound(key.table):
        let (owner, place) = (key.quotedName, order.quotedName)
        add(
          relationship, sample: try sample(key.table, where: "s.\(owner) IS NOT NULL AND s.\(place) IS NULL"),
          what: "without a place")
        add(
          relationship, sample: try sample(key.table, where: isBeyond("s.\(place)")),
          what: "at a place that none can have")
        add(
          relationship,
          sample: try sample(
            """
            SELECT Z_PK, Z_ENT, 0, count(*) OVER () FROM
              (SELECT Z_PK, Z_ENT, count(*) OVER (PARTITION BY \(owner), \(place)) AS n
               FROM \(key.table.quotedName) WHERE \(owner) IS NOT NULL AND \(place) IS NOT NULL)
            WHERE n > 1 ORDER BY 1 LIMIT \(StoreCheckFinding.objectLimit)
            """, root: key.table.root), what: "at the place of another")
      case .joinTable(let table, let source, let destination, let order?) where isSound(table):
        let members = schema.entity(relationship.destination)
        guard isSound(members.table) else { continue }
        let columns = (SQLName.quoted(source), SQLName.quoted(destination), SQLName.quoted(order))
        add(
          relationship,
          sample: try sample(
            members.table, joins: "JOIN \(table.quotedName) AS j ON j.\(columns.1) = s.Z_PK",
            where: "j.\(columns.2) IS NULL"), what: "without a place")
        add(
          relationship,
          sample: try sample(
            members.table, joins: "JOIN \(table.quotedName) AS j ON j.\(columns.1) = s.Z_PK",
            where: isBeyond("j.\(columns.2)")), what: "at a place that none can have")
        add(
          relationship,
          sample: try sample(
            members.table,
            joins: """
              JOIN (SELECT \(columns.1) AS m, \(columns.2) AS p,
                count(*) OVER (PARTITION BY \(columns.0), \(columns.2)) AS n FROM \(table.quotedName)) AS j
              ON j.m = s.Z_PK
              """, where: "j.p IS NOT NULL AND j.n > 1"), what: "at the place of another")
      default: continue
      }
    }
    return findings
  }

  /// A test that an order value is none that other places fit behind.
  func isBeyond(_ order: String) -> String {
    "\(order) NOT BETWEEN \(StoredKey.orders.lowerBound) AND \(StoredKey.orders.upperBound)"
  }
}
