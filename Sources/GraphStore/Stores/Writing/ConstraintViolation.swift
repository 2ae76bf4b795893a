import GraphStoreModel
import OrderedCollections

/// Uniqueness constraints that a row breaks as it is written, and the objects that have its values already.
struct ConstraintViolation {
  /// A constraint by its properties, and the object that has the row's values.
  typealias Broken = (properties: [PropertyLayout], holder: ManagedObjectID?)

  let row: Row
  let key: Int64
  let scope: StoreIdentity
  /// The constraints, of which there is at least one.
  let broken: [Broken]

  /// The error of what wrote the row (CTX-178).
  func error(underlying: (any Error)? = nil) -> GraphStoreError {
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
