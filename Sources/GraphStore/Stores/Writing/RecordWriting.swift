import Foundation
import GraphStoreModel

/// Deletion of the records of one entity tree, in two steps of a save.
package protocol RecordDeleting {
  /// Deletes the rows.
  ///
  /// - Returns: The records that another writer has changed; nothing is deleted then.
  func deleteRows() throws -> [RowConflict]
  /// Deletes the links of the records that are stored outside their rows.
  func deleteLinks() throws
}

/// A write session of a store with rows and row versions (STO-084): the steps of a save are here once,
/// together with how conflicts and phantoms are found; what keeps the rows adds how each step is carried out.
package protocol RecordWriting: WriteSession {
  associatedtype Deleter: RecordDeleting

  var layout: ModelLayout { get }
  var scope: StoreIdentity { get }
  var rowCache: RowCache { get }
  /// Whether several saves are one.
  var isShared: Bool { get }

  /// Does the steps of a save; failures of the store become errors of the library's.
  func performingSteps<Result>(_ body: () throws -> Result) throws -> Result
  /// Prepares the data that are stored outside of the rows, and what a history keeps of deleted ones.
  func prepare(_ save: SaveRequest) throws
  func deleter(_ deletion: SaveRequest.Deletion) -> Deleter
  /// Writes the updates that meet no conflict, and returns the conflicts of the others.
  func update(_ save: SaveRequest) throws -> [RowConflict]
  /// Checks the uniqueness of updated rows, once all are there: values can move from one to another.
  func checkConstraints(ofUpdatesIn save: SaveRequest) throws
  func insert(_ save: SaveRequest) throws
  /// A key of an entity tree that no record has, of several; nil where all are there.
  func missingRecord(_ root: Int, among keys: Set<Int64>) throws -> Int64?
  func write(_ links: [SaveRequest.LinkChange]) throws
  /// Writes the order of an owner's members, where it is stored.
  func write(_ change: SaveRequest.OrderChange) throws
  /// Raises the versions of records of one entity tree, of which nothing else changes.
  func raiseVersions(_ root: Int, _ keys: [Int64]) throws -> [RecordVersion]
  /// The records that refer to one of several others by a to-one; none where that is not stored.
  func referring(to keys: [Int64], by reference: RelationshipDescription) throws -> [LinkRow]
  /// Empties a to-one of records, and raises their versions.
  func clear(_ reference: RelationshipDescription, of keys: [Int64]) throws
  /// Computes the values of a derived attribute, and writes those that have changed, without raising
  /// versions.
  ///
  /// - Parameters:
  ///   - keys: The records, those of other entities among them; nil for all.
  ///   - date: The time of the save.
  /// - Throws: `value-out-of-range` for a number that the attribute does not hold.
  func storeDerivedValues(of derived: DerivedAttribute, keys: [Int64]?, date: Date) throws -> [DerivedValue]
}

extension RecordWriting {
  /// Writes the rows of a save.
  ///
  /// Deletions are first, so that what they free can be used. Phantoms are looked for once all rows are
  /// written: a row that then still refers to a deleted record was added by another writer.
  package func write(_ save: SaveRequest) throws -> StoreWriteOutcome {
    try performingSteps {
      let tracker = DerivedValueTracker(save, layout)
      try tracker?.recordOwners(self)
      try prepare(save)
      let deleters = save.deletions.map(deleter)
      var conflicts = try conflicts(ofLocked: save.locked)
      for deleter in deleters { conflicts += try deleter.deleteRows() }
      conflicts += try update(save)
      if !conflicts.isEmpty { return .conflicts(conflicts) }
      try checkConstraints(ofUpdatesIn: save)
      try insert(save)
      try checkDestinations(save)
      var rows = WrittenRows(record: CommitRecord(request: save), tracker: tracker, deleters: deleters)
      for check in save.phantomChecks {
        if let found = try resolvePhantoms(of: check, tracker: tracker, &rows.record) {
          rows.phantoms.append(found)
        }
      }
      return .written(rows)
    }
  }

  package func writeCopies(_ save: SaveRequest) throws {
    try performingSteps {
      try prepare(save)
      try insert(save)
      try write(save.links)
      for change in save.orders { try write(change) }
    }
  }

  /// Writes what belongs to rows. Pairs of deleted records are cleared once phantoms are found, since they
  /// say which links there are; links and order follow the rows that they name.
  package func finish(_ rows: WrittenRows) throws -> CommitRecord {
    try performingSteps {
      var record = rows.record
      let save = record.request
      for deleter in rows.deleters { try deleter.deleteLinks() }
      try write(save.links)
      for change in save.orders { try write(change) }
      for (root, keys) in save.touched.sorted(by: { $0.key < $1.key }) {
        record.versions += try raiseVersions(root, keys)
      }
      try computeDerivedValues(rows.tracker, &record)
      return record
    }
  }

  /// A link from or to a record that another writer has deleted is refused (REL-320).
  private func checkDestinations(_ save: SaveRequest) throws {
    for (root, keys) in save.linkedRecords(layout) {
      if let key = try missingRecord(root, among: keys) { throw missingDestination(root: root, key: key) }
    }
  }

  /// The rows that the session sees.
  package var rowView: RowCache.View { isShared ? .transaction : .committed }

  /// Computes the derived values of a save, and reads those of all records that it changes. In a transaction
  /// others may have rows of these records from the row cache, whose versions say nothing of derived values.
  private func computeDerivedValues(_ tracker: DerivedValueTracker?, _ record: inout CommitRecord) throws {
    guard let tracker else { return }
    let computed = try tracker.computeValues(self)
    if isShared, !computed.isEmpty { rowCache.recordDerivedValues(computed) }
    record.derived = try computed + tracker.storedValues(self)
    record.derivedChangeCount = computed.count
  }

  // MARK: Links

  /// The failure of a save with a link from or to a record that another writer has deleted (REL-320).
  private func missingDestination(root: Int, key: Int64) -> GraphStoreError {
    let id = ManagedObjectID(scope: scope, entityIndex: root, key: key)
    return GraphStoreError(
      .objectNotFound, "A link leads to \(id.shortForm), which was deleted by another writer.",
      remedy: "Point the link elsewhere and save again; nothing was written.", objectID: id)
  }
}

extension SaveRequest {
  /// The stored records that have to be there for the links of the save, by entity tree.
  package func linkedRecords(_ layout: ModelLayout) -> [(root: Int, keys: Set<Int64>)] {
    var wanted: [Int: Set<Int64>] = [:]
    func addDestinations(of row: Row, changed: PropertySet?) {
      if row.layout.toOneSlots.isEmpty { return }
      for relationship in row.layout.relationships where relationship.slot >= 0 && relationship.isPersistent {
        if let changed, !changed.contains(relationship.number) { continue }
        guard let reference = row.reference(relationship.slot), reference.key > 0 else { continue }
        wanted[layout.entities[reference.entity].rootIndex, default: []].insert(reference.key)
      }
    }
    for insertion in insertions { addDestinations(of: insertion.row, changed: nil) }
    for update in updates { addDestinations(of: update.row, changed: update.changed) }
    for link in links where !link.added.isEmpty {
      let relationship = link.relationship
      let owner = layout.entities[relationship.description.entity.index].rootIndex
      wanted[owner, default: []].insert(link.owner)
      let added = link.added.filter { $0 > 0 }
      wanted[layout.entities[relationship.destination].rootIndex, default: []].formUnion(added)
    }
    return wanted.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) }
  }
}
