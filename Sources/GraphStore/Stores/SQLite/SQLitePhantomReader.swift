import GraphStoreModel
import GraphStoreSQLite

/// Finds the members that another writer has added to records that a save deletes, or the records that refer to a changed
/// one through a one-to-one relationship without being its partner, and clears their references.
///
/// It runs inside the writing transaction, after the save's own rows were written, with one statement a relationship;
/// where the inverse is a column, the index on it answers.
struct SQLitePhantomReader {
  private let session: SQLiteWriteSession
  private let check: SaveRequest.PhantomCheck

  init(_ session: SQLiteWriteSession, _ check: SaveRequest.PhantomCheck) {
    self.session = session
    self.check = check
  }

  func run(_ phantoms: (SaveRequest.PhantomCheck, [LinkRow]) throws -> Void) throws {
    guard let inverse = check.relationship.description.inverse else { return }
    switch session.schema.entity(inverse.entity).storage(of: inverse) {
    case .toOne(let key, let entity, let order):
      var members = try referring(by: key)
      if check.cause == .changeOfPartner {
        try expectPartners(among: members)
        members.removeAll { check.partners[$0.owner] == $0.member.key }
      }
      if members.isEmpty { return }
      try phantoms(check, members)
      try clear([key, entity, order].compactMap(\.self), of: members, in: key.table)
    case .joinTable:
      let members = try session.members(check.relationship, owners: check.owners).filter {
        check.removed[$0.owner]?.contains($0.member.key) != true
      }
      if !members.isEmpty { try phantoms(check, members) }
    case .none, .attribute, .toManyInverse: return
    }
  }

  /// The records whose column names a deleted one.
  private func referring(by key: SQLColumn) throws -> [LinkRow] {
    let owners = check.owners.sorted()
    guard let first = owners.first, let last = owners.last else { return [] }
    let isRange = last - first == Int64(owners.count - 1)
    let test = isRange ? "BETWEEN ?1 AND ?2" : "IN (SELECT value FROM json_each(?1))"
    let bindings: [SQLBinding] =
      isRange ? [.integer(first), .integer(last)] : [.text(SQLiteSession.list(owners))]
    let sql =
      "SELECT \(key.quotedName), Z_PK, Z_ENT FROM \(key.table.quotedName) WHERE \(key.quotedName) \(test)"
    let otherwise = check.relationship.destination
    var members: [LinkRow] = []
    try session.run(sql, bindings) { statement in
      while try statement.step() {
        let entity = session.schema.entity(numbered: Int(statement.int64(at: 2)))?.entity.index
        members.append(
          LinkRow(
            owner: statement.int64(at: 0),
            member: ObjectKey(entity: entity ?? otherwise, key: statement.int64(at: 1)), order: 0))
      }
    }
    return members
  }

  /// Sees to it that whom a changed row names refers to it: another writer may have given it another partner.
  private func expectPartners(among members: [LinkRow]) throws {
    var missing = check.partners.filter { $0.value != 0 }
    for member in members where missing[member.owner] == member.member.key { missing[member.owner] = nil }
    guard let (owner, partner) = missing.min(by: { $0.key < $1.key }) else { return }
    let relationship = check.relationship
    let id = ManagedObjectID(scope: session.scope, entityIndex: relationship.destination, key: partner)
    let ownerID = ManagedObjectID(
      scope: session.scope, entityIndex: relationship.description.entityIndex, key: owner)
    session.rowCache.forget(
      session.layout.entities[relationship.destination].rootIndex, [partner], inTransaction: session.isShared)
    throw PhantomLink.separation(of: id, from: ownerID)
  }

  private func clear(_ columns: [SQLColumn], of members: [LinkRow], in table: SQLTable) throws {
    let assignments = columns.map { "\($0.quotedName) = NULL" }.joined(separator: ", ")
    let keys = members.map(\.member.key)
    try session.run(
      "UPDATE \(table.quotedName) SET Z_OPT = Z_OPT + 1, \(assignments) WHERE Z_PK IN (SELECT value FROM json_each(?1))",
      [.text(SQLiteSession.list(keys))]
    ) { _ = try $0.step() }
    let root = session.layout.entities[check.relationship.destination].rootIndex
    session.rowCache.forget(root, keys, inTransaction: session.isShared)
  }
}
