import GraphStoreSQLite

/// Deletes the records of one entity tree with their links, in a number of statements that does not grow with
/// them.
struct SQLiteDeleteWriter: RecordDeleting {
  private let keys: KeyListRanges
  private let session: SQLiteWriteSession
  private let deletion: SaveRequest.Deletion
  private let table: SQLTable

  init(_ session: SQLiteWriteSession, _ deletion: SaveRequest.Deletion) {
    self.session = session
    self.deletion = deletion
    table = session.schema.entities[deletion.root.index].table
    keys = KeyListRanges(sorted: deletion.keys.sorted())
  }

  /// Deletes the rows.
  ///
  /// - Returns: The records that another writer has changed.
  func deleteRows() throws -> [RowConflict] {
    let conflicts = try conflicts()
    if conflicts.isEmpty { try delete(from: table.name, where: SQLSystemColumns.coreData.key) }
    return conflicts
  }

  /// Deletes the rows of tables of pairs that name the records, and clears the columns that name them as
  /// owners.
  func deleteLinks() throws {
    for join in session.schema.joinTables {
      if join.sourceEntity.table === table { try delete(from: join.name, where: join.source) }
      if join.destinationEntity.table === table { try delete(from: join.name, where: join.destination) }
    }
    for columns in session.schema.ownerColumns where columns.owner.table === table {
      try run {
        session.statements.clear(
          columns.columns, of: columns.key.table, where: columns.key.name, $0)
      }
    }
  }

  private func delete(from table: String, where column: String) throws {
    try run { session.statements.delete(from: table, where: column, $0) }
  }

  /// Runs a statement over the rows whose column has one of the records' keys; a range is tested without a
  /// list to look each key up in.
  private func run(_ statement: (SQLKeyTest) -> String) throws {
    if !keys.ranges.isEmpty {
      let range = statement(.range)
      for keys in keys.ranges {
        try session.run(range, [.integer(keys.lowerBound), .integer(keys.upperBound)]) { _ = try $0.step() }
      }
    }
    if keys.others.isEmpty { return }
    try session.run(statement(.list), [.text(SQLiteSession.list(keys.others))]) { _ = try $0.step() }
  }

  /// Deleting a record that another writer has changed is a conflict.
  private func conflicts() throws -> [RowConflict] {
    let committed = deletion.committed.sorted { $0.key < $1.key }
    if committed.isEmpty { return [] }
    let keys = SQLBinding.text(SQLiteSession.list(committed.lazy.map(\.key)))
    var suspects: [SaveRequest.FetchedRow] = []
    var position = 0
    try session.run(session.statements.versions(table), [keys]) { statement in
      while try statement.step() {
        let key = statement.int64(at: 0)
        while position < committed.count, committed[position].key < key { position += 1 }
        guard position < committed.count, committed[position].key == key else { continue }
        if committed[position].row.version != statement.int64(at: 1) { suspects.append(committed[position]) }
      }
    }
    return try session.conflicts(ofDeleted: suspects)
  }
}

/// Reads one row of an entity tree by its key, again and again by the same statement.
final class SQLiteKeyReader {
  private let statement: SQLiteStatement
  private let decoder: SQLiteRowDecoder
  private let batch = RowBatch()

  init(statement: SQLiteStatement, decoder: SQLiteRowDecoder) {
    self.statement = statement
    self.decoder = decoder
  }

  func row(_ key: Int64) throws -> Row? {
    try statement.bind(key, at: 1)
    defer {
      statement.reset()
      batch.removeAll()
    }
    _ = try decoder.fill(batch, from: statement)
    return batch.first
  }
}
