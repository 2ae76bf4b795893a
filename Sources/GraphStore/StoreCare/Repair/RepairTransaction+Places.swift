import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// The columns that hold the order of one relationship's members.
  private struct OrderColumns {
    let relationship: RelationshipDescription
    let table: String
    let owner: String
    let member: String
    let place: String
    /// The table of the members, for their names.
    let members: SQLTable
  }

  /// Assigns members of ordered relationships places of their own, in the order in which reading shows them:
  /// by place, those without one first, and by key among equals. Places that ascend stay as they are where
  /// there is room between them.
  mutating func mendPlaces() throws {
    for (entity, relationship) in inspector.declaredRelationships
    where relationship.isToMany && relationship.isOrdered {
      guard let columns = columns(entity, relationship) else { continue }
      try clearPlacesWithoutOwner(columns)
      var changed: [Int64] = []
      for owner in try owners(columns) { changed += try mendPlaces(columns, owner: owner) }
      note(
        "order keys", "\(relationship)", count: changed.count,
        objects: try inspector.names(of: changed.sorted(), in: columns.members),
        "give \(Self.number(changed.count, "member")) a place in the order that reading shows")
    }
  }

  private func columns(_ entity: SQLEntity, _ relationship: RelationshipDescription) -> OrderColumns? {
    switch entity.storage(of: relationship) {
    case .toManyInverse(let key, let order?) where inspector.isSound(key.table):
      return OrderColumns(
        relationship: relationship, table: key.table.quotedName, owner: key.quotedName, member: "Z_PK",
        place: order.quotedName, members: key.table)
    case .joinTable(let table, let source, let destination, let order?) where inspector.isSound(table):
      let members = schema.entity(relationship.destination).table
      guard inspector.isSound(members) else { return nil }
      return OrderColumns(
        relationship: relationship, table: table.quotedName, owner: SQLName.quoted(source),
        member: SQLName.quoted(destination), place: SQLName.quoted(order), members: members)
    default: return nil
    }
  }

  /// The place of a row that is no member of anything means nothing.
  private mutating func clearPlacesWithoutOwner(_ columns: OrderColumns) throws {
    let place = columns.place
    try connection.execute(
      """
      UPDATE \(columns.table) SET \(place) = NULL
      WHERE \(columns.owner) IS NULL AND (\(inspector.isBeyond(place)) OR typeof(\(place)) NOT IN ('integer', 'null'))
      """)
    let count = connection.changes
    note(
      "order keys", "\(columns.relationship)", count: count,
      "clear \(Self.number(count, "place")) of rows that are no members")
  }

  /// The owners that have members without a place of their own.
  private func owners(_ columns: OrderColumns) throws -> [Int64] {
    let (owner, place) = (columns.owner, columns.place)
    let statement = try connection.prepare(
      """
      SELECT \(owner) FROM \(columns.table) WHERE typeof(\(owner)) = 'integer' AND
        (\(place) IS NULL OR typeof(\(place)) <> 'integer' OR \(inspector.isBeyond(place)))
      UNION SELECT \(owner) FROM \(columns.table) WHERE typeof(\(owner)) = 'integer'
        GROUP BY \(owner), \(place) HAVING count(*) > 1
      ORDER BY 1
      """)
    var owners: [Int64] = []
    while try statement.step() { owners.append(statement.int64(at: 0)) }
    return owners
  }

  /// - Returns: The members whose places are changed.
  private func mendPlaces(_ columns: OrderColumns, owner: Int64) throws -> [Int64] {
    let (members, places) = try members(columns, owner: owner)
    let mended = zip(members, zip(places, OrderKeys.assign(places))).filter { $1.0 != $1.1 }
    try connection.withStatement(
      "UPDATE \(columns.table) SET \(columns.place) = ?1 WHERE \(columns.owner) = ?2 AND \(columns.member) = ?3"
    ) { statement in
      for (member, (_, place)) in mended {
        try statement.bind(place, at: 1)
        try statement.bind(owner, at: 2)
        try statement.bind(member, at: 3)
        try statement.run()
      }
    }
    return mended.map(\.0)
  }

  /// The members of an owner in the order of reading, and their places: nil for those that cannot stay.
  private func members(_ columns: OrderColumns, owner: Int64) throws -> (keys: [Int64], places: [Int64?]) {
    try connection.withStatement(
      """
      SELECT \(columns.member), \(columns.place) FROM \(columns.table) WHERE \(columns.owner) = ?1
      ORDER BY \(columns.place), \(columns.member)
      """
    ) { statement in
      try statement.bind(owner, at: 1)
      var (keys, places): ([Int64], [Int64?]) = ([], [])
      var last = StoredKey.orders.lowerBound - 1
      while try statement.step() {
        keys.append(statement.int64(at: 0))
        let place = statement.int64(at: 1)
        let stays =
          statement.type(at: 1) == .integer && place > last && StoredKey.orders.contains(place)
        places.append(stays ? place : nil)
        if stays { last = place }
      }
      return (keys, places)
    }
  }
}
