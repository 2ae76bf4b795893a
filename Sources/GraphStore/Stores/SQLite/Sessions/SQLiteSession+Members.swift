import GraphStoreModel
import GraphStoreSQLite

extension SQLiteSession {
  func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    guard let sql = statements.members(relationship, Self.test(owners)) else { return [] }
    let sole = statements.soleMemberEntity(relationship)
    let columns = LinkReader.Columns(
      owner: 0, key: 1, entity: sole == nil ? 2 : nil, order: relationship.isOrdered ? 3 : nil)
    var reader = LinkReader(relationship, self, columns: columns, soleEntity: sole)
    var links: [LinkRow] = []
    try run(sql, [Self.binding(owners)]) { statement in
      while try statement.step() { links.append(try reader.link(statement)) }
    }
    return links
  }

  func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    guard store.entities.holds(root.entity) else { return try members(relationship, owners: owners) }
    guard let sql = statements.memberRows(relationship, in: root, Self.test(owners)) else { return [] }
    let behind = 3 + schema.entities[root.index].columns(includingSubentities: true).count
    var reader = LinkReader(
      relationship, self, columns: LinkReader.Columns(owner: behind, key: 0, entity: 1, order: behind + 1))
    let decoder = decoder(root)
    var links: [LinkRow] = []
    let known = KeyTable<Bool>(empty: false)
    try run(sql, [Self.binding(owners)]) { statement in
      var batch = RowBatch()
      var hasMore = true
      while hasMore {
        hasMore = try decoder.fill(batch, from: statement) { statement in
          let link = try reader.link(statement)
          links.append(link)
          let count = known.count
          _ = unsafe known.add(link.member.key)
          return known.count > count
        }
        if batch.count > 0 { try receive(&batch) }
        batch.removeAll()
      }
    }
    return links.sorted()
  }

  private static func test(_ owners: [Int64]) -> SQLKeyTest { owners.count == 1 ? .one : .list }

  private static func binding(_ owners: [Int64]) -> SQLBinding {
    owners.count == 1 ? .integer(owners[0]) : .text(list(owners))
  }
}

/// Reads links from the rows of a statement; the entity of members that follow each other is looked up once.
private struct LinkReader {
  struct Columns {
    let owner: Int
    let key: Int
    /// Nil where all members are of one entity.
    let entity: Int?
    /// Nil for a relationship without an order.
    let order: Int?
  }

  private let relationship: RelationshipLayout
  private let session: SQLiteSession
  private let columns: Columns
  /// The entity number that was looked up last, and the position in the model of its entity.
  private var number: Int?
  private var entity: Int

  /// - Parameter soleEntity: The entity of all members, where no column names theirs.
  init(
    _ relationship: RelationshipLayout, _ session: SQLiteSession, columns: Columns, soleEntity: Int? = nil
  ) {
    self.relationship = relationship
    self.session = session
    self.columns = columns
    entity = soleEntity ?? relationship.destination
  }

  /// - Throws: `store-corrupt` for a member of an entity whose objects cannot be members, or with a key that
  ///   none can have.
  mutating func link(_ statement: SQLiteStatement) throws -> LinkRow {
    let key = statement.int64(at: columns.key)
    if let column = columns.entity { try readEntity(statement, column, key: key) }
    guard StoredKey.keys.contains(key) else {
      throw StoredKey.error(key: key, of: session.layout.entities[entity].entity.name)
    }
    return LinkRow(
      owner: statement.int64(at: columns.owner), member: ObjectKey(entity: entity, key: key),
      order: columns.order.map { statement.int64(at: $0) } ?? 0)
  }

  private mutating func readEntity(_ statement: SQLiteStatement, _ column: Int, key: Int64) throws {
    let current = Int(statement.int64(at: column))
    if current == number { return }
    number = current
    entity = try memberEntity(numbered: current, key: key)
  }

  /// The position in the model of the entity that a member's row names.
  private func memberEntity(numbered number: Int, key: Int64) throws -> Int {
    let description = relationship.description
    if let entity = session.schema.entity(numbered: number)?.entity,
      entity.isKind(of: description.inverse?.entity ?? description.destination)
    {
      return entity.index
    }
    throw StoredKey.error(
      entityNumber: Int64(number), of: description.destination.rootEntity.name, key: key)
  }
}
