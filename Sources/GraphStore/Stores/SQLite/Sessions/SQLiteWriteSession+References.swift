import GraphStoreModel
import GraphStoreSQLite

extension SQLiteWriteSession: RecordWriting {
  /// One statement, which the index on the column answers.
  func referring(to keys: [Int64], by reference: RelationshipDescription) throws -> [LinkRow] {
    guard case .toOne(let column, _, _) = storage(of: reference) else { return [] }
    let owners = keys.sorted()
    guard let first = owners.first, let last = owners.last else { return [] }
    let isRange = last - first == Int64(owners.count - 1)
    let test = isRange ? "BETWEEN ?1 AND ?2" : "IN (SELECT value FROM json_each(?1))"
    let bindings: [SQLBinding] =
      isRange ? [.integer(first), .integer(last)] : [.text(SQLiteSession.list(owners))]
    let sql =
      "SELECT \(column.quotedName), Z_PK, Z_ENT FROM \(column.table.quotedName) WHERE \(column.quotedName) \(test)"
    var members: [LinkRow] = []
    try run(sql, bindings) { statement in
      while try statement.step() {
        let entity = schema.entity(numbered: Int(statement.int64(at: 2)))?.entity.index
        members.append(
          LinkRow(
            owner: statement.int64(at: 0),
            member: ObjectKey(entity: entity ?? reference.entity.index, key: statement.int64(at: 1)), order: 0
          ))
      }
    }
    return members
  }

  func clear(_ reference: RelationshipDescription, of keys: [Int64]) throws {
    guard case .toOne(let column, let entity, let order) = storage(of: reference) else { return }
    let assignments = [column, entity, order].compactMap(\.self).map { "\($0.quotedName) = NULL" }
      .joined(separator: ", ")
    try run(
      "UPDATE \(column.table.quotedName) SET Z_OPT = Z_OPT + 1, \(assignments) WHERE Z_PK IN (SELECT value FROM json_each(?1))",
      [.text(SQLiteSession.list(keys))]
    ) { _ = try $0.step() }
  }

  func storage(of relationship: RelationshipDescription) -> SQLPropertyStorage {
    schema.entity(relationship.entity).storage(of: relationship)
  }
}
