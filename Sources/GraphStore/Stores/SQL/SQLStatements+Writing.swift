import GraphStoreModel

extension SQLStatements {
  // MARK: Rows

  /// Inserts rows of an entity; the parameters of each are its key, then the columns of
  /// ``writtenColumns(_:)``.
  ///
  /// - Parameter isCopy: Whether they are rows of another store, whose derived values are written too.
  package func insert(_ entity: SQLEntity, rows: Int, isCopy: Bool = false) -> String {
    text(for: .insertion(entity: entity.number, rows: rows, isCopy: isCopy)) {
      let columns = writtenColumns(entity, withDerived: isCopy).map(\.name)
      let (number, version) = (SQLExpression.number(Int64(entity.number)), SQLExpression.number(1))
      let width = columns.count + 1
      let values = (0..<rows).map { row -> [SQLExpression] in
        let first = row * width + 1
        return [.parameter(first), number, version]
          + columns.indices.map { .parameter(first + $0 + 1) }
      }
      return SQLRenderer.text(
        SQLInsert(
          table: entity.table.name, columns: schema.systemColumns.all + columns, rows: values,
          conflict: rows > 1 ? .failAtRow : .fail),
        dialect)
    }
  }

  /// The columns that a row of an entity has values for: order values are written by themselves, and what
  /// objects do not hold is left alone.
  ///
  /// - Parameter withDerived: Whether those of derived attributes are among them, which the store computes.
  package func writtenColumns(_ entity: SQLEntity, withDerived: Bool = false) -> [SQLColumn] {
    let layout = layout.entities[entity.entity.index]
    return entity.columns(includingSubentities: false).filter { column in
      guard column.kind != .orderKey, let leaf = layout.leaf(of: column) else { return false }
      return leaf.slot >= 0 && (withDerived || !leaf.isDerived)
    }
  }

  /// Writes columns of a row and raises its version; the parameters are the columns' values, the key, and the
  /// version with which the row was read: it finds no row of another. A to-one whose inverse is ordered is
  /// written with its place in that.
  package func update(_ entity: SQLEntity, _ columns: [SQLColumn]) -> String {
    var assignments = [SQLUpdate.Assignment.nextVersion(schema.systemColumns)]
    for (index, column) in columns.enumerated() {
      assignments.append(.init(column.name, .parameter(index + 1)))
    }
    for column in columns where column.kind == .toOneKey {
      guard case .toOne(_, _, let place?) = entity.storage[column.property.number] else { continue }
      assignments.append(.init(place.name, .null))
    }
    return text(
      SQLUpdate(
        table: entity.table.name, assignments: assignments,
        conditions: [
          .equals(.column(schema.systemColumns.key), .parameter(columns.count + 1)),
          .equals(.column(schema.systemColumns.version), .parameter(columns.count + 2)),
        ]))
  }

  /// Writes columns of all rows that a select of one table finds, and raises their versions; the parameters
  /// of the columns are behind those of the select.
  ///
  /// - Parameters:
  ///   - computed: Further columns, which get the values that the select has in its own.
  ///   - returningKeys: Whether it returns their keys and entity numbers.
  /// - Returns: nil for a select of several tables, or of some of the rows that it finds.
  package func update(
    _ columns: [SQLColumn], computed: [SQLColumn] = [], whereFoundBy select: SQLSelect,
    _ bindings: [SQLBinding], returningKeys: Bool
  ) -> String? {
    guard let table = select.soleTable else { return nil }
    return text(
      SQLUpdate(
        table: table, alias: select.source.alias,
        assignments: assignments(columns, firstParameter: bindings.count + 1)
          + zip(computed, select.columns).map { .init($0.name, $1) },
        conditions: select.conditions,
        returned: returningKeys ? [schema.systemColumns.key, schema.systemColumns.entity] : []))
  }

  /// Deletes all rows that a select of one table finds.
  ///
  /// - Returns: nil for a select of several tables, or of some of the rows that it finds.
  package func delete(whereFoundBy select: SQLSelect) -> String? {
    select.soleTable.map {
      SQLRenderer.text(
        SQLDelete(table: $0, alias: select.source.alias, conditions: select.conditions), dialect)
    }
  }

