#if PostgreSQL
import GraphStore
import GraphStoreModel

/// Deletes the records of one entity tree with their links, in a number of statements that does not grow with
/// them.
struct PostgreSQLDeleteWriter: RecordDeleting {
  private let session: PostgreSQLWriteSession
  private let deletion: SaveRequest.Deletion
  private let table: SQLTable
  private let keys: PostgreSQLParameter

  init(_ session: PostgreSQLWriteSession, _ deletion: SaveRequest.Deletion) {
    self.session = session
    self.deletion = deletion
    table = session.schema.entities[deletion.root.index].table
    keys = PostgreSQLParameter(keys: deletion.keys.sorted())
  }

  /// Deletes the rows.
  ///
  /// - Returns: The records that another writer has changed.
  func deleteRows() throws -> [RowConflict] {
    if deletion.keys.isEmpty { return [] }
    let conflicts = try conflicts()
    if conflicts.isEmpty {
      try session.run(
        session.statements.delete(from: table.name, where: session.schema.systemColumns.key, .list), [keys])
    }
    return conflicts
  }

  /// Deletes the rows of tables of pairs that name the records, and clears the columns that name them as
  /// owners.
  func deleteLinks() throws {
    if deletion.keys.isEmpty { return }
    for join in session.schema.joinTables {
      if join.sourceEntity.table === table { try delete(from: join.name, where: join.source) }
      if join.destinationEntity.table === table { try delete(from: join.name, where: join.destination) }
    }
    for columns in session.schema.ownerColumns where columns.owner.table === table {
      try session.run(
        session.statements.clear(
          columns.columns, of: columns.key.table, where: columns.key.name, .list), [keys])
    }
  }

  private func delete(from table: String, where column: String) throws {
    try session.run(session.statements.delete(from: table, where: column, .list), [keys])
  }

  /// Deleting a record that another writer has changed is a conflict. The rows are locked meanwhile.
  private func conflicts() throws -> [RowConflict] {
    let cursor = try session.run(session.store.tables.lockedVersions(table), [keys])
    if deletion.committed.isEmpty { return [] }
    var versions: [Int64: Int64] = [:]
    while try cursor.step() { versions[cursor.int64(at: 0)] = cursor.int64(at: 1) }
    let suspects = deletion.committed.filter { fetched in
      versions[fetched.key].map { $0 != fetched.row.version } ?? false
    }
    return try session.conflicts(ofDeleted: suspects)
  }
}
#endif
