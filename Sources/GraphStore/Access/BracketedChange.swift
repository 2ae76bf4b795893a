/// Change of one property between `willChangeValue` and `didChangeValue`.
struct BracketedChange {
  /// The property's number.
  let number: Int
  /// What the property led to before: nothing for an attribute, one object at most for a to-one.
  let members: [ManagedObject]
  /// What the object was, where it counted as unchanged and its committed row does not say it.
  let before: EventSnapshot?
}

/// How a set of members changes, for the brackets of a to-many relationship.
public enum SetMutation: Sendable {
  /// Objects join.
  case union
  /// Objects leave.
  case minus
  /// All leave but these.
  case intersect
  /// These take the place of all.
  case set
}

/// How an ordered set of members changes, for the brackets of an ordered relationship.
public enum OrderedMutation: Sendable {
  /// Objects come to stand at the indexes.
  case insertion
  /// The objects at the indexes leave.
  case removal
  /// Others take the places of the objects at the indexes.
  case replacement
}
