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

  func read(
    _ sql: String, _ keys: [Int64], by test: SQLKeyTest, _ body: (SQLiteStatement) throws -> Void
  ) throws {
    try run(sql, [test == .one ? .integer(keys[0]) : .text(Self.list(keys))], body)
  }

  /// A statement for one key is shorter to run.
  static func test(for keys: [Int64]) -> SQLKeyTest { keys.count == 1 ? .one : .list }

  func decoder(_ entities: [SQLEntity], columns: [SQLColumn]) -> SQLiteRowDecoder {
    SQLiteRowDecoder(store: store, entities: entities, columns: columns, connection: connection)
  }

  func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    try membersWithRows(relationship, in: root, owners: owners, receive)
  }
}
