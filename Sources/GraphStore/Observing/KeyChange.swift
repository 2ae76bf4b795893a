import Foundation

/// Change of an observed key path (OBJ-230).
public struct KeyChange {
  /// The key path that is observed.
  public let keyPath: String
  /// The value before, in the types of ``ManagedObject/value(forKey:)``, of a to-many a `Set` or
  /// an array of its members; nil too where it was not known.
  public let oldValue: Any?
  /// The value now; nil in a report that comes before the change.
  public let newValue: Any?
  /// Whether the report comes before the change, by ``KeyObservation/Options/prior``.
  public var isPrior = false
  /// Whether the object has only become a fault, or was realised again (OBJ-234).
  public var isFaulting = false
  /// Of a to-many: the objects that have joined.
  public var inserted: [ManagedObject] = []
  /// Of a to-many: the objects that have left.
  public var removed: [ManagedObject] = []
  /// Of an ordered to-many: where those that have joined stand now.
  public var insertedIndexes = IndexSet()
  /// Of an ordered to-many: where those that have left stood.
  public var removedIndexes = IndexSet()
}

extension KeyChange {
  /// Finds out which members have come and gone.
  mutating func compareMembers() {
    let (old, new) = (Self.members(oldValue), Self.members(newValue))
    guard old != nil || new != nil else { return }
    let (before, after) = (old?.objects ?? [], new?.objects ?? [])
    let (wasMember, isMember) = (Set(before), Set(after))
    inserted = after.filter { !wasMember.contains($0) }
    removed = before.filter { !isMember.contains($0) }
    guard (new ?? old)?.isOrdered == true else { return }
    insertedIndexes = IndexSet(after.indices.filter { !wasMember.contains(after[$0]) })
    removedIndexes = IndexSet(before.indices.filter { !isMember.contains(before[$0]) })
  }

  private static func members(_ value: Any?) -> (objects: [ManagedObject], isOrdered: Bool)? {
    if let objects = value as? [ManagedObject] { return (objects, true) }
    if let objects = value as? Set<ManagedObject> { return (Array(objects).sortedByIdentifier(), false) }
    return nil
  }
}
