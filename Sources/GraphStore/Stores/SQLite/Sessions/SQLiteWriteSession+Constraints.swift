import GraphStoreModel
import GraphStoreSQLite

extension SQLiteWriteSession {
  /// Says which constraints a row breaks, with which values, and which objects have them already.
  func constraintConflict(_ error: SQLiteError, _ row: Row, key: Int64) -> GraphStoreError {
    let columns = Set(error.constraintColumns.map(\.column))
    let entity = schema.entities[row.layout.index]
    var broken: [ConstraintViolation.Broken] = []
    for constraint in row.layout.uniquenessConstraints {
      let properties = row.layout.properties(of: constraint)
      guard properties.allSatisfy({ row.hasValue(of: $0) }) else { continue }
      let holder = holder(of: constraint, row, key: key)
      // SQLite names the first constraint alone.
      let own = entity.columns(ofConstraint: properties.map { entity.entity.properties[$0.number] }) ?? []
      if Set(own.map(\.name)) == columns {
        broken.insert((properties, holder), at: 0)
      } else if holder != nil {
        broken.append((properties, holder))
      }
    }
    if broken.isEmpty { return unknownConstraint(error, row, key: key) }
    return ConstraintViolation(row: row, key: key, scope: scope, broken: broken).error(underlying: error)
  }

  /// What a row breaks that is no constraint of the model: the key of its table, or a unique index that other programs made.
  private func unknownConstraint(_ error: SQLiteError, _ row: Row, key: Int64) -> GraphStoreError {
    let columns = error.constraintColumns.map(\.column)
    let entity = schema.entities[row.layout.index]
    if columns == ["Z_PK"] {
      return GraphStoreError(
        .storeCorrupt,
        "\(path): the key \(key) of a new \(row.layout.entity.name) is taken, for the store's key counter lies below it.",
        remedy: "Run graphstore check --repair, which sets the counter; nothing was written.",
        entity: row.layout.entity.name, underlying: error)
    }
    let properties = row.layout.properties.filter { property in
      entity.columns(ofConstraint: [entity.entity.properties[property.number]])
        .map { columns.contains($0[0].name) } ?? false
    }
    let violation = ConstraintViolation(row: row, key: key, scope: scope, broken: [(properties, nil)])
    var failure = violation.error(underlying: error)
    failure.details.append(
      "a unique index of the file over \(columns.joined(separator: ", ")) forbids it, which the model does not have"
    )
    return failure
  }

  private func holder(of constraint: UniquenessConstraint, _ row: Row, key: Int64) -> ManagedObjectID? {
    let found = try? holders(of: constraint, rows: [SaveRequest.FetchedRow(key: key, row: row)]).first
    return found.map { ManagedObjectID(scope: scope, entityIndex: $0.holder.entity, key: $0.holder.key) }
  }
}
