import Foundation
import GraphStoreModel
import GraphStoreSQLite

extension SQLiteSession {
  func rows(_ plan: any StoreFetchPlan, _ receive: (inout RowBatch) throws -> Void) throws {
    let fetch = try prepared(plan)
    let entity = schema.entities[plan.entity.index]
    let decoder = SQLiteRowDecoder(
      store: store, entities: concreteEntities(entity, fetch.includesSubentities),
      columns: fetch.statement.columns, connection: connection)
    try runFetch(fetch.statement.sql, fetch.statement.bindings) {
      try deliver(rowsOf: $0, by: decoder, to: receive)
    }
  }

  private func concreteEntities(_ entity: SQLEntity, _ includesSubentities: Bool) -> [SQLEntity] {
    includesSubentities ? entity.entity.family.map { schema.entities[$0.index] } : [entity]
  }

  func deliver(
    rowsOf statement: SQLiteStatement, by decoder: SQLiteRowDecoder,
    to receive: (inout RowBatch) throws -> Void
  ) throws {
    var batch = RowBatch()
    while try decoder.fill(batch, from: statement) {
      try receive(&batch)
      batch.removeAll()
    }
    if batch.count > 0 { try receive(&batch) }
  }

  func identifiers(_ plan: any StoreFetchPlan) throws -> [ObjectKey] {
    let fetch = try prepared(plan)
    var identifiers: [ObjectKey] = []
    try runFetch(fetch.statement.sql, fetch.statement.bindings) { statement in
      while try statement.step() {
        let key = statement.int64(at: 0)
        let table = schema.entities[plan.entity.index].table
        guard let entity = schema.entity(numbered: Int(statement.int64(at: 1))), entity.table === table else {
          throw StoredKey.error(entityNumber: statement.int64(at: 1), of: table.root.entity.name, key: key)
        }
        guard StoredKey.keys.contains(key) else { throw StoredKey.error(key: key, of: entity.entity.name) }
        identifiers.append(ObjectKey(entity: entity.entity.index, key: key))
      }
    }
    return identifiers
  }

  func count(_ plan: any StoreFetchPlan) throws -> Int {
    let fetch = try prepared(plan)
    var count = 0
    try runFetch(fetch.statement.sql, fetch.statement.bindings) { statement in
      if try statement.step() { count = Int(statement.int64(at: 0)) }
    }
    return count
  }

  func fields(_ plan: any StoreFetchPlan, _ receive: (any FieldRow) throws -> Void) throws {
    let fetch = try prepared(plan)
    try runFetch(fetch.statement.sql, fetch.statement.bindings) { statement in
      let row = SQLiteFieldRow(
        statement: statement, fields: fetch.statement.fields, store: store,
        table: schema.entities[plan.entity.index].table, isRecord: !plan.output.isResults,
        connection: connection)
      while try statement.step() {
        try row.advance()
        try receive(row)
      }
    }
  }

  func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? {
    guard store.entities.holds(entity.entity) else { return nil }
    return try reporting { try keyReader(layout.entities[entity.rootIndex]).row(key) }
  }

  private func keyReader(_ root: EntityLayout) throws -> SQLiteKeyReader {
    try pooled.keyReader(root.index) {
      SQLiteKeyReader(
        statement: try connection.prepare(statements.rowByKey(root), persistent: true), decoder: decoder(root)
      )
    }
  }

  func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) throws {
    guard store.entities.holds(root.entity) else { return }
    try readRows(root, sql: statements.rowsByKeys(root), bindings: [.text(Self.list(keys))], receive)
  }

  private func readRows(
    _ root: EntityLayout, sql: String, bindings: [SQLBinding], _ receive: (inout RowBatch) throws -> Void
  ) throws {
    let decoder = decoder(root)
    try run(sql, bindings) { try deliver(rowsOf: $0, by: decoder, to: receive) }
  }

  /// Reads the rows of an entity tree as ``SQLiteStatements`` selects them.
  func decoder(_ root: EntityLayout) -> SQLiteRowDecoder {
    let entity = schema.entities[root.index]
    return SQLiteRowDecoder(
      store: store, entities: concreteEntities(entity, true),
      columns: entity.columns(includingSubentities: true), connection: connection)
  }

  /// The plan as this kind of store has made it, with the functions that it calls known to the connection.
  func prepared(_ plan: any StoreFetchPlan) throws -> SQLiteFetch {
    guard let fetch = plan as? SQLiteFetch else {
      throw GraphStoreError(
        .internalInconsistency, "A fetch was planned for another kind of store.",
        remedy: "This is a defect of the library; please report it.")
    }
    try reporting { try pooled.functions.install(fetch.functions, on: connection) }
    return fetch
  }
}

extension FetchOutput {
  /// Whether rows stand for dictionaries, not for records.
  fileprivate var isResults: Bool { if case .results = self { true } else { false } }
}
