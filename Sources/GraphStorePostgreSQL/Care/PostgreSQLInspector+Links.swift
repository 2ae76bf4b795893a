#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLInspector {
  /// References to objects that are gone. One without an inverse is what a deletion leaves behind by itself,
  /// and only worth knowing (REL-300, DGN-108).
  func references(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for (entity, relationship) in declaredRelationships {
      guard case .toOne(let column, _, _) = entity.storage(of: relationship),
        let condition = isDangling(column, relationship)
      else { continue }
      let sample = try sample(column.table, where: condition, other: "s.\(self.name(column.name))")
      if let finding = sample.danglingReferences(by: relationship, of: name) { findings.append(finding) }
    }
    return findings
  }

  /// A test that a row `s` refers to an object that is gone; nil where one of the tables is not whole.
  func isDangling(_ column: SQLColumn, _ relationship: RelationshipDescription) -> String? {
    let destination = schema.entity(relationship.destination).table
    guard isSound(column.table), isSound(destination) else { return nil }
    return isAbsent(destination, "s.\(name(column.name))")
  }

  /// A test that an expression has a key that no row of a table has.
  func isAbsent(_ rows: SQLTable, _ key: String) -> String {
    "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(table(rows.name)) AS d WHERE d.\(self.key) = \(key))"
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

  private func ownerless(_ columns: SQLOwnerColumns) throws -> CheckSample {
    guard let condition = isOwnerless(columns) else { return CheckSample() }
    return try sample(columns.key.table, where: condition)
  }

  /// A test that a row `s` is a member of an object that is gone; nil where one of the tables is not whole.
  func isOwnerless(_ columns: SQLOwnerColumns) -> String? {
    guard isSound(columns.key.table), isSound(columns.owner.table) else { return nil }
    return isAbsent(columns.owner.table, "s.\(name(columns.key.name))")
  }

  /// Links of which one end is gone. The other one is named, so that the row can be found.
  func danglingLinks(of pairs: SQLJoinTable) throws -> CheckSample {
    let ends = [
      (pairs.source, pairs.sourceEntity, pairs.destination, pairs.destinationEntity),
      (pairs.destination, pairs.destinationEntity, pairs.source, pairs.sourceEntity),
    ]
    var sample = CheckSample()
    for (column, end, otherColumn, otherEnd) in ends where isSound(end.table) && isSound(otherEnd.table) {
      let other = "j.\(name(otherColumn))"
      sample.add(
        try self.sample(
          "SELECT \(other), o.\(entity), j.\(name(column)), count(*) OVER () FROM \(table(pairs.name)) AS j "
            + "LEFT JOIN \(table(otherEnd.table.name)) AS o ON o.\(key) = \(other) "
            + "WHERE \(isAbsent(end.table, "j.\(name(column))")) ORDER BY 1 "
            + "LIMIT \(StoreCheckFinding.objectLimit)", root: otherEnd))
    }
    return sample
  }

  // MARK: One-to-one relationships

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
    var subject: String { isOwnInverse ? "\(relationship)" : "\(relationship) / \(inverse)" }
  }

  /// The one-to-one relationships whose tables are whole, each once.
  func oneToOnePairs() -> [Pair] {
    var seen: Set<ObjectIdentifier> = []
    return declaredRelationships.compactMap { entity, relationship in
      guard let inverse = relationship.inverse, !seen.contains(ObjectIdentifier(inverse)),
        case .toOne(let key, let tag, _) = entity.storage(of: relationship),
        case .toOne(let back, let backTag, _) = schema.entity(inverse.entity).storage(of: inverse),
        isSound(key.table), isSound(back.table)
      else { return nil }
      seen.insert(ObjectIdentifier(relationship))
      return Pair(
        relationship: relationship, inverse: inverse, key: PairEnd(column: key, tag: tag),
        back: PairEnd(column: back, tag: backTag))
    }
  }

  func oneToOne(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for pair in oneToOnePairs() {
      var sample = try disagreeing(pair.key.column, pair.back.column)
      if !pair.isOwnInverse { sample.add(try disagreeing(pair.back.column, pair.key.column)) }
      guard sample.count > 0 else { continue }
      findings.append(
        StoreCheckFinding(
          .disagreeingPair, name: name, subject: pair.subject, count: sample.count, objects: sample.objects,
          message: sample.count == 1 ? "1 pair disagrees" : "\(sample.count) pairs disagree"))
    }
    return try findings
      + schema.joinTables.filter { $0.form == .reflexive && isSound($0) }.compactMap { pairs in
        try oneSidedPairs(of: pairs).finding(
          .oneSidedPair, of: name, at: "\(pairs.relationship)", severity: .warning, noun: "pair",
          what: "recorded in one direction only")
      }
  }

  private func disagreeing(_ column: SQLColumn, _ back: SQLColumn) throws -> CheckSample {
    try sample(
      column.table, joins: "JOIN \(table(back.table.name)) AS d ON d.\(key) = s.\(name(column.name))",
      where: all("d.\(name(back.name)) IS DISTINCT FROM s.\(key)", belongs("s", to: column.entity)))
  }

  func oneSidedPairs(of pairs: SQLJoinTable) throws -> CheckSample {
    try sample(
      pairs.sourceEntity.table,
      joins: "JOIN \(table(pairs.name)) AS j ON j.\(name(pairs.source)) = s.\(key)", where: isOneSided(pairs))
  }

  /// A test that a row `j` of a table of pairs has none in the other direction.
  func isOneSided(_ pairs: SQLJoinTable) -> String {
    let (source, destination) = (name(pairs.source), name(pairs.destination))
    return "NOT EXISTS (SELECT 1 FROM \(table(pairs.name)) AS k "
      + "WHERE k.\(source) = j.\(destination) AND k.\(destination) = j.\(source))"
  }

  // MARK: Places

  /// The columns that hold the order of one relationship's members.
  struct OrderColumns {
    let relationship: RelationshipDescription
    let table: String
    let owner: String
    let member: String
    let place: String
    /// The table of the members, for their names.
    let members: SQLTable
    let isPaired: Bool
  }

  /// The ordered relationships whose tables are whole.
  func orders() -> [OrderColumns] {
    declaredRelationships.compactMap { entity, relationship in
      guard relationship.isToMany, relationship.isOrdered else { return nil }
      switch entity.storage(of: relationship) {
      case .toManyInverse(let owner, let order?) where isSound(owner.table):
        return OrderColumns(
          relationship: relationship, table: table(owner.table.name), owner: name(owner.name), member: key,
          place: name(order.name), members: owner.table, isPaired: false)
      case .joinTable(let pairs, let source, let destination, let order?) where isSound(pairs):
        let members = schema.entity(relationship.destination).table
        guard isSound(members) else { return nil }
        return OrderColumns(
          relationship: relationship, table: table(pairs.name), owner: name(source),
          member: name(destination), place: name(order), members: members, isPaired: true)
      default: return nil
      }
    }
  }

  /// Members of ordered relationships without a place of their own.
  func orderKeys(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for order in orders() {
      let (place, owner) = ("j.\(order.place)", "j.\(order.owner)")
      let links =
        "JOIN (SELECT \(order.member) AS m, \(order.owner), \(order.place), "
        + "count(*) OVER (PARTITION BY \(order.owner), \(order.place)) AS n FROM \(order.table)) AS j "
        + "ON j.m = s.\(key)"
      for (condition, what) in [
        ("\(place) IS NULL", "without a place"), (isBeyond(place), "at a place that none can have"),
        ("\(place) IS NOT NULL AND j.n > 1", "at the place of another"),
      ] {
        let sample = try sample(
          order.members, joins: links, where: "\(owner) IS NOT NULL AND \(condition)")
        if let finding = sample.finding(
          .place, of: name, at: "\(order.relationship)", noun: "member", what: what)
        {
          findings.append(finding)
        }
      }
    }
    return findings
  }

  /// A test that an order value is none that other places fit behind.
  func isBeyond(_ order: String) -> String {
    "\(order) NOT BETWEEN \(StoredKey.orders.lowerBound) AND \(StoredKey.orders.upperBound)"
  }
}
#endif
