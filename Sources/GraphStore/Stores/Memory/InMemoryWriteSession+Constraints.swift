extension InMemoryWriteSession {
  /// - Throws: `constraint-conflict` with all objects that have values of the row already.
  func checkConstraints(_ row: Row, _ key: Int64) throws {
    let constraints = state.schema.constraints[row.layout.index]
    if constraints.isEmpty { return }
    let broken: [ConstraintConflict.Broken] = constraints.compactMap { constraint in
      guard let holder = state.holder(constraint, of: row, key),
        let entity = state.row(row.layout.rootIndex, holder)?.layout.index
      else { return nil }
      return (constraint.properties, ManagedObjectID(scope: scope, entityIndex: entity, key: holder))
    }
    if broken.isEmpty { return }
    throw ConstraintConflict(row: row, key: key, scope: scope, broken: broken).error()
  }
}
