import GraphStoreModel
import GraphStoreSQLite

/// The order values of the members of one owner: in the members' own rows, or in the table of pairs.
struct SQLiteOrderStorage: OrderStorage {
  private let session: SQLiteWriteSession
  private let ownerKey: Int64
  private let columns: SQLOrderColumns

  /// - Returns: nil where the relationship has no stored order.
  init?(_ session: SQLiteWriteSession, _ relationship: RelationshipDescription, owner ownerKey: Int64) {
    guard let columns = SQLOrderColumns(relationship, in: session.schema) else { return nil }
    self.columns = columns
    self.session = session
    self.ownerKey = ownerKey
  }

  var isPaired: Bool { columns.isPaired }

  func greatestOrder() throws -> Int64? {
    var last: Int64?
    try session.run(session.statements.greatestOrder(columns), [.integer(ownerKey)]) {
      if try $0.step(), !$0.isNull(at: 0) { last = $0.int64(at: 0) }
    }
    return last
  }

  func members(at places: Set<Int64>?) throws -> [(member: Int64, order: Int64)] {
    let sql = session.statements.orderedMembers(columns, isListed: places != nil)
    var bindings: [SQLBinding] = [.integer(ownerKey)]
    if let places { bindings.append(.text(SQLiteSession.list(places.sorted()))) }
    var members: [(member: Int64, order: Int64)] = []
    try session.run(sql, bindings) { statement in
      while try statement.step() { members.append((statement.int64(at: 0), statement.int64(at: 1))) }
    }
    return members
  }

  func write(_ orders: [(member: Int64, order: Int64)], keepingStored: Bool) throws {
    let sql = session.statements.setOrder(columns, keepingStored: keepingStored)
    try session.connection.withStatement(sql) { statement in
      for (member, order) in orders {
        try statement.bind(order, at: 1)
        try statement.bind(member, at: 2)
        try statement.bind(ownerKey, at: 3)
        try statement.run()
      }
    }
  }
}
