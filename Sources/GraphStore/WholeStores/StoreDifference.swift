/// A difference between the objects of two stores.
package enum StoreDifference {
  /// Only the second store has the object.
  case added(StoredObject)
  /// Only the first store has it.
  case removed(StoredObject)
  /// Both have it, with other values in some columns, of which there is at least one.
  case changed(StoredObject, StoredObject, [ComparedColumn])
}

/// Number of differences of each kind.
package struct StoreDifferenceCounts: Equatable {
  package var added = 0
  package var removed = 0
  package var changed = 0

  /// Whether there are none.
  package var isEmpty: Bool { added + removed + changed == 0 }
}

/// A column that both stores have, by its positions in their shapes.
package struct ComparedColumn: Sendable {
  package let name: String
  package let old: Int
  package let new: Int
  let comparison: Comparison
  /// Where the values lie, without anything that counts references.
  let place: Place
  /// Whether the value is computed by the store.
  package let isDerived: Bool

  /// The slots of both rows, and how their values compare.
  struct Place: Sendable {
    let old: Int
    let new: Int
    let comparison: Comparison
  }

  /// How two values of a column compare.
  enum Comparison: Sendable {
    case words
    case doubles
    case bytes
    case decimals
    case data
    case references
    case members(isOrdered: Bool)
  }
}

/// Part of the models of two stores that only one of them has, or that differs.
package struct ModelMismatch: Equatable, Sendable {
  /// The entity, or the property as `Entity.property`.
  package let subject: String
  /// What is the matter.
  package let kind: Kind

  /// Kind of a mismatch.
  package enum Kind: Equatable, Sendable {
    /// Only the first store has it.
    case onlyInOld
    /// Only the second store has it.
    case onlyInNew
    /// Values of the two do not compare: the types, or what the entity is below.
    case differs(old: String, new: String)
  }
}
