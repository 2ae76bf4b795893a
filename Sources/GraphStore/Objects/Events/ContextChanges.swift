/// Changes of one event in a context: the one record that undo, notifications and all consumers of events
/// read.
///
/// It refers to rows and members that are there anyway; sets and dictionaries are made by the consumers.
struct ContextChanges {
  /// A changed object with what it was before the event.
  struct Change {
    let object: ManagedObject
    let before: EventSnapshot
    /// By the relationship's position.
    let members: [(ordinal: Int, log: MembershipLog)]
  }

  var inserted: [ManagedObject] = []
  var updated: [Change] = []
  var deleted: [Change] = []
  /// Objects that have got new values without being changed here.
  var refreshed: [ManagedObject] = []
  /// The rows that they had, where a consumer looks at records; nil for those that had none, or values of
  /// their own.
  var formerRows: [ObjectIdentifier: Row?] = [:]

  /// The row that a refreshed object had; nil where that is not known.
  func formerRow(of object: ManagedObject) -> Row? { formerRows[ObjectIdentifier(object)] ?? nil }
  var invalidated: [ManagedObject] = []
  /// The identifiers of all objects, where all were invalidated at once.
  var invalidatedAll: [ManagedObjectID] = []
  /// Records that others have changed or deleted, whether or not the context has objects of them; for
  /// consumers of events that look at records too.
  var mergedRecords: [RecordGroup] = []
  /// The entity trees of records that others have deleted, by their roots.
  var mergedDeletionTrees: Set<Int> = []
  /// The entity trees of records of which a save has changed derived values, whether or not the context has
  /// objects of them.
  var derivedTrees: Set<Int> = []

  /// Everything that was inserted, updated or deleted.
  var objects: [ManagedObject] { inserted + (updated + deleted).map(\.object) }

  var isEmpty: Bool { hasNoObjects && mergedRecords.isEmpty && derivedTrees.isEmpty }

  /// Whether no object of the context has changed.
  var hasNoObjects: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && invalidated.isEmpty
      && invalidatedAll.isEmpty
  }
}

/// Changes that are being delivered to observers, found by object; the table is made when one is first asked
/// for.
final class DeliveredChanges {
  private let changes: ContextChanges
  private lazy var byObject = Dictionary(
    (changes.updated + changes.deleted).map { (ObjectIdentifier($0.object), $0) }
  ) { first, _ in first }

  init(_ changes: ContextChanges) { self.changes = changes }

  func change(of object: ManagedObject) -> ContextChanges.Change? { byObject[ObjectIdentifier(object)] }
}

extension ContextChanges.Change {
  /// The change of an object in the event that is open.
  init(_ object: ManagedObject, before: EventSnapshot) {
    self.object = object
    self.before = before
    members = object.membershipLogs
  }
}

extension ManagedObject {
  /// The logs of the to-manys that the open event has changed.
  final var membershipLogs: [(ordinal: Int, log: MembershipLog)] {
    guard let relationships = extra?.relationships else { return [] }
    return relationships.enumerated().compactMap { ordinal, relationship in
      (relationship as? ToManyRelationship)?.log.map { (ordinal, $0) }
    }
  }
}
