import GraphStoreModel

/// A store whose records are in tables of a database.
package protocol SQLStore: PersistentStore {
  var schema: SQLSchema { get }
  var statements: SQLStatements { get }
}

/// Copies rows of a statement into blocks: key, entity number and version are its first columns.
package protocol SQLRowDecoder {
  associatedtype Cursor: SQLCursor

  /// Reads rows until a batch is full, those alone that are wanted; false at the end.
  func fill(_ batch: RowBatch, from cursor: Cursor, where isWanted: (Cursor) throws -> Bool) throws -> Bool
}

/// A session of a store with tables: what reading has in common, whichever database has them.
package protocol SQLSession: AnyObject {
  associatedtype Store: SQLStore
  associatedtype Decoder: SQLRowDecoder

  var store: Store { get }
  /// Runs a statement whose one parameter is a list of keys, or the one that there is.
  func read(
    _ sql: String, _ keys: [Int64], by test: SQLKeyTest, _ body: (Decoder.Cursor) throws -> Void) throws
  /// How a statement tests for keys.
  static func test(for keys: [Int64]) -> SQLKeyTest
  /// Reads the rows of some entities as a statement selects them.
  func decoder(_ entities: [SQLEntity], columns: [SQLColumn]) -> Decoder
}

extension SQLSession {
  package var schema: SQLSchema { store.schema }
  package var layout: ModelLayout { store.layout }
  package var scope: StoreIdentity { store.scope }
  package var path: String { store.path }
  package var statements: SQLStatements { store.statements }
  package var rowCache: RowCache { store.rowCache }

  // MARK: Rows

  /// Reads the rows of an entity tree as ``SQLStatements`` selects them.
  package func decoder(_ root: EntityLayout) -> Decoder {
    let entity = schema.entities[root.index]
    return decoder(entity, includesSubentities: true, columns: entity.columns(includingSubentities: true))
  }

  /// Reads the rows of an entity as a statement selects them.
  package func decoder(_ entity: SQLEntity, includesSubentities: Bool, columns: [SQLColumn]) -> Decoder {
    decoder(
      includesSubentities ? entity.entity.family.map { schema.entities[$0.index] } : [entity],
      columns: columns)
  }

  package func deliver(
    rowsOf cursor: Decoder.Cursor, by decoder: Decoder, to receive: (inout RowBatch) throws -> Void
  ) throws {
    var batch = RowBatch()
    while try decoder.fill(batch, from: cursor, where: { _ in true }) {
      try receive(&batch)
      batch.removeAll()
    }
    if batch.count > 0 { try receive(&batch) }
  }

  package func rows(
    _ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void
  ) throws {
    guard store.entities.holds(root.entity) else { return }
    let decoder = decoder(root)
    try read(statements.rowsByKeys(root), keys, by: .list) {
      try deliver(rowsOf: $0, by: decoder, to: receive)
    }
  }

  // MARK: Members

  package func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    let test = Self.test(for: owners)
    guard let sql = statements.members(relationship, test) else { return [] }
    let sole = statements.soleMemberEntity(relationship)
    let columns = SQLLinkReader.Columns(
      owner: 0, key: 1, entity: sole == nil ? 2 : nil, order: relationship.isOrdered ? 3 : nil)
    var reader = SQLLinkReader(relationship, statements, columns: columns, soleEntity: sole)
    var links: [LinkRow] = []
    try read(sql, owners, by: test) { cursor in
      while try cursor.step() { links.append(try reader.link(cursor)) }
    }
    return links
  }

  /// The members together with their rows, each of which is handed over once.
  package func membersWithRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    guard store.entities.holds(root.entity) else { return try members(relationship, owners: owners) }
    let test = Self.test(for: owners)
    guard let sql = statements.memberRows(relationship, in: root, test) else { return [] }
    let behind = 3 + schema.entities[root.index].columns(includingSubentities: true).count
    var reader = SQLLinkReader(
      relationship, statements,
      columns: .init(
        owner: behind, key: 0, entity: 1, order: relationship.isOrdered ? behind + 1 : nil))
    let decoder = decoder(root)
    var links: [LinkRow] = []
    let known = KeyTable<Bool>(empty: false)
    try read(sql, owners, by: test) { cursor in
      var batch = RowBatch()
      var hasMore = true
      while hasMore {
        hasMore = try decoder.fill(batch, from: cursor) { cursor in
          let link = try reader.link(cursor)
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

  /// The text by which the destinations of a relationship are read for a result; nil where the store does not
  /// hold them.
  package func prefetchText(_ relationship: RelationshipLayout) -> String? {
    guard store.entities.holds(relationship.destinationEntity) else { return nil }
    let root = layout.entities[layout.entities[relationship.destination].rootIndex]
    return relationship.isToMany
      ? statements.memberRows(relationship, in: root, .list) : statements.rowsByKeys(root)
  }

  // MARK: Uniqueness

  /// The columns of a constraint, in its order; none where they are of several tables.
  package func columns(of constraint: UniquenessConstraint, _ layout: EntityLayout) -> [SQLColumn] {
    let entity = schema.entities[layout.index]
    return entity.columns(
      ofConstraint: layout.properties(of: constraint).map { entity.entity.properties[$0.number] }) ?? []
  }

  /// The numbers of the entities that a constraint binds together; nil if it binds all of the table.
  package func numbers(boundBy constraint: UniquenessConstraint) -> [Int]? {
    guard constraint.declaring.superentity != nil else { return nil }
    return schema.entities[constraint.declaring.index].familyNumbers
  }
}
