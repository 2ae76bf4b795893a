#if PostgreSQL
import GraphStore
import GraphStoreModel
import OrderedCollections

extension PostgreSQLWriteSession {
  /// Says which constraints the first of some rows breaks that breaks any, with which values, and which
  /// objects have them already.
  ///
  /// The server names one index; the rows of the save that collide are looked for, among each other too, by
  /// one statement a constraint.
  func constraintConflict(
    _ failure: PostgreSQLError, among rows: [(key: Int64, row: Row)]
  ) throws -> GraphStoreError {
    var broken: [Int: [ConstraintViolation.Broken]] = [:]
    for constraint in OrderedSet(rows.lazy.flatMap(\.row.layout.uniquenessConstraints)) {
      for (position, violation) in try violations(of: constraint, among: rows) {
        broken[position, default: []].append(violation)
      }
    }
    if let (position, violations) = broken.min(by: { $0.key < $1.key }) {
      let (key, row) = rows[position]
      return ConstraintViolation(row: row, key: key, scope: scope, broken: violations)
        .error(underlying: failure)
    }
    var error = GraphStoreError(failure, path: path)
    if let constraint = failure.constraint {
      error.details.append("the index \(constraint) of the database forbids it")
    }
    return error
  }

  /// The rows that break a constraint, by their positions, with the objects that have their values: records
  /// of the store, else other rows of the save.
  private func violations(
    of constraint: UniquenessConstraint, among rows: [(key: Int64, row: Row)]
  ) throws -> [(position: Int, violation: ConstraintViolation.Broken)] {
    let positions = rows.indices.filter { rows[$0].row.layout.uniquenessConstraints.contains(constraint) }
    var claims: [[UInt8]: [Int]] = [:]
    var claiming: [(position: Int, claim: [UInt8])] = []
    for position in positions {
      let row = rows[position].row
      guard let claim = row.claim(row.layout.properties(of: constraint)) else { continue }
      claims[claim, default: []].append(position)
      claiming.append((position, claim))
    }
    var stored: [Int: ManagedObjectID] = [:]
    let fetched = claiming.map {
      SaveRequest.FetchedRow(key: rows[$0.position].key, row: rows[$0.position].row)
    }
    for found in try holders(of: constraint, rows: fetched) where stored[found.position] == nil {
      stored[found.position] = ManagedObjectID(
        scope: scope, entityIndex: found.holder.entity, key: found.holder.key)
    }
    return claiming.enumerated().compactMap { place, claimed in
      // Of two the second is in the way of the first, as where they are written one after the other.
      let twin = claims[claimed.claim]?.first { $0 < claimed.position }.map { rows[$0] }
      let twinID = twin.map { ManagedObjectID(scope: scope, entityIndex: $0.row.layout.index, key: $0.key) }
      guard let holder = stored[place] ?? twinID else { return nil }
      let properties = rows[claimed.position].row.layout.properties(of: constraint)
      return (claimed.position, (properties, holder))
    }
  }
}
#endif
