#if PostgreSQL
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// A store on a server seen through one connection: what reading and writing have in common.
class PostgreSQLSession {
  let store: PostgreSQLStore
  /// The connection; nil for a session that has not begun, or has ended.
  @safe @exclusivity(unchecked) final var begun: PostgreSQLConnection?

  init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection?) {
    self.store = store
    begun = connection
  }

  /// The origin of rows that the session reads.
  var origin: RowCache.Origin { .commit }

  final var connection: PostgreSQLConnection {
    guard let begun else { preconditionFailure("a session reads before it has begun") }
    return begun
  }
  final var schema: SQLSchema { store.schema }
  final var layout: ModelLayout { store.layout }
  final var scope: StoreIdentity { store.scope }
  final var path: String { store.path }
  final var statements: SQLStatements { store.statements }
  final var rowCache: RowCache { store.rowCache }

  /// Runs a body and turns what the server says into an error of the store's.
  final func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let failure as PostgreSQLError {
      if failure.category == .cancelled, RequestCancellation.isRequested {
        throw GraphStoreError.cancelledRequest
      }
      throw GraphStoreError(failure, path: path)
    }
  }

  /// Runs one statement.
  @discardableResult
  final func run(_ sql: String, _ parameters: [PostgreSQLParameter]) throws -> PostgreSQLCursor {
    try reporting { try connection.run(sql, parameters) }
  }

  /// Runs the statement of a request; many rows are handed over as they come.
  final func runFetch(
    _ sql: String, _ bindings: [SQLBinding], isLong: Bool, _ body: (PostgreSQLCursor) throws -> Void
  ) throws {
    let parameters = bindings.map { PostgreSQLParameter($0) }
    try reporting {
      guard isLong else { return try body(try connection.run(sql, parameters)) }
      let cursor = try connection.stream(sql, parameters)
      defer { cursor.end() }
      try body(cursor)
    }
  }

  // MARK: Reading

  final func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    PostgreSQLFetch(
      request: request, entity: try layout.entity(named: request.entityName),
      statement: try store.planner(for: request).plan(request), session: self)
  }

  final func deliver(
    rowsOf cursor: PostgreSQLCursor, by decoder: PostgreSQLRowDecoder,
    to receive: (inout RowBatch) throws -> Void
  ) throws {
    var batch = RowBatch()
    while try decoder.fill(batch, from: cursor) {
      try receive(&batch)
      batch.removeAll()
    }
    if batch.count > 0 { try receive(&batch) }
  }

  final func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? {
    guard store.entities.holds(entity.entity) else { return nil }
    let root = layout.entities[entity.rootIndex]
    let cursor = try run(statements.rowByKey(root), [PostgreSQLParameter(key)])
    let batch = RowBatch()
    _ = try decoder(root).fill(batch, from: cursor)
    return batch.first
  }

  final func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) throws {
    guard store.entities.holds(root.entity) else { return }
    let cursor = try run(statements.rowsByKeys(root), [PostgreSQLParameter(keys: keys)])
    try deliver(rowsOf: cursor, by: decoder(root), to: receive)
  }

  /// Reads the rows of an entity tree as ``SQLStatements`` selects them.
  final func decoder(_ root: EntityLayout) -> PostgreSQLRowDecoder {
    let entity = schema.entities[root.index]
    return decoder(entity, includesSubentities: true, columns: entity.columns(includingSubentities: true))
  }

  /// Reads the rows of an entity as a statement selects them.
  final func decoder(
    _ entity: SQLEntity, includesSubentities: Bool, columns: [SQLColumn]
  ) -> PostgreSQLRowDecoder {
    let entities = includesSubentities ? entity.entity.family.map { schema.entities[$0.index] } : [entity]
    return PostgreSQLRowDecoder(schema: schema, layout: layout, entities: entities, columns: columns)
  }

  final func metadata() throws -> [String: Value] {
    try reporting { try store.tables.readMetadata(connection).all }
  }

  final func greatestKey(_ root: EntityLayout) throws -> Int64 {
    guard store.entities.holds(root.entity) else { return 0 }
    let entity = schema.entities[root.index]
    let cursor = try run(
      store.tables.greatestKey(entity.table), [PostgreSQLParameter(Int64(entity.namingNumber))])
    return try cursor.step() ? max(cursor.int64(at: 0), cursor.int64(at: 1), 0) : 0
  }

  // MARK: Members

  final func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    guard let sql = statements.members(relationship, .list) else { return [] }
    let sole = statements.soleMemberEntity(relationship)
    let cursor = try run(sql, [PostgreSQLParameter(keys: owners)])
    var links: [LinkRow] = []
    while try cursor.step() {
      links.append(
        try link(cursor, relationship, (owner: 0, key: 1, entity: 2, order: 3), soleEntity: sole))
    }
    return links
  }

  final func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    guard store.entities.holds(root.entity) else { return try members(relationship, owners: owners) }
    guard let sql = statements.memberRows(relationship, in: root, .list) else { return [] }
    let behind = 3 + schema.entities[root.index].columns(includingSubentities: true).count
    let cursor = try run(sql, [PostgreSQLParameter(keys: owners)])
    let decoder = decoder(root)
    var links: [LinkRow] = []
    var known: Set<Int64> = []
    var batch = RowBatch()
    var hasMore = true
    while hasMore {
      hasMore = try decoder.fill(batch, from: cursor) { cursor in
        let link = try link(cursor, relationship, (behind, 0, 1, behind + 1), soleEntity: nil)
        links.append(link)
        return known.insert(link.member.key).inserted
      }
      if batch.count > 0 { try receive(&batch) }
      batch.removeAll()
    }
    return links.sorted()
  }

  /// - Throws: `store-corrupt` for a member of an entity whose objects cannot be members, or with a key that
  ///   none can have.
  private func link(
    _ cursor: PostgreSQLCursor, _ relationship: RelationshipLayout,
    _ columns: (owner: Int, key: Int, entity: Int, order: Int), soleEntity: Int?
  ) throws -> LinkRow {
    let key = cursor.int64(at: columns.key)
    let entity =
      try soleEntity
      ?? memberEntity(relationship, numbered: Int(cursor.int64(at: columns.entity)), key: key)
    guard StoredKey.keys.contains(key) else {
      throw StoredKey.error(key: key, of: layout.entities[entity].entity.name)
    }
    return LinkRow(
      owner: cursor.int64(at: columns.owner), member: ObjectKey(entity: entity, key: key),
      order: relationship.isOrdered ? cursor.int64(at: columns.order) : 0)
  }

  private func memberEntity(_ relationship: RelationshipLayout, numbered number: Int, key: Int64) throws
    -> Int
  {
    let description = relationship.description
    if let entity = schema.entity(numbered: number)?.entity,
      entity.isKind(of: description.inverse?.entity ?? description.destination)
    {
      return entity.index
    }
    throw StoredKey.error(
      entityNumber: Int64(number), of: description.destination.rootEntity.name, key: key)
  }

  // MARK: Uniqueness

  /// One statement, whatever the number of rows.
  final func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) throws
    -> [ConstraintHolder]
  {
    guard let first = rows.first else { return [] }
    let table = schema.entities[first.row.layout.index].table
    let columns = columns(of: constraint, first.row.layout)
    if columns.isEmpty { return [] }
    var own = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: rows.count)
    for fetched in rows { own.append(fetched.key) }
    let arrays = try values(of: columns.indices, constraint, rows)
    let sql = store.tables.holders(
      table, columns, types: arrays.map(\.elementType), entities: numbers(boundBy: constraint))
    let cursor = try run(sql, [own.parameter] + arrays.map(\.parameter))
    var found: [ConstraintHolder] = []
    while try cursor.step() {
      guard let entity = schema.entity(numbered: Int(cursor.int64(at: 2))) else { continue }
      found.append(
        ConstraintHolder(
          position: Int(cursor.int64(at: 0)) - 1,
          holder: ObjectKey(entity: entity.entity.index, key: cursor.int64(at: 1))))
    }
    return found
  }

  /// The values of some rows under a constraint, one array a column; rows may be of several entities.
  private func values(
    of positions: Range<Int>, _ constraint: UniquenessConstraint, _ rows: [SaveRequest.FetchedRow]
  ) throws -> [PostgreSQLParameterArray] {
    try positions.map { position in
      var array: PostgreSQLParameterArray?
      for fetched in rows {
        let layout = fetched.row.layout
        let column = columns(of: constraint, layout)[position]
        guard
          var writer = PostgreSQLColumnWriter(
            column, of: layout, schema: schema, keys: PermanentKeyMap(), capacity: rows.count,
            continuing: array)
        else { continue }
        try writer.append(fetched.row)
        array = writer.array
      }
      return array ?? PostgreSQLParameterArray(of: PostgreSQLTypeNumber.text, capacity: 0)
    }
  }

  private func columns(of constraint: UniquenessConstraint, _ layout: EntityLayout) -> [SQLColumn] {
    let entity = schema.entities[layout.index]
    return entity.columns(
      ofConstraint: layout.properties(of: constraint).map { entity.entity.properties[$0.number] }) ?? []
  }

  /// The numbers of the entities that a constraint binds together; nil if it binds all of the table.
  private func numbers(boundBy constraint: UniquenessConstraint) -> [Int]? {
    guard constraint.declaring.superentity != nil else { return nil }
    return schema.entities[constraint.declaring.index].familyNumbers
  }
}
#endif
