import Foundation

extension InMemoryState {
  /// The values of a row under a uniqueness constraint, and the row.
  struct Claim: Comparable, Sendable {
    let values: [UInt8]
    let key: Int64

    static func < (left: Self, right: Self) -> Bool {
      if left.values == right.values { return left.key < right.key }
      return left.values.lexicographicallyPrecedes(right.values)
    }
  }

  /// Another record that has the values of a row under a constraint.
  func holder(_ constraint: InMemorySchema.Constraint, of row: Row, _ key: Int64) -> Int64? {
    guard let values = row.claim(constraint.properties) else { return nil }
    var holder: Int64?
    claims[constraint.table].scan(from: Claim(values: values, key: .min)) { claim, _ in
      guard claim.values == values else { return false }
      if claim.key != key { holder = claim.key }
      return holder == nil
    }
    return holder
  }
}

extension InMemorySession {
  final func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow])
    -> [ConstraintHolder]
  {
    rows.enumerated().compactMap { position, fetched in
      guard let watched = state.schema.constraint(constraint, of: fetched.row.layout),
        let key = state.holder(watched, of: fetched.row, fetched.key),
        let entity = state.row(fetched.row.layout.rootIndex, key)?.layout.index
      else { return nil }
      return ConstraintHolder(position: position, holder: ObjectKey(entity: entity, key: key))
    }
  }
}

extension InMemoryWriteSession {
  /// - Throws: `constraint-conflict` with all objects that have values of the row already.
  func checkConstraints(_ row: Row, _ key: Int64) throws {
    let constraints = state.schema.constraints[row.layout.index]
    if constraints.isEmpty { return }
    let broken: [ConstraintViolation.Broken] = constraints.compactMap { constraint in
      guard let holder = state.holder(constraint, of: row, key),
        let entity = state.row(row.layout.rootIndex, holder)?.layout.index
      else { return nil }
      return (constraint.properties, ManagedObjectID(scope: scope, entityIndex: entity, key: holder))
    }
    if broken.isEmpty { return }
    throw ConstraintViolation(row: row, key: key, scope: scope, broken: broken).error()
  }
}
