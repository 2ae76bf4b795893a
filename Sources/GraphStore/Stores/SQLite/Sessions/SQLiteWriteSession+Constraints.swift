import GraphStoreModel
import GraphStoreSQLite

extension SQLiteWriteSession {
  /// Says which constraints a row breaks, with which values, and which objects have them already.
  func constraintConflict(_ error: SQLiteError, _ row: Row, key: Int64) -> GraphStoreError {
    let columns = Set(error.constraintColumns.map(\.column))
    let entity = schema.entities[row.layout.index]
    func column(of property: PropertyLayout) -> String? {
      guard case .attribute(let column) = entity.storage[property.number] else { return nil }
      return column.name
    }
    var broken: [ConstraintViolation.Broken] = []
    for constraint in row.layout.uniquenessConstraints {
      let properties = row.layout.properties(of: constraint)
      guard properties.allSatisfy({ row.hasValue(of: $0) }) else { continue }
      let holder = holder(of: constraint, row, key: key)
      // SQLite names the first constraint alone.
      if Set(properties.compactMap(column)) == columns {
        broken.insert((properties, holder), at: 0)
      } else if holder != nil {
        broken.append((properties, holder))
      }
    }
    return ConstraintViolation(row: row, key: key, scope: scope, broken: broken).error(underlying: error)
  }

  private func holder(of constraint: UniquenessConstraint, _ row: Row, key: Int64) -> ManagedObjectID? {
    let found = try? holders(of: constraint, rows: [SaveRequest.FetchedRow(key: key, row: row)]).first
    return found.map { ManagedObjectID(scope: scope, entityIndex: $0.holder.entity, key: $0.holder.key) }
  }
}
