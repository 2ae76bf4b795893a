import GraphStoreSQLite

extension SQLiteWriteSession {
  /// Deletes a set of records by one DELETE: by the conditions of the request, where memory judges no records
  /// and they are of one table.
  ///
  /// - Returns: How many; nil where that is not so, and nothing was deleted.
  func write(_ deletion: SetDeletion) throws -> Int? {
    let fetch = try store.statement(of: deletion.request)
    guard fetch.statement.residual == nil,
      let sql = statements.delete(whereFoundBy: fetch.statement.select)
    else { return nil }
    try install(deletion.request.functions)
    try run(sql, fetch.statement.bindings) { try $0.run() }
    return connection.changes
  }
}
