import GraphStoreModel
import GraphStoreSQLite

/// The order values of the members of one owner: in the members' own rows, or in the table of pairs.
struct SQLiteOrderStorage: OrderStorage {
  private let session: SQLiteWriteSession
  private let ownerKey: Int64
  private let table: String
  private let owner: String
  private let member: String
  private let order: String
  let isPaired: Bool

  /// - Returns: nil where the relationship has no stored order.
  init?(_ session: SQLiteWriteSession, _ relationship: RelationshipDescription, owner ownerKey: Int64) {
    switch session.schema.entity(relationship.entity).storage(of: relationship) {
    case .toManyInverse(let key, .some(let order)):
      table = key.table.quotedName
      owner = key.quotedName
      member = "Z_PK"
      self.order = order.quotedName
      isPaired = key.isOfOwner
    case .joinTable(let pairs, let source, let destination, .some(let order)):
      table = pairs.quotedName
      owner = SQLName.quoted(source)
      member = SQLName.quoted(destination)
      self.order = SQLName.quoted(order)
      isPaired = true
    default: return nil
    }
    self.session = session
    self.ownerKey = ownerKey
  }

  func greatestOrder() throws -> Int64? {
    var last: Int64?
    try session.run("SELECT max(\(order)) FROM \(table) WHERE \(owner) = ?1", [.integer(ownerKey)]) {
      if try $0.step(), !$0.isNull(at: 0) { last = $0.int64(at: 0) }
    }
    return last
  }

  func members(at places: Set<Int64>?) throws -> [(member: Int64, order: Int64)] {
    let test = places == nil ? "\(order) NOT NULL" : "\(order) IN (SELECT value FROM json_each(?2))"
    let sql = "SELECT \(member), \(order) FROM \(table) WHERE \(owner) = ?1 AND \(test) ORDER BY 2, 1"
    var bindings: [SQLBinding] = [.integer(ownerKey)]
    if let places { bindings.append(.text(SQLiteSession.list(places.sorted()))) }
    var members: [(member: Int64, order: Int64)] = []
    try session.run(sql, bindings) { statement in
      while try statement.step() { members.append((statement.int64(at: 0), statement.int64(at: 1))) }
    }
    return members
  }

  func write(_ orders: [(member: Int64, order: Int64)], keepingStored: Bool) throws {
    let condition = keepingStored ? " AND \(order) IS NULL" : ""
    let sql = "UPDATE \(table) SET \(order) = ?1 WHERE \(member) = ?2 AND \(owner) = ?3" + condition
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
