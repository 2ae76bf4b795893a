#if PostgreSQL
import GraphStore
import GraphStoreModel

/// The order values of the members of one owner: in the members' own rows, or in the table of pairs.
struct PostgreSQLOrderStorage: OrderStorage {
  private let session: PostgreSQLWriteSession
  private let ownerKey: Int64
  private let columns: SQLOrderColumns

  /// - Returns: nil where the relationship has no stored order.
  init?(_ session: PostgreSQLWriteSession, _ relationship: RelationshipDescription, owner ownerKey: Int64) {
    guard let columns = SQLOrderColumns(relationship, in: session.schema) else { return nil }
    self.columns = columns
    self.session = session
    self.ownerKey = ownerKey
  }

  var isPaired: Bool { columns.isPaired }

  func greatestOrder() throws -> Int64? {
    let cursor = try session.run(
      session.statements.greatestOrder(columns), [PostgreSQLParameter(ownerKey)])
    return try cursor.step() && !cursor.isNull(at: 0) ? cursor.int64(at: 0) : nil
  }

  func members(at places: Set<Int64>?) throws -> [(member: Int64, order: Int64)] {
    var parameters = [PostgreSQLParameter(ownerKey)]
    if let places { parameters.append(PostgreSQLParameter(keys: places.sorted())) }
    let cursor = try session.run(
      session.statements.orderedMembers(columns, isListed: places != nil), parameters)
    var members: [(member: Int64, order: Int64)] = []
    while try cursor.step() { members.append((cursor.int64(at: 0), cursor.int64(at: 1))) }
    return members
  }

  func write(_ orders: [(member: Int64, order: Int64)], keepingStored: Bool) throws {
    try session.run(
      session.store.tables.setOrders(columns, keepingStored: keepingStored),
      [
        PostgreSQLParameter(keys: orders.map(\.order)), PostgreSQLParameter(keys: orders.map(\.member)),
        PostgreSQLParameter(ownerKey),
      ])
  }
}
#endif
