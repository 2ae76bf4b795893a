import GraphStoreModel

extension StoreInspector {
  func oneToOne(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for (entity, relationship) in declaredRelationships {
      guard let inverse = relationship.inverse, isFirst(relationship, inverse),
        case .toOne(let key, _, _) = entity.storage(of: relationship),
        case .toOne(let back, _, _) = schema.entity(inverse.entity).storage(of: inverse),
        isSound(key.table), isSound(back.table)
      else { continue }
      var sample = try disagreeing(key, back)
      if inverse !== relationship { sample.add(try disagreeing(back, key)) }
      guard sample.count > 0 else { continue }
      let subject = inverse === relationship ? "\(relationship)" : "\(relationship) / \(inverse)"
      findings.append(
        StoreCheckFinding(
          name: name, subject: subject, count: sample.count, objects: sample.objects,
          message: sample.count == 1 ? "1 pair disagrees" : "\(sample.count) pairs disagree"))
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

  private func disagreeing(_ key: SQLColumn, _ back: SQLColumn) throws -> Sample {
    try sample(
      key.table, joins: "JOIN \(back.table.quotedName) AS d ON d.Z_PK = s.\(key.quotedName)",
      where: all("d.\(back.quotedName) IS NOT s.Z_PK", belongs("s", to: key.entity)))
  }

  /// Pairs of a relationship that is its own inverse, of which one direction is missing; reading adds it (STO-254).
  private func oneSidedPairs(_ name: String) throws -> [StoreCheckFinding] {
    try schema.joinTables.filter { $0.form == .reflexive && isSound($0) }.compactMap { table in
      let columns = (SQLName.quoted(table.source), SQLName.quoted(table.destination))
      let owners = table.sourceEntity.table
      let sample = try sample(
        owners, joins: "JOIN \(table.quotedName) AS j ON j.\(columns.0) = s.Z_PK",
        where: """
          NOT EXISTS (SELECT 1 FROM \(table.quotedName) AS k
            WHERE k.\(columns.0) = j.\(columns.1) AND k.\(columns.1) = j.\(columns.0))
          """)
      return sample.finding(
        of: name, at: "\(table.relationship)", severity: .warning, noun: "pair",
        what: "recorded in one direction only")
    }
  }

  func references(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for (entity, relationship) in declaredRelationships {
      guard case .toOne(let key, _, _) = entity.storage(of: relationship), isSound(key.table) else {
        continue
      }
      let destination = schema.entity(relationship.destination)
      guard isSound(destination.table) else { continue }
      let sample = try sample(
        key.table,
        where: """
          s.\(key.quotedName) IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM \(destination.table.quotedName) AS d WHERE d.Z_PK = s.\(key.quotedName))
          """, other: "s.\(key.quotedName)")
      guard sample.count > 0 else { continue }
      let targets = Set(sample.others).sorted().prefix(3).map { "\(relationship.destination.name)/p\($0)" }
      let rows = sample.count == 1 ? "1 row refers" : "\(sample.count) rows refer"
      findings.append(
        StoreCheckFinding(
          name: name, subject: "\(relationship)", count: sample.count, objects: sample.objects,
          message: "\(rows) to a missing \(targets.joined(separator: ", "))"))
    }
    return findings
  }

  func joinRows(_ name: String) throws -> [StoreCheckFinding] {
    try schema.joinTables.filter(isSound).compactMap { table in
      let ends = [
        (table.source, table.sourceEntity, table.destination, table.destinationEntity),
        (table.destination, table.destinationEntity, table.source, table.sourceEntity),
      ]
      var sample = Sample()
      for (column, entity, otherColumn, otherEntity) in ends where isSound(entity.table) {
        // Named is the end that is there, so that the row can be found.
        let (end, other) = (SQLName.quoted(column), SQLName.quoted(otherColumn))
        sample.add(
          try self.sample(
            """
            SELECT j.\(other), o.Z_ENT, j.\(end), count(*) OVER () FROM \(table.quotedName) AS j
            LEFT JOIN \(otherEntity.table.quotedName) AS o ON o.Z_PK = j.\(other)
            WHERE NOT EXISTS (SELECT 1 FROM \(entity.table.quotedName) AS e WHERE e.Z_PK = j.\(end))
            ORDER BY 1 LIMIT \(StoreCheckFinding.objectLimit)
            """, root: otherEntity))
      }
      return sample.finding(
        of: name, at: "\(table.relationship)", noun: "link", what: "to a missing object")
    }
  }

  func orderKeys(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    func add(_ subject: RelationshipDescription, sample: Sample, what: String) {
      if let finding = sample.finding(of: name, at: "\(subject)", noun: "member", what: what) {
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
  private func isBeyond(_ order: String) -> String {
    "\(order) NOT BETWEEN \(StoredKey.orders.lowerBound) AND \(StoredKey.orders.upperBound)"
  }
}
