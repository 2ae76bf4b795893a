import GraphStoreModel
import GraphStoreSQLite

/// Writes the order values of the members of one owner of an ordered to-many relationship.
struct SQLiteOrderWriter {
  private let session: SQLiteWriteSession
  private let change: SaveRequest.OrderChange
  private let columns: Columns

  /// Where order values stand: in the members' own rows, or in the table of pairs.
  private struct Columns {
    let table: String
    let owner: String
    let member: String
    let order: String
    let isJoinTable: Bool
  }

  /// - Returns: nil where the relationship has no stored order.
  init?(_ session: SQLiteWriteSession, _ change: SaveRequest.OrderChange) {
    let relationship = change.relationship.description
    switch session.schema.entity(relationship.entity).storage(of: relationship) {
    case .toManyInverse(let key, .some(let order)):
      columns = Columns(
        table: key.table.quotedName, owner: key.quotedName, member: "Z_PK", order: order.quotedName,
        isJoinTable: false)
    case .joinTable(let table, let source, let destination, .some(let order)):
      columns = Columns(
        table: table.quotedName, owner: SQLName.quoted(source), member: SQLName.quoted(destination),
        order: SQLName.quoted(order), isJoinTable: true)
    default: return nil
    }
    self.session = session
    self.change = change
  }

  func run() throws {
    var orders = change.orders
    var unplaced: [(member: Int64, order: Int64)] = []
    if !change.appended.isEmpty {
      var last = try greatestOrder()
      for (member, hasLeft) in change.appended {
        let order = last.map { $0 + OrderKeys.step } ?? OrderKeys.first
        if hasLeft || !columns.isJoinTable {
          orders.append((member, order))
        } else {
          unplaced.append((member, order))
        }
        last = order
      }
    }
    if !change.orders.isEmpty, !change.isOwnerNew { try makeRoom() }
    try write(orders)
    // Of a link that may have been stored, the place that it has counts.
    try write(unplaced, where: " AND \(columns.order) IS NULL")
  }

  private func greatestOrder() throws -> Int64? {
    var last: Int64?
    try session.run(
      "SELECT max(\(columns.order)) FROM \(columns.table) WHERE \(columns.owner) = ?1",
      [.integer(change.owner)]
    ) { statement in
      if try statement.step(), !statement.isNull(at: 0) { last = statement.int64(at: 0) }
    }
    if let last, !StoredKey.orders.contains(last) {
      throw GraphStoreError(
        .storeCorrupt,
        "\(change.relationship.description) has a member at the place \(last), behind which none fits.",
        remedy: "Run graphstore check, and restore a backup.")
    }
    return last
  }

  /// Moves members that another writer has put at the places to be written: each to the next free one, so that the order
  /// values that the context knows stay true. Without such members, nearly always, no other row of the owner is read.
  private func makeRoom() throws {
    let written = Set(change.orders.map(\.order))
    let own = Set(change.orders.map(\.member))
    var displaced = try members(at: written).filter { !own.contains($0.member) }
    guard !displaced.isEmpty else { return }
    var taken = Set(try members(at: nil).filter { !own.contains($0.member) }.map(\.order)).union(written)
    for index in displaced.indices {
      while !taken.insert(displaced[index].order).inserted { displaced[index].order += 1 }
    }
    try write(displaced)
  }

  /// The members that have order values, in order: those at some places, or all.
  private func members(at places: Set<Int64>?) throws -> [(member: Int64, order: Int64)] {
    let column = columns.order
    let test = places == nil ? "\(column) NOT NULL" : "\(column) IN (SELECT value FROM json_each(?2))"
    let sql =
      "SELECT \(columns.member), \(column) FROM \(columns.table) WHERE \(columns.owner) = ?1 AND \(test) ORDER BY 2, 1"
    var bindings: [SQLBinding] = [.integer(change.owner)]
    if let places { bindings.append(.text(SQLiteSession.list(places.sorted()))) }
    var members: [(member: Int64, order: Int64)] = []
    try session.run(sql, bindings) { statement in
      while try statement.step() { members.append((statement.int64(at: 0), statement.int64(at: 1))) }
    }
    return members
  }

  private func write(_ orders: [(member: Int64, order: Int64)], where condition: String = "") throws {
    guard !orders.isEmpty else { return }
    let sql =
      "UPDATE \(columns.table) SET \(columns.order) = ?1 WHERE \(columns.member) = ?2 AND \(columns.owner) = ?3"
    try session.connection.withStatement(sql + condition) { statement in
      for (member, order) in orders {
        try statement.bind(order, at: 1)
        try statement.bind(member, at: 2)
        try statement.bind(change.owner, at: 3)
        try statement.run()
      }
    }
  }
}