  /// Writes columns of the rows of the keys of a list, the first parameter, raises their versions, and
  /// returns their keys and entity numbers.
  package func update(_ columns: [SQLColumn], ofListedRowsOf table: SQLTable) -> String {
    text(
      SQLUpdate(
        table: table.name, assignments: assignments(columns, firstParameter: 2),
        conditions: [SQLKeyTest.list.condition(on: .column(schema.systemColumns.key), dialect)],
        returned: [schema.systemColumns.key, schema.systemColumns.entity]))
  }

  private func assignments(_ columns: [SQLColumn], firstParameter: Int) -> [SQLUpdate.Assignment] {
    [.nextVersion(schema.systemColumns)]
      + columns.enumerated().map { .init($0.element.name, .parameter(firstParameter + $0.offset)) }
  }

  /// Writes one value, the first parameter, in the rows of the keys of a list, the second one.
  package func set(_ column: SQLColumn) -> String {
    text(
      SQLUpdate(
        table: column.table.name, assignments: [.init(column.name, .parameter(1))],
        conditions: [.isMember(.column(schema.systemColumns.key), dialect.keyList(.parameter(2)))]))
  }

  /// Empties columns of rows.
  ///
  /// - Parameters:
  ///   - key: The column by whose keys the rows are found; nil for that of their own keys.
  ///   - raisingVersions: Whether this is a change of the rows.
  package func clear(
    _ columns: [SQLColumn], of table: SQLTable, where key: String? = nil, _ test: SQLKeyTest,
    raisingVersions: Bool = false
  ) -> String {
    text(
      SQLUpdate(
        table: table.name,
        assignments: (raisingVersions ? [.nextVersion(schema.systemColumns)] : [])
          + columns.map { .init($0.name, .null) },
        conditions: [test.condition(on: .column(key ?? schema.systemColumns.key), dialect)]))
  }

  /// Deletes the rows of a table whose column has one of some keys.
  package func delete(from table: String, where column: String, _ test: SQLKeyTest) -> String {
    SQLRenderer.text(
      SQLDelete(table: table, conditions: [test.condition(on: .column(column), dialect)]), dialect)
  }

  // MARK: Versions and keys

  /// The versions of the rows of a list, by ascending key.
  package func versions(_ table: SQLTable) -> String {
    let key = SQLExpression.column(schema.systemColumns.key)
    var select = select(
      [key, .column(schema.systemColumns.version)], from: table.name, where: schema.systemColumns.key, .list)
    select.order = [.init(expression: key, ascending: true)]
    return text(select)
  }

  /// Raises the versions of the rows of a list by one and returns them.
  package func raiseVersions(_ table: SQLTable) -> String {
    text(
      SQLUpdate(
        table: table.name, assignments: [.nextVersion(schema.systemColumns)],
        conditions: [SQLKeyTest.list.condition(on: .column(schema.systemColumns.key), dialect)],
        returned: [schema.systemColumns.key, schema.systemColumns.version]))
  }

  /// Reserves keys, as many as the first parameter, for records of the tree whose number is the second one,
  /// and returns the last of them.
  package var reserveKeys: String {
    let last = SQLExpression.column(schema.keyCounter.last)
    return text(
      SQLUpdate(
        table: schema.keyCounter.table,
        assignments: [.init(schema.keyCounter.last, .infix("+", last, .parameter(1)))],
        conditions: [.equals(.column(schema.keyCounter.entity), .parameter(2))],
        returned: [schema.keyCounter.last]))
  }

  // MARK: Links

  /// Inserts a pair of keys, unless it is there.
  package func insertPair(into table: String, _ source: String, _ destination: String) -> String {
    SQLRenderer.text(
      SQLInsert(
        table: table, columns: [source, destination], rows: [[.parameter(1), .parameter(2)]],
        conflict: .ignore),
      dialect)
  }

