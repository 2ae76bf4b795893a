import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteWriteSession: RecordWriting {
  /// One statement, which the index on the column answers.
  func referring(to keys: [Int64], by reference: RelationshipDescription) throws -> [LinkRow] {
    guard case .toOne(let column, _, _) = storage(of: reference) else { return [] }
    let owners = keys.sorted()
    guard let first = owners.first, let last = owners.last else { return [] }
    let isRange = last - first == Int64(owners.count - 1)
    let bindings: [SQLBinding] =
      isRange ? [.integer(first), .integer(last)] : [.text(SQLiteSession.list(owners))]
    var members: [LinkRow] = []
    try run(statements.referring(column, isRange ? .range : .list), bindings) { statement in
      while try statement.step() {
        let entity = schema.entity(numbered: Int(statement.int64(at: 2)))?.entity.index
        members.append(
          LinkRow(
            owner: statement.int64(at: 0),
            member: ObjectKey(entity: entity ?? reference.entity.index, key: statement.int64(at: 1)), order: 0
          ))
      }
    }
    return members
  }

  func clear(_ reference: RelationshipDescription, of keys: [Int64]) throws {
    guard case .toOne(let column, let entity, let order) = storage(of: reference) else { return }
    let columns = [column, entity, order].compactMap(\.self)
    let sql = statements.clear(columns, of: column.table, .list, raisingVersions: true)
    try run(sql, [.text(SQLiteSession.list(keys))]) { _ = try $0.step() }
  }

  /// One statement, which the index on the column answers.
  func deleteMembers(_ relationship: RelationshipLayout, owners: [Int64]) throws -> Int? {
    guard case .toManyInverse(let column, _) = storage(of: relationship.description) else { return nil }
    try run(
      statements.delete(from: column.table.name, where: column.name, .list),
      [.text(SQLiteSession.list(owners))]
    ) { try $0.run() }
    return connection.changes
  }

  func storage(of relationship: RelationshipDescription) -> SQLPropertyStorage {
    schema.entity(relationship.entity).storage(of: relationship)
  }
}

extension SQLiteWriteSession {
  func storeDerivedValues(
    of derived: DerivedAttribute, keys: [Int64]?, date: Date
  ) throws -> [DerivedValue] {
    guard case .attribute(let column) = schema.entity(derived.entity).storage(of: derived.attribute) else {
      return []
    }
    let root = derived.entity.rootEntity.index
    if case .save = derived.source {
      let keys = keys ?? []
      try run(
        statements.set(column),
        [.double(date.timeIntervalSinceReferenceDate), .text(Self.list(keys))]
      ) { try $0.run() }
      return keys.map { DerivedValue(root: root, key: $0, attribute: derived.attribute, value: .date(date)) }
    }
    guard let computed = store.derivedColumns.first(where: { $0.derived.attribute === derived.attribute })
    else {
      return []
    }
    return try reporting {
      let values = SQLiteDerivedValues(
        column: computed, connection: connection, layout: layout.entities[derived.entity.index],
        schema: schema,
        externalData: store.externalStorage.isPrefixed ? store.externalDataTable : nil)
      let changes = try values.changes(keys: keys)
      try values.write(changes)
      return changes.map {
        DerivedValue(root: root, key: $0.key, attribute: derived.attribute, value: $0.value)
      }
    }
  }
}

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

  /// The error of a row that breaks a constraint outside the model: the key of its table, or a unique index
  /// that other programs made.
  private func unknownConstraint(_ error: SQLiteError, _ row: Row, key: Int64) -> GraphStoreError {
    let columns = error.constraintColumns.map(\.column)
    let entity = schema.entities[row.layout.index]
    if columns == ["Z_PK"] {
      return GraphStoreError(
        .storeCorrupt,
        "\(path): the key \(key) of a new \(row.layout.entity.name) is taken, for the store's key counter lies below it.",
        remedy: "Repair the store, which sets the counter; nothing was written.",
        entity: row.layout.entity.name,
        objectID: ManagedObjectID(scope: scope, entityIndex: row.layout.index, key: key), underlying: error)
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
