import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteWriteSession {
  /// Says which constraints a row breaks, with which values, and which objects have them already.
  func constraintConflict(_ error: SQLiteError, _ row: Row, key: Int64) -> GraphStoreError {
    let names = error.constraintColumns.map(\.column)
    let entity = schema.entities[row.layout.index]
    let properties = row.layout.properties.filter { property in
      guard case .attribute(let column) = entity.storage[property.number] else { return false }
      return names.contains(column.name)
    }
    var broken: [ConstraintConflict.Broken] = [
      (properties, try? holder(of: properties, row, key: key, entity: entity))
    ]
    // SQLite names the first constraint alone.
    for others in row.constraints where others.map(\.number) != properties.map(\.number) {
      guard let other = try? holder(of: others, row, key: key, entity: entity) else { continue }
      broken.append((others, other))
    }
    return ConstraintConflict(row: row, key: key, scope: scope, broken: broken).error(underlying: error)
  }

  private func holder(
    of properties: [PropertyLayout], _ row: Row, key: Int64, entity: SQLEntity
  ) throws -> ManagedObjectID? {
    let columns = properties.compactMap { property -> SQLColumn? in
      guard case .attribute(let column) = entity.storage[property.number] else { return nil }
      return column
    }
    guard !columns.isEmpty else { return nil }
    var test = columns.map { "\($0.quotedName) = ?" }.joined(separator: " AND ")
    if let numbers = numbers(bound: Set(properties.map(\.name)), entity) {
      test += " AND Z_ENT IN (\(numbers))"
    }
    test += " AND Z_PK <> \(key)"
    let sql = "SELECT Z_PK, Z_ENT FROM \(entity.table.quotedName) WHERE \(test) LIMIT 1"
    let binder = SQLiteColumnBinder(
      layout: row.layout, columns: columns, firstParameter: 1, schema: schema, keys: PermanentKeyMap())
    return try connection.withStatement(sql) { statement in
      try binder.bind(row, to: statement)
      guard try statement.step(), let found = schema.entity(numbered: Int(statement.int64(at: 1))) else {
        return nil
      }
      return ManagedObjectID(scope: scope, entityIndex: found.entity.index, key: statement.int64(at: 0))
    }
  }

  /// The numbers of the entities that a constraint binds together, or nil if it binds all of the table (MDL-293).
  private func numbers(bound names: Set<String>, _ entity: SQLEntity) -> String? {
    var declaring: EntityDescription? = entity.entity
    while let current = declaring, let parent = current.superentity {
      if current.ownUniquenessConstraints.contains(where: { Set($0.map(\.name)) == names }) {
        return schema.entities[current.index].familyNumbers.map(String.init).joined(separator: ", ")
      }
      declaring = parent
    }
    return nil
  }
}
