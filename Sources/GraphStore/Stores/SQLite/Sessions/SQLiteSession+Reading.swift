import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteSession {
  func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    SQLiteFetch(fetch: try store.statement(of: request), session: self)
  }

  /// Makes functions of the application known to the connection.
  func install(_ functions: PredicateFunctions) throws {
    try reporting { try pooled.functions.install(functions, on: connection) }
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

  /// Reads the rows of an entity tree as ``SQLStatements`` selects them.
  func decoder(_ root: EntityLayout) -> SQLiteRowDecoder {
    let entity = schema.entities[root.index]
    return decoder(
      entity, includesSubentities: true, columns: entity.columns(includingSubentities: true))
  }

  /// Reads the rows of an entity as a statement selects them.
  func decoder(
    _ entity: SQLEntity, includesSubentities: Bool, columns: [SQLColumn]
  ) -> SQLiteRowDecoder {
    let entities = includesSubentities ? entity.entity.family.map { schema.entities[$0.index] } : [entity]
    return SQLiteRowDecoder(store: store, entities: entities, columns: columns, connection: connection)
  }
}
