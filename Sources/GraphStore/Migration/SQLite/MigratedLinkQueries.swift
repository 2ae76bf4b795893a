import GraphStoreModel

/// Queries for the links of old relationships.
struct MigratedLinkQueries {
  let entities: MigratedEntities

  init(_ entities: MigratedEntities) { self.entities = entities }

  /// The members of the owner `s`, for all storage but its own row: their key `k`, their place `o`, and the
  /// owner's place among their owners, `p`.
  func members(of links: MigratedLinks, _ members: MigratedEntities.Members) -> String {
    "FROM (\(query(links, members, owners: nil))) AS m WHERE m.w = s.Z_PK"
  }

  /// All links: owner `w`, member `k`, the member's place `o`, the owner's place `p`.
  ///
  /// - Parameters:
  ///   - members: Which members count.
  ///   - owners: The old numbers of the owners that count; nil for all.
  func query(_ links: MigratedLinks, _ members: MigratedEntities.Members, owners: [Int]?) -> String {
    let ownerTable = MigrationText.old(entities.source.entity(links.owners).table)
    let memberTable = MigrationText.old(entities.source.entity(links.members).table)
    var conditions: [String] = []
    let select: String
    switch links.place {
    case .owner(let key, let tag, let order):
      select =
        "SELECT r.Z_PK AS w, r.\(key.quotedName) AS k, NULL AS o, \(order.map { "r.\($0.quotedName)" } ?? "NULL") AS p "
        + "FROM \(MigrationText.old(key.table)) AS r"
      conditions.append("r.\(key.quotedName) IS NOT NULL")
      if let owners { conditions.append("r.Z_ENT IN \(MigrationText.list(owners))") }
      if !members.isComplete {
        conditions.append(
          tag.map { "r.\($0.quotedName) IN \(MigrationText.list(members.numbers))" }
            ?? isAmong("r.\(key.quotedName)", memberTable, members.numbers))
      }
    case .members(let key, let order):
      select =
        "SELECT r.\(key.quotedName) AS w, r.Z_PK AS k, \(order.map { "r.\($0.quotedName)" } ?? "NULL") AS o, NULL AS p "
        + "FROM \(MigrationText.old(key.table)) AS r"
      conditions.append("r.\(key.quotedName) IS NOT NULL")
      if !members.isComplete { conditions.append("r.Z_ENT IN \(MigrationText.list(members.numbers))") }
      if let owners { conditions.append(isAmong("r.\(key.quotedName)", ownerTable, owners)) }
    case .pairs(let table, let owner, let member, let memberOrder, let ownerOrder):
      let columns = [owner, member].map(SQLName.quoted)
      let orders = [memberOrder, ownerOrder].map { $0.map { "j.\(SQLName.quoted($0))" } ?? "NULL" }
      // A relationship that is its own inverse may lack one direction (STO-254).
      let reverse =
        table.form == .reflexive
        ? " UNION SELECT \(columns[1]), \(columns[0]), NULL, NULL FROM \(MigrationText.old(table)) AS x "
          + "WHERE NOT EXISTS (SELECT 1 FROM \(MigrationText.old(table)) AS y WHERE y.\(columns[0]) = x.\(columns[1]) "
          + "AND y.\(columns[1]) = x.\(columns[0]))"
        : ""
      select =
        "SELECT r.w, r.k, r.o, r.p FROM (SELECT j.\(columns[0]) AS w, j.\(columns[1]) AS k, \(orders[0]) AS o, "
        + "\(orders[1]) AS p FROM \(MigrationText.old(table)) AS j\(reverse)) AS r"
      if !members.isComplete { conditions.append(isAmong("r.k", memberTable, members.numbers)) }
      if let owners { conditions.append(isAmong("r.w", ownerTable, owners)) }
    }
    return conditions.isEmpty ? select : "\(select) WHERE \(conditions.joined(separator: " AND "))"
  }

  private func isAmong(_ key: String, _ table: String, _ numbers: [Int]) -> String {
    "\(key) IN (SELECT Z_PK FROM \(table) WHERE Z_ENT IN \(MigrationText.list(numbers)))"
  }

  /// The old numbers of the owners of links whose objects have a new relationship; nil where all have it.
  func owners(of links: MigratedLinks, having relationship: RelationshipDescription) -> [Int]? {
    let family = links.owners.family.map(entities.source.entity).filter {
      $0.number > 0 && !$0.entity.isAbstract
    }
    let having = family.filter {
      entities.successors(of: $0).contains { $0.entity.isKind(of: relationship.entity) }
    }
    return having.count == family.count ? nil : having.map(\.number)
  }

  /// All links that a new relationship is filled from: owner `w`, member `k` and their places; nil where
  /// there are none.
  func query(of relationship: RelationshipDescription) -> String? {
    let queries = entities.links(of: relationship).map { links in
      query(
        links, entities.members(of: links.members, leadingTo: relationship.destination),
        owners: owners(of: links, having: relationship))
    }
    return queries.isEmpty ? nil : queries.joined(separator: " UNION ALL ")
  }
}
