import GraphStoreModel
import GraphStoreSQLite

/// Writes what saves have changed into the history of a store, within the transaction of the data.
///
/// A save takes a fixed number of statements, whatever the length of the history: one a kind of change, one
/// an entity tree for the records that are deleted, for the owners that lose them, and for those that are
/// updated without their rows being written, and a few for the transaction.
final class SQLiteHistoryWriter {
  private unowned let session: SQLiteWriteSession
  private let history: SQLiteHistory
  /// Records that the save deletes, as they were.
  private var deleted: [Deleted] = []
  /// Owners that lose members in the save: to others, or as these are deleted.
  private var formerOwners: [CommitRecord.FormerOwners] = []
  /// The numbers of the transactions that were written.
  private(set) var transactions: [Int64] = []
  /// How many there were at each open savepoint.
  private var savepoints: [Int] = []

  private struct Deleted {
    let key: Int64
    let entityNumber: Int64
    /// The values that are kept of it, by column.
    let tombstone: [SQLBinding]
  }

  init(_ session: SQLiteWriteSession, _ history: SQLiteHistory) {
    self.session = session
    self.history = history
  }

  // MARK: Savepoints

  func setSavepoint() { savepoints.append(transactions.count) }

  func releaseSavepoint() { _ = savepoints.popLast() }

  func rollbackToSavepoint() {
    if let count = savepoints.popLast() { transactions.removeSubrange(count...) }
  }

  // MARK: Recording

  /// Reads what the history keeps of the records that a save is going to delete, and who loses them. Those
  /// that others have deleted before are not found, and not recorded.
  func prepare(_ save: SaveRequest) throws {
    (deleted, formerOwners) = ([], [])
    for deletion in save.deletions {
      try noteOwners(of: deletion)
      let entity = session.schema.entities[deletion.root.index]
      let entities = session.schema.numberedEntities.filter { $0.table === entity.table }
      let columns = OrderedColumns(
        entities.flatMap { history.tombstones[$0.entity.index].columns.compactMap(\.self) })
      let sql =
        "SELECT Z_PK, Z_ENT\(columns.text) FROM \(entity.table.quotedName) "
        + "WHERE Z_PK IN (SELECT value FROM json_each(?1))"
      try session.run(sql, [.text(SQLiteSession.list(deletion.keys))]) { statement in
        while try statement.step() {
          let number = statement.int64(at: 1)
          let kept = session.schema.entity(numbered: Int(number)).map {
            history.tombstones[$0.entity.index].columns
          }
          let tombstone = (kept ?? []).prefix(history.tables.tombstoneCount).map { column in
            column.flatMap { columns.places[$0.index] }.map { statement.binding(at: $0 + 2) } ?? .null
          }
          deleted.append(
            Deleted(key: statement.int64(at: 0), entityNumber: number, tombstone: tombstone))
        }
      }
    }
  }

  private func noteOwners(of deletion: SaveRequest.Deletion) throws {
    let losses = SQLMemberLosses(of: session.schema.entities[deletion.root.index].table, session.statements)
    var owners = [[Int64]](repeating: [], count: losses.relationships.count)
    for sql in losses.statements {
      try session.run(sql, [.text(SQLiteSession.list(deletion.keys))]) { statement in
        while try statement.step() { owners[Int(statement.int64(at: 0))].append(statement.int64(at: 1)) }
      }
    }
    formerOwners += losses.formerOwners(owners, session.layout)
  }

  /// Notes owners of a one-way to-many that the save takes members from.
  func noteFormerOwners(_ keys: [Int64], of relationship: RelationshipLayout) {
    if !keys.isEmpty { formerOwners.append(.init(relationship: relationship, keys: keys)) }
  }

  /// Adds a transaction with the changes of a save; none where it has changed nothing.
  func record(_ record: CommitRecord) throws -> CommitRecord.HistoryTransaction? {
    defer { (deleted, formerOwners) = ([], []) }
    var record = record
    record.formerOwners = formerOwners
    let updates = try updates(record)
    let inserted = record.insertedRuns
    if deleted.isEmpty, updates.isEmpty, inserted.isEmpty { return nil }
    let connection = session.connection
    let transaction = try SQLiteHistoryTransaction(connection, history.tables).insert(record.request)
    transactions.append(transaction.number)
    let last = try SQLiteLayout.usableHistoryNumber(.change, connection)
    var rows = HistoryChangeRows(connection, transaction: transaction.number, after: last)
    for record in deleted {
      try rows.addDeleted(entity: record.entityNumber, key: record.key, tombstone: record.tombstone)
    }
    for run in updates {
      try rows.add(
        .update, session.schema.entities[run.entity], keys: run.keys,
        mask: history.masks[run.entity].bytes(run.properties))
    }
    for run in inserted {
      try rows.add(.insert, session.schema.entities[run.entity], keys: run.keys, mask: [])
    }
    try rows.finish()
    try SQLiteLayout.setHistoryNumber(.change, to: rows.last, connection)
    return transaction
  }

  // MARK: Updates

  private func updates(_ record: CommitRecord) throws -> [HistoryRun] {
    try record.updatedRuns(session.layout) { root, keys, receive in
      let table = session.schema.entities[root].table
      let sql =
        "SELECT Z_PK, Z_ENT FROM \(table.quotedName) "
        + "WHERE Z_PK IN (SELECT value FROM json_each(?1)) ORDER BY Z_PK"
      try session.run(sql, [.text(SQLiteSession.list(keys))]) { statement in
        while try statement.step() {
          guard let entity = session.schema.entity(numbered: Int(statement.int64(at: 1))) else { continue }
          receive(statement.int64(at: 0), entity.entity.index)
        }
      }
    }
  }
}

/// Columns of a table, each once, with their places in a statement that reads them.
private struct OrderedColumns {
  /// By the column's position in its table.
  private(set) var places: [Int: Int] = [:]
  /// `, ZNAME, ZSALARY`
  private(set) var text = ""

  init(_ columns: [SQLColumn]) {
    for column in columns where places[column.index] == nil {
      places[column.index] = places.count
      text += ", \(column.quotedName)"
    }
  }
}

extension SQLiteStatement {
  /// The value of a column, as it is stored.
  func binding(at index: Int) -> SQLBinding {
    switch type(at: index) {
    case .integer: .integer(int64(at: index))
    case .real: .double(double(at: index))
    case .text: .text(string(at: index) ?? "")
    case .blob: unsafe .blob(Array(blob(at: index)))
    case .null: .null
    }
  }
}
