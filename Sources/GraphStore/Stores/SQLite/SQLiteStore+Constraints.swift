import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteStore {
  /// Says which constraint a row breaks, with which values, and which object has them already.
  func constraintConflict(_ error: SQLiteError, _ row: Row, key: Int64) -> GraphStoreError {
    let names = error.constraintColumns.map(\.column)
    let entity = schema.entities[row.plan.index]
    let properties = row.plan.properties.filter { property in
      guard case .attribute(let column) = entity.storage[property.number] else { return false }
      return names.contains(column.name)
    }
    let values = properties.map { "\($0.name) \(row.text(of: $0))" }.joined(separator: ", ")
    var failure = GraphStoreError(
      .constraintConflict, "\(row.plan.entity.name): there is another object with \(values).",
      remedy: "Change one of the two; nothing was written.", entity: row.plan.entity.name,
      property: properties.first?.name,
      objectID: ManagedObjectID(scope: scope, entityIndex: row.plan.index, key: key), underlying: error)
    if let other = try? holder(of: properties, row, entity) {
      failure.relatedObjects = [other]
      failure.details = ["\(other.shortForm) has it"]
    }
    return failure
  }

  private func holder(
    of properties: [PropertyPlan], _ row: Row, _ entity: SQLEntity
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
    let sql = "SELECT Z_PK, Z_ENT FROM \(entity.table.quotedName) WHERE \(test) LIMIT 1"
    let binder = SQLiteColumnBinder(
      plan: row.plan, columns: columns, firstParameter: 1, schema: schema, keys: PermanentKeys())
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
