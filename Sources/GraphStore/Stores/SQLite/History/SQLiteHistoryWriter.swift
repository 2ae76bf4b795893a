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
    let losses = HistoryMemberLosses(of: session.schema.entities[deletion.root.index].table, session.schema)
    var owners = [[Int64]](repeating: [], count: losses.relationships.count)
    for sql in losses.statements {
      try session.run(sql, [.text(SQLiteSession.list(deletion.keys))]) { statement in
        while try statement.step() { owners[Int(statement.int64(at: 0))].append(statement.int64(at: 1)) }
      }
    }
    for (description, keys) in zip(losses.relationships, owners) where !keys.isEmpty {
      let owner = session.layout.entities[description.entity.index]
      guard let relationship = owner.relationships.first(where: { $0.description === description }) else {
        continue
      }
      noteFormerOwners(keys, of: relationship)
    }
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
    let hasInserted = !record.request.insertions.isEmpty || !record.sets.inserted.isEmpty
    if deleted.isEmpty, updates.isEmpty, !hasInserted { return nil }
    let connection = session.connection
    let transaction = try SQLiteHistoryTransaction(connection, history.tables).insert(record.request)
    transactions.append(transaction.number)
    let last = try SQLiteLayout.usableHistoryNumber(.change, connection)
    var rows = HistoryChangeRows(connection, transaction: transaction.number, after: last)
    for record in deleted {
      try rows.addDeleted(entity: record.entityNumber, key: record.key, tombstone: record.tombstone)
    }
    try add(updates, to: &rows)
    try add(record.request.insertions, to: &rows)
    for set in record.sets.inserted {
      try rows.add(.insert, session.schema.entities[set.layout.index], keys: set.keys, mask: [])
    }
    try rows.finish()
    try SQLiteLayout.setHistoryNumber(.change, to: rows.last, connection)
    return transaction
  }

  // MARK: Updates

  private struct Update {
    let entity: Int
    let key: Int64
    let properties: PropertySet
  }

  private func add(_ updates: [Update], to rows: inout HistoryChangeRows) throws {
    let entities = session.schema.entities
    var next = updates.startIndex
    while next < updates.endIndex {
      let first = updates[next]
      var end = first.key
      while next < updates.endIndex, updates[next].key == end, updates[next].entity == first.entity,
        updates[next].properties == first.properties
      {
        end += 1
        next += 1
      }
      let mask = history.masks[first.entity].bytes(first.properties)
      try rows.add(.update, entities[first.entity], keys: first.key..<end, mask: mask)
    }
  }

  private func add(_ insertions: [SaveRequest.Insertion], to rows: inout HistoryChangeRows) throws {
    let entities = session.schema.entities
    var next = insertions.startIndex
    while next < insertions.endIndex {
      let (layout, first) = (insertions[next].row.layout, insertions[next].key)
      var end = first
      while next < insertions.endIndex, insertions[next].key == end, insertions[next].row.layout === layout {
        end += 1
        next += 1
      }
      try rows.add(.insert, entities[layout.index], keys: first..<end, mask: [])
    }
  }

  /// The updated records: first those whose rows were written, in that order.
  private func updates(_ record: CommitRecord) throws -> [Update] {
    var consequences = record.consequences(session.layout)
    var updates: [Update] = []
    for update in record.request.updates {
      let layout = update.row.layout
      let key = RecordKey(root: layout.rootIndex, key: update.key)
      if consequences.covers(key) { continue }
      var properties = update.properties
      if let besides = consequences.remove(key) { properties = properties.union(besides) }
      // A version that rose alone is no change of content.
      if properties.isEmpty { continue }
      updates.append(Update(entity: layout.index, key: update.key, properties: properties))
    }
    for set in record.sets.updated {
      for key in set.keys {
        let besides = consequences.remove(RecordKey(root: set.layout.rootIndex, key: key))
        updates.append(
          Update(
            entity: set.layout.index, key: key,
            properties: besides.map { set.properties.union($0) } ?? set.properties))
      }
    }
    let changed = consequences.updates.filter { !$0.value.isEmpty }
    for (root, records) in Dictionary(grouping: changed, by: \.key.root).sorted(by: { $0.key < $1.key }) {
      let properties = Dictionary(uniqueKeysWithValues: records.map { ($0.key.key, $0.value) })
      let table = session.schema.entities[root].table
      let sql =
        "SELECT Z_PK, Z_ENT FROM \(table.quotedName) "
        + "WHERE Z_PK IN (SELECT value FROM json_each(?1)) ORDER BY Z_PK"
      try session.run(sql, [.text(SQLiteSession.list(properties.keys.sorted()))]) { statement in
        while try statement.step() {
          let key = statement.int64(at: 0)
          guard let entity = session.schema.entity(numbered: Int(statement.int64(at: 1))),
            let properties = properties[key]
          else { continue }
          updates.append(Update(entity: entity.entity.index, key: key, properties: properties))
        }
      }
    }
    return updates
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
