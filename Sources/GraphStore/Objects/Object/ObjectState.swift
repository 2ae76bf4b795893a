/// The flags of a managed object.
struct ObjectState: OptionSet {
  let rawValue: UInt32

  /// The registry of its context knows the object.
  static let registered = Self(rawValue: 1 << 0)
  /// Its values have not been asked for.
  static let fault = Self(rawValue: 1 << 1)
  static let inserted = Self(rawValue: 1 << 2)
  static let updated = Self(rawValue: 1 << 3)
  static let deleted = Self(rawValue: 1 << 4)
  /// Its delete rules have been applied; kept by an object that has left its context.
  static let propagated = Self(rawValue: 1 << 5)
  /// Its deletion was saved, or it was inserted and deleted.
  static let detached = Self(rawValue: 1 << 6)
  /// Its context was reset or is gone.
  static let invalidated = Self(rawValue: 1 << 7)
  /// The row is its own and may be written in place.
  static let ownsRow = Self(rawValue: 1 << 8)
  /// It is in the context's list of changed objects.
  static let listed = Self(rawValue: 1 << 9)
  /// `awakeFromInsert` or `awakeFromFetch` is running.
  static let awakening = Self(rawValue: 1 << 10)
  /// Its record turned out to be gone.
  static let inaccessible = Self(rawValue: 1 << 11)
  /// A delete preview has found it.
  static let marked = Self(rawValue: 1 << 12)
  /// The row cache counts it among the holders of its row.
  static let holdsRow = Self(rawValue: 1 << 13)
  /// The store was chosen in which the object is first saved.
  static let assigned = Self(rawValue: 1 << 14)

  /// It becomes a fault, and the hooks of that run: what they set is no change (FLT-120).
  static let refaulting = Self(rawValue: 1 << 15)

  /// It takes part in the event that is open: its context's list of changes has it at the right position, and
  /// what it was before is kept.
  static let inEvent = Self(rawValue: 1 << 16)
  /// It was inserted in that event.
  static let insertedInEvent = Self(rawValue: 1 << 17)
  /// One of its keys is observed: its changes take the slow path.
  static let observed = Self(rawValue: 1 << 18)
  /// A save that does not settle records its changes, which take the slow path.
  static let watched = Self(rawValue: 1 << 19)

  /// Another context has deleted its record, and that was merged: the registry does not know it any more, and
  /// a save has nothing to write of it.
  static let deletedElsewhere = Self(rawValue: 1 << 20)

  /// The flags that are cleared when the object leaves the list of changes.
  static let listing: Self = [.listed, .inEvent, .insertedInEvent]

  /// The contradiction in a combination of flags that no object may have; nil for all others.
  var contradiction: String? {
    if contains([.fault, .ownsRow]) { return "a fault has no row to write to" }
    if contains([.inserted, .updated]) { return "an object that was never saved is not updated" }
    if !isDisjoint(with: [.propagated, .inaccessible]), isDisjoint(with: [.deleted, .detached, .invalidated])
    {
      return "delete rules are applied for a deletion, and a record that is gone counts as deleted"
    }
    if contains(.deletedElsewhere),
      !isSuperset(of: [.deleted, .inaccessible]) || !isDisjoint(with: [.registered, .holdsRow, .listed])
    {
      return "a merged deletion takes its object out of the registry and of the list of changes"
    }
    if contains(.insertedInEvent), !contains(.inEvent) {
      return "it was inserted in an event that it has no part in"
    }
    if isDisjoint(with: [.detached, .invalidated]) { return nil }
    return isDisjoint(with: Self.membership)
      ? nil : "an object that left its context counts for nothing there"
  }

  /// The flags of an object that are cleared when it leaves its context.
  static let membership: Self = [
    .registered, .holdsRow, .inserted, .updated, .deleted, .listed, .ownsRow, .inEvent, .insertedInEvent,
    .deletedElsewhere,
  ]

  static let changed: Self = [.inserted, .updated, .deleted]
  /// The flags of an object that differs from its committed row.
  static let ownState: Self = [.inserted, .updated, .deleted, .ownsRow]

  /// The object has never been saved, and is going to be.
  var isInsertion: Bool { intersection([.inserted, .deleted]) == .inserted }
  /// The object was saved before, and has changes to be saved.
  var isUpdate: Bool { intersection([.inserted, .updated]) == .updated }
  /// The object is going to be deleted, if it was ever saved.
  var isDeletion: Bool { intersection([.deleted, .detached]) == .deleted }

  /// Whether a save has something to write of the object, or a record of it to delete.
  var isToBeSaved: Bool {
    isInsertion || isUpdate || isDeletion && !contains(.inserted)
  }

  /// Whether the object counts as changed in the event that is open, has a row of its own, and nothing
  /// prevents another change.
  @inline(__always)
  var isOpenForChange: Bool {
    guard
      intersection([.ownsRow, .inEvent, .observed, .watched, .fault, .invalidated, .detached]) == [
        .ownsRow, .inEvent,
      ]
    else {
      return false
    }
    return contains(.inserted) || intersection([.updated, .awakening]) == .updated
  }
}
