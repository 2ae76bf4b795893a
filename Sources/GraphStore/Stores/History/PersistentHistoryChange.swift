import GraphStoreModel
import GraphStorePredicates

/// Kind of change of a record in a history, with Core Data's numbers.
///
/// ```swift
/// print(PersistentHistoryChangeType.delete)  // delete
/// ```
public enum PersistentHistoryChangeType: Int, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The record is new.
  case insert = 0
  /// Properties of it have changed.
  case update = 1
  /// The record is gone.
  case delete = 2

  /// The word: `insert`, `update` or `delete`.
  public var description: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }
}

/// What one transaction has done to one record.
///
/// ```swift
/// try coordinator.enableHistoryTracking(of: archive)
/// try context.save()
/// var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
/// request.resultType = .changesOnly
/// for change in try context.execute(request).changes where change.changeType == .update {
///   print(change.changedObjectID, change.updatedProperties?.map(\.name) ?? [])
/// }
/// ```
public struct PersistentHistoryChange: Sendable {
  private let header: HistoryTransactionHeader
  /// The number of the change in its store, which grows with each change.
  public let changeID: Int64
  /// The kind of change.
  public let changeType: PersistentHistoryChangeType
  /// The identifier of the record, which may be gone by now.
  public let changedObjectID: ManagedObjectID
  /// The values that a deleted record had, of the attributes that are preserved in the history, `.null` among
  /// them, by name; nil for other changes, and where the entity has no such attribute.
  public let tombstone: [String: Value]?
  private let changed: PropertySet

  package init(
    _ header: HistoryTransactionHeader, changeID: Int64, _ changeType: PersistentHistoryChangeType,
    _ changedObjectID: ManagedObjectID, changed: PropertySet, tombstone: [String: Value]?
  ) {
    self.header = header
    self.changeID = changeID
    self.changeType = changeType
    self.changedObjectID = changedObjectID
    self.changed = changed
    self.tombstone = tombstone
  }

  /// The transaction, without its changes.
  public var transaction: PersistentHistoryTransaction {
    PersistentHistoryTransaction(header: header, changes: nil)
  }

  /// The properties whose stored content has changed, derived ones and to-manys among them, in the order of
  /// the model; nil for an insertion and a deletion.
  ///
  /// None where nothing but the version of the record was raised.
  public var updatedProperties: [PropertyDescription]? {
    guard changeType == .update else { return nil }
    let properties = changedObjectID.entity.properties
    var updated: [PropertyDescription] = []
    changed.forEach { if properties.indices.contains($0) { updated.append(properties[$0]) } }
    return updated
  }
}
