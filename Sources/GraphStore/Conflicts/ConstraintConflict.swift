import GraphStoreModel
import OrderedCollections

/// Uniqueness constraints that a row of a save breaks, and the objects that have its values already.
struct ConstraintConflict {
  /// A constraint by its properties, and the object that has the row's values.
  typealias Broken = (properties: [PropertyLayout], holder: ManagedObjectID?)

  let row: Row
  let key: Int64
  let scope: StoreIdentity
  /// The constraints, of which there is at least one.
  let broken: [Broken]

  /// The error of the save (CTX-178).
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

extension Row {
  /// The uniqueness constraints of the entity that the row has all values for, each in the order of the properties.
  var constraints: [[PropertyLayout]] {
    layout.entity.uniquenessConstraints.map { constraint in
      let names = Set(constraint.map(\.name))
      return layout.properties.filter { names.contains($0.name) }
    }
    .filter { $0.allSatisfy { $0.isPersistent && !value(of: $0).isNull } }
  }
}
