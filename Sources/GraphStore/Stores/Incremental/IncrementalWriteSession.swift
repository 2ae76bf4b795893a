import Foundation
import GraphStoreModel
import GraphStorePredicates

/// The one transaction that changes an incremental store: it gathers what is to be written, and gives it to
/// the store when it is committed, all at once.
final class IncrementalWriteSession: IncrementalSession, WriteSession, RecordWriting {
  /// Whether several saves are one, so that rows read are stored in the row cache's overlay.
  let isShared: Bool
  var buffer = ChangeBuffer()
  private var savepoints: [ChangeBuffer] = []
  private var hasEnded = false
  /// The author and the time of the last save.
  private var author: String?
  private var date = Date()

  init(_ store: IncrementalPersistentStore, isShared: Bool) throws {
    self.isShared = isShared
    super.init(store)
    try store.turns.beginWriting(ObjectIdentifier(self))
  }

  override var origin: RowCache.Origin { isShared ? .transaction : .commit }
  override var pending: ChangeBuffer? { buffer.changesAnswers ? buffer : nil }

  // MARK: Ending

  func commit() throws {
    guard !hasEnded else { return }
    if !buffer.isEmpty { try save() }
    end()
  }

  private func save() throws {
    var changes = try buffer.changes(for: store) { [records] record in
      (records.row(record.root, record.key) ?? nil)?.layout.index
    }
    (changes.author, changes.date) = (author, date)
    var metadata = store.metadata
    try metadata.setUserValues(buffer.metadata)
    let (base, request) = (store.base, changes)
    do {
      try store.caller.call("Saving to \(store.path)", for: .writing, failure: .storeSaveFailed) {
        try await base.save(request)
      }
    } catch let conflict as IncrementalStoreConflict {
      throw try refusal(conflict)
    }
    store.metadata = metadata
  }

  /// The failure of a save whose records others have changed since it was checked.
  private func refusal(_ conflict: IncrementalStoreConflict) throws -> GraphStoreError {
    let records = try conflict.identifiers.map { try store.record($0) }
    for record in records {
      rowCache.forget(layout.entities[record.entity].rootIndex, [record.key], in: rowView)
    }
    let ids = records.map { ManagedObjectID(scope: scope, entityIndex: $0.entity, key: $0.key) }
    var error = GraphStoreError(
      .mergeConflict,
      "Somebody else has changed \(ids.map(\.shortForm).joined(separator: ", ")) during the save.",
      remedy: "Save again, which finds what has changed; nothing was written.", objectID: ids.first,
      underlying: conflict)
    error.relatedObjects = ids
    return error
  }

  func rollback() throws { end() }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    buffer = ChangeBuffer()
    savepoints = []
    store.turns.endWriting()
  }

  // MARK: Savepoints

  func setSavepoint() throws {
    savepoints.append(buffer)
    // What others have written since the last save is to be seen.
    records = SessionRecords()
  }

  func releaseSavepoint() throws { savepoints.removeLast() }

  func rollbackToSavepoint() throws { buffer = savepoints.removeLast() }

  // MARK: Keys

  /// Refused: the store itself assigns references, to records that it is shown.
  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64 {
    throw unsupported("Choosing keys of \(root.entity.name)", "Insert objects into a context, and save it.")
  }

  func keys(ofNew rows: () -> [Row]) throws -> [Int64]? {
    let (rows, writer) = (rows(), IncrementalNodeWriter(store: store))
    let insertions = try rows.map {
      IncrementalStoreInsertion(entity: $0.layout.entity, values: try writer.values(of: $0))
    }
    let base = store.base
    let references = try store.caller.call(
      "Assigning references by \(store.path)", for: .writing, failure: .storeSaveFailed
    ) { try await base.permanentReferences(for: insertions) }
    guard references.count == rows.count else {
      throw GraphStoreError(
        .storeSaveFailed,
        "\(store.path) was asked for \(rows.count) references of new records, and returns \(references.count).",
        remedy: "Let permanentReferences(for:) return one for each. Nothing was written.")
    }
    var seen: Set<RecordKey> = []
    return try zip(rows, references).map { row, reference in
      let key = store.key(of: reference, ofTree: row.layout.rootIndex)
      guard seen.insert(RecordKey(root: row.layout.rootIndex, key: key)).inserted else {
        throw GraphStoreError(
          .storeSaveFailed, "\(store.path) gives the reference \(reference) to two new records.",
          remedy: "Let permanentReferences(for:) return each once. Nothing was written.",
          entity: row.layout.entity.name)
      }
      return key
    }
  }

  func writeCopies(_ save: SaveRequest) throws {
    throw unsupported("Taking over the records of another store", "Copy the objects from context to context.")
  }

  private func unsupported(_ work: String, _ way: String) -> GraphStoreError {
    .unsupportedRequest(work, of: store.typeName, instead: way)
  }

  // MARK: Metadata

  override func metadata() throws -> [String: Value] {
    var metadata = store.metadata
    try metadata.setUserValues(buffer.metadata)
    return metadata.all
  }

  func setMetadata(_ values: [String: Value?]) throws {
    var metadata = store.metadata
    try metadata.setUserValues(values)
    _ = try PropertyList.data(metadata.values)
    for (key, value) in values where !StoreMetadata.isReserved(key) {
      buffer.metadata.updateValue(value, forKey: key)
    }
  }

  /// The store keeps no history.
  func recordHistory(of record: CommitRecord) -> CommitRecord.HistoryTransaction? { nil }

  /// Takes what a store is told of a save.
  func take(author: String?, date: Date) { (self.author, self.date) = (author, date) }
}
