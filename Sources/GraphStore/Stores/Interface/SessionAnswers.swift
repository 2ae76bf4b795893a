import GraphStoreModel
import OrderedCollections

/// A record that has the values of a row under a uniqueness constraint.
package struct ConstraintHolder {
  /// The position of the row among those that were asked for.
  package let position: Int
  package let holder: ObjectKey

  package init(position: Int, holder: ObjectKey) {
    self.position = position
    self.holder = holder
  }
}

/// One stored link of a to-many.
package struct LinkRow: Sendable {
  package var owner: Int64
  package var member: ObjectKey
  /// The stored order value of an ordered relationship; 0 where there is none.
  package var order: Int64

  package init(owner: Int64, member: ObjectKey, order: Int64) {
    self.owner = owner
    self.member = member
    self.order = order
  }
}

extension LinkRow: Comparable {
  /// Whether a link precedes another: by owner, then by place, then by the member's key.
  package static func < (left: LinkRow, right: LinkRow) -> Bool {
    (left.owner, left.order, left.member.key) < (right.owner, right.order, right.member.key)
  }
}

/// Uniqueness constraints that a row breaks as it is written, and the objects that have its values already.
package struct ConstraintViolation {
  /// A constraint by its properties, and the object that has the row's values.
  package typealias Broken = (properties: [PropertyLayout], holder: ManagedObjectID?)

  package let row: Row
  package let key: Int64
  package let scope: StoreIdentity
  /// The constraints, of which there is at least one.
  package let broken: [Broken]

  package init(row: Row, key: Int64, scope: StoreIdentity, broken: [Broken]) {
    self.row = row
    self.key = key
    self.scope = scope
    self.broken = broken
  }

  /// The error of what wrote the row (CTX-178).
  package func error(underlying: (any Error)? = nil) -> GraphStoreError {
    let values = broken.map { constraint in
      constraint.properties.map { "\($0.name) \(row.text(of: $0))" }.joined(separator: ", ")
    }
    let found = Array(OrderedSet(broken.compactMap(\.holder)))
    let others = found.count > 1 ? "are other objects" : "is another object"
    var failure = GraphStoreError(
      .constraintConflict,
      "\(row.layout.entity.name): there \(others) with \(values.joined(separator: ", and with ")).",
      remedy: "Change one of \(found.count > 1 ? "them" : "the two"); nothing was written.",
      entity: row.layout.entity.name, property: broken.first?.properties.first?.name,
      objectID: ManagedObjectID(scope: scope, entityIndex: row.layout.index, key: key), underlying: underlying
    )
    failure.relatedObjects = found
    failure.details = found.map { "\($0.shortForm) has it" }
    return failure
  }
}

/// Changes that bring the indexes of a store into line with its model.
///
/// ```swift
/// let changes = try coordinator.rebuildIndexes()
/// if !changes.isEmpty { print("made", changes.made, "and removed", changes.removed) }
/// ```
public struct IndexChanges: Hashable, Sendable {
  /// The names of the indexes that were made.
  public var made: [String]
  /// The names of the indexes that were removed: the model does not have them.
  public var removed: [String]

  /// Whether nothing had to be done.
  public var isEmpty: Bool { made.isEmpty && removed.isEmpty }
}
