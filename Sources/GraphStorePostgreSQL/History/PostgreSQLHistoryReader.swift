#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel

/// Reads transactions of a history page by page, and the changes of each page by a second statement in the
/// same order.
struct PostgreSQLHistoryReader {
  private let session: PostgreSQLSession

  /// The most transactions of a page: what was not asked for is read to the end of a page.
  private static let pageSize = 256

  init(_ session: PostgreSQLSession) { self.session = session }

  func read(
    _ query: HistoryQuery, _ receive: (PersistentHistoryTransaction) throws -> Bool
  ) throws {
    var after = query.after
    while true {
      let headers = try headers(after: after)
      guard let last = headers.last else { return }
      if query.readsChanges {
        guard try readChanges(of: headers, after: after, query, receive) else { return }
      } else {
        for header in headers {
          guard try receive(PersistentHistoryTransaction(header: header, changes: nil)) else { return }
        }
      }
      if headers.count < Self.pageSize { return }
      after = last.number
    }
  }

  private func headers(after number: Int64) throws -> [HistoryTransactionHeader] {
    let cursor = try session.connection.run(
      session.store.history.transactionsAfter,
      [PostgreSQLParameter(number), PostgreSQLParameter(Int64(Self.pageSize))])
    var headers: [HistoryTransactionHeader] = []
    while try cursor.step() {
      func text(_ column: Int) -> String? { cursor.isNull(at: column) ? nil : cursor.string(at: column) }
      headers.append(
        HistoryTransactionHeader(
          scope: session.scope, number: cursor.int64(at: 0),
          timestamp: Date(timeIntervalSinceReferenceDate: cursor.double(at: 1)), author: text(2),
          contextName: text(3), bundleID: cursor.string(at: 4), processID: cursor.string(at: 5)))
    }
    return headers
  }

  /// - Returns: Whether to go on.
  private func readChanges(
    of headers: [HistoryTransactionHeader], after number: Int64, _ query: HistoryQuery,
    _ receive: (PersistentHistoryTransaction) throws -> Bool
  ) throws -> Bool {
    var parameters = [PostgreSQLParameter(number), PostgreSQLParameter(headers.last?.number ?? number)]
    if let entities = query.entities {
      let numbers = entities.sorted().map { Int64(session.schema.entities[$0].number) }
      parameters.append(PostgreSQLParameter(keys: numbers))
    }
    if let key = query.key { parameters.append(PostgreSQLParameter(key)) }
    let sql = session.store.history.changes(
      ofEntities: query.entities != nil, ofObject: query.key != nil)
    let cursor = try session.connection.stream(sql, parameters)
    defer { cursor.end() }
    var isAtChange = try cursor.step()
    for header in headers {
      var found: [PersistentHistoryChange] = []
      while isAtChange, cursor.int64(at: 0) <= header.number {
        if cursor.int64(at: 0) == header.number, let change = change(cursor, header) { found.append(change) }
        isAtChange = try cursor.step()
      }
      guard try receive(PersistentHistoryTransaction(header: header, changes: found)) else { return false }
    }
    return true
  }

  /// The change of a row; nil for one of an entity that the model does not have, or of a kind that is not
  /// known.
  private func change(
    _ row: PostgreSQLCursor, _ header: HistoryTransactionHeader
  ) -> PersistentHistoryChange? {
    let kind = row.string(at: 2)
    let key = row.int64(at: 4)
    guard let type = PersistentHistoryChangeType.allCases.first(where: { $0.description == kind }),
      let entity = session.schema.entity(numbered: Int(row.int64(at: 3)))?.entity,
      StoredKey.keys.contains(key)
    else { return nil }
    var changed = PropertySet()
    if type == .update {
      for name in row.strings(at: 5) {
        if let property = entity.property(named: name) { changed.insert(property.number) }
      }
    }
    return PersistentHistoryChange(
      header, changeID: row.int64(at: 1), type,
      ManagedObjectID(scope: session.scope, entityIndex: entity.index, key: key), changed: changed,
      tombstone: type == .delete
        ? PostgreSQLTombstone(session.layout.entities[entity.index])
          .values(from: row.isNull(at: 6) ? nil : row.string(at: 6)) : nil)
  }
}
#endif
