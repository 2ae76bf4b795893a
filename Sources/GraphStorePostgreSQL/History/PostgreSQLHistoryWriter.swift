#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel

/// Writes what saves have changed into the history of a store, within the transaction of the data.
///
/// A save takes a fixed number of round trips for it: two an entity tree whose records it deletes, one for
/// those that are updated without their rows being written, and one for the transaction and its changes.
final class PostgreSQLHistoryWriter {
  private unowned let session: PostgreSQLWriteSession
  private var tables: PostgreSQLHistoryTables { session.store.history }
  /// Records that the save deletes, as they were.
  private var deleted: [Deleted] = []
  /// Owners that lose members in the save: to others, or as these are deleted.
  private var formerOwners: [CommitRecord.FormerOwners] = []

  private struct Deleted {
    let key: Int64
    let entityNumber: Int64
    /// The values that are kept of it.
    let tombstone: String?
  }

  init(_ session: PostgreSQLWriteSession) { self.session = session }

  // MARK: Recording

  /// Locks the records that a save is going to delete, and reads what the history keeps of them, and who
  /// loses them. Those that others have deleted before are not found, and not recorded.
  func prepare(_ save: SaveRequest) throws {
    (deleted, formerOwners) = ([], [])
    for deletion in save.deletions where !deletion.keys.isEmpty {
      let table = session.schema.entities[deletion.root.index].table
      let keys = PostgreSQLParameter(keys: deletion.keys.sorted())
      let losses = SQLMemberLosses(of: table, session.statements)
      let results = try session.reporting {
        try session.connection.run(
          [.init(session.store.tables.lockedEntities(table), [keys])]
            + losses.statements.map { .init($0, [keys]) })
      }
      var owners = [[Int64]](repeating: [], count: losses.relationships.count)
      for cursor in results.dropFirst() {
        while try cursor.step() { owners[Int(cursor.int64(at: 0))].append(cursor.int64(at: 1)) }
      }
      formerOwners += losses.formerOwners(owners, session.layout)
      let tombstones = try tombstones(of: deletion)
      while try results[0].step() {
        let key = results[0].int64(at: 0)
        deleted.append(
          Deleted(key: key, entityNumber: results[0].int64(at: 1), tombstone: tombstones[key]))
      }
    }
  }

  private func tombstones(of deletion: SaveRequest.Deletion) throws -> [Int64: String] {
    var kept: [Int: PostgreSQLTombstone] = [:]
    for entity in deletion.root.entity.family {
      let tombstone = PostgreSQLTombstone(session.layout.entities[entity.index])
      if !tombstone.isEmpty { kept[entity.index] = tombstone }
    }
    if kept.isEmpty { return [:] }
    var texts: [Int64: String] = [:]
    try session.rows(session.layout.entities[deletion.root.rootIndex], keys: deletion.keys) { batch in
      var failure: (any Error)?
      batch.forEach { key, row in
        guard let tombstone = kept[row.layout.index] else { return }
        do { texts[key] = try tombstone.text(of: row) } catch { failure = error }
      }
      if let failure { throw failure }
    }
    return texts
  }

  /// Notes owners of a one-way to-many that the save takes members from.
  func noteFormerOwners(_ keys: [Int64], of relationship: RelationshipLayout) {
    if !keys.isEmpty { formerOwners.append(.init(relationship: relationship, keys: keys)) }
  }

  /// Adds a transaction with the changes of a save; none where it has changed nothing.
  ///
  /// - Returns: The transaction; until the commit no other save is recorded.
  func record(_ record: CommitRecord) throws -> CommitRecord.HistoryTransaction? {
    var record = record
    record.formerOwners = formerOwners
    let updates = try updates(record)
    let inserted = record.insertedRuns
    if deleted.isEmpty, updates.isEmpty, inserted.isEmpty { return nil }
    var rows = PostgreSQLHistoryRows(session.schema)
    for record in deleted { rows.addDeleted(record.entityNumber, record.key, record.tombstone) }
    for run in updates { rows.add(run) }
    for run in inserted { rows.add(run) }
    let save = record.request
    let process = ProcessInfo.processInfo
    let transaction = PostgreSQLConnection.Command(
      tables.addTransaction,
      [
        PostgreSQLParameter(rows.count), PostgreSQLParameter(optional: save.author),
        PostgreSQLParameter(optional: save.contextName), PostgreSQLParameter(process.processName),
        PostgreSQLParameter(String(process.processIdentifier)),
      ])
    let added = try session.connection.run(
      [transaction] + rows.parameters.map { .init(tables.addChanges, $0) })[0]
    guard try added.step() else {
      throw GraphStoreError(
        .internalInconsistency, "A history has ended while it was written.",
        remedy: "Nothing was written; this is a defect of the library, please report it.")
    }
    return CommitRecord.HistoryTransaction(number: added.int64(at: 0), time: added.double(at: 1))
  }

  /// Forgets what belongs to the save that was recorded.
  func endSave() { (deleted, formerOwners) = ([], []) }

  private func updates(_ record: CommitRecord) throws -> [HistoryRun] {
    try record.updatedRuns(session.layout) { root, keys, receive in
      let table = session.schema.entities[root].table
      let cursor = try session.connection.run(
        session.store.tables.entityNumbers(table), [PostgreSQLParameter(keys: keys)])
      while try cursor.step() {
        guard let entity = session.schema.entity(numbered: Int(cursor.int64(at: 1))) else { continue }
        receive(cursor.int64(at: 0), entity.entity.index)
      }
    }
  }
}
#endif
