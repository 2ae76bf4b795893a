import GraphStoreModel

extension StoreInspector {
  /// Members of ordered relationships without a place of their own.
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
