import GraphStoreModel

/// Reads links from the rows of a cursor; the entity of members that follow each other is looked up once.
struct SQLLinkReader {
  struct Columns {
    let owner: Int
    let key: Int
    /// Nil where all members are of one entity.
    let entity: Int?
    /// Nil for a relationship without an order.
    let order: Int?
  }

  private let relationship: RelationshipLayout
  private let statements: SQLStatements
  private let columns: Columns
  /// The entity number that was looked up last, and the position in the model of its entity.
  private var number: Int?
  private var entity: Int

  /// - Parameter soleEntity: The entity of all members, where no column names theirs.
  init(
    _ relationship: RelationshipLayout, _ statements: SQLStatements, columns: Columns, soleEntity: Int? = nil
  ) {
    self.relationship = relationship
    self.statements = statements
    self.columns = columns
    entity = soleEntity ?? relationship.destination
  }

  /// - Throws: `store-corrupt` for a member of an entity whose objects cannot be members, or with a key that
  ///   none can have.
  @inline(__always)
  mutating func link(_ cursor: some SQLCursor) throws -> LinkRow {
    let key = cursor.int64(at: columns.key)
    if let column = columns.entity {
      let current = Int(cursor.int64(at: column))
      if current != number { try noteEntity(numbered: current, key: key) }
    }
    guard StoredKey.keys.contains(key) else {
      throw StoredKey.error(key: key, of: statements.layout.entities[entity].entity.name)
    }
    return LinkRow(
      owner: cursor.int64(at: columns.owner), member: ObjectKey(entity: entity, key: key),
      order: columns.order.map { cursor.int64(at: $0) } ?? 0)
  }

  private mutating func noteEntity(numbered current: Int, key: Int64) throws {
    number = current
    entity = try memberEntity(numbered: current, key: key)
  }

  /// The position in the model of the entity that a member's row names.
  private func memberEntity(numbered number: Int, key: Int64) throws -> Int {
    let description = relationship.description
    if let entity = statements.schema.entity(numbered: number)?.entity,
      entity.isKind(of: description.inverse?.entity ?? description.destination)
    {
      return entity.index
    }
    throw StoredKey.error(
      entityNumber: Int64(number), of: description.destination.rootEntity.name, key: key)
  }
}