  /// Deletes a pair of keys.
  package func deletePair(from table: String, _ source: String, _ destination: String) -> String {
    SQLRenderer.text(
      SQLDelete(
        table: table,
        conditions: [.equals(.column(source), .parameter(1)), .equals(.column(destination), .parameter(2))]),
      dialect)
  }

  /// Takes the row of a key, the second parameter, from the members of an owner, the first one, that the
  /// members' rows name.
  package func removeMember(owner: SQLColumn, order: SQLColumn?) -> String {
    text(
      SQLUpdate(
        table: owner.table.name,
        assignments: [owner, order].compactMap(\.self).map { .init($0.name, .null) },
        conditions: [
          .equals(.column(schema.systemColumns.key), .parameter(2)),
          .equals(.column(owner.name), .parameter(1)),
        ]))
  }

  /// Makes the row of a key, the second parameter, a member of an owner, the first one, unless it is.
  package func addMember(owner: SQLColumn, order: SQLColumn?) -> String {
    text(
      SQLUpdate(
        table: owner.table.name,
        assignments: [.init(owner.name, .parameter(1))]
          + [order].compactMap(\.self).map { .init($0.name, .null) },
        conditions: [
          .equals(.column(schema.systemColumns.key), .parameter(2)),
          .infix(dialect.isDistinct, .column(owner.name), .parameter(1)),
        ]))
  }

  // MARK: Order

  /// The greatest order value of the members of an owner.
  package func greatestOrder(_ columns: SQLOrderColumns) -> String {
    text(
      select([.call("max", [.column(columns.order)])], from: columns.table, where: columns.owner, .one))
  }

  /// The members of an owner that have order values, with these and in their order.
  ///
  /// - Parameter isListed: Whether they are those at the places of a list, the second parameter.
  package func orderedMembers(_ columns: SQLOrderColumns, isListed: Bool) -> String {
    let (member, order) = (SQLExpression.column(columns.member), SQLExpression.column(columns.order))
    var select = select([member, order], from: columns.table, where: columns.owner, .one)
    select.conditions.append(
      isListed ? .isMember(order, dialect.keyList(.parameter(2))) : .isNotNull(order))
    select.order = [.init(expression: order, ascending: true), .init(expression: member, ascending: true)]
    return text(select)
  }

  /// Sets a member's order value: the parameters are the value, the member and the owner.
  ///
  /// - Parameter keepingStored: Whether one that has an order value keeps it.
  package func setOrder(_ columns: SQLOrderColumns, keepingStored: Bool) -> String {
    let order = SQLExpression.column(columns.order)
    return text(
      SQLUpdate(
        table: columns.table, assignments: [.init(columns.order, .parameter(1))],
        conditions: [
          .equals(.column(columns.member), .parameter(2)), .equals(.column(columns.owner), .parameter(3)),
        ] + (keepingStored ? [.isNull(order)] : [])))
  }

  private func text(_ update: SQLUpdate) -> String { SQLRenderer.text(update, dialect) }
}

extension SQLSelect {
  /// The table whose rows it selects by conditions alone; nil where it joins tables, groups rows or selects
  /// some of those that it finds.
  fileprivate var soleTable: String? {
    joins.isEmpty && groups.isEmpty && limit == nil && offset == 0 ? source.table : nil
  }
}

/// Columns of the order values of the members of an ordered to-many: in the members' own rows, or in the
/// table of pairs.
package struct SQLOrderColumns: Sendable, Hashable {
  package let table: String
  package let owner: String
  package let member: String
  package let order: String
  /// Whether links are written from the owner's side.
  package let isPaired: Bool

  /// - Returns: nil where the relationship has no stored order.
  package init?(_ relationship: RelationshipDescription, in schema: SQLSchema) {
    switch schema.entity(relationship.entity).storage(of: relationship) {
    case .toManyInverse(let key, let order?):
      (table, owner, member, self.order) = (key.table.name, key.name, schema.systemColumns.key, order.name)
      isPaired = key.isOfOwner
    case .joinTable(let pairs, let source, let destination, let order?):
      (table, owner, member, self.order) = (pairs.name, source, destination, order)
      isPaired = true
    default: return nil
    }
  }
}
