import GraphStoreModel

extension SQLStatements {
  /// Owner, key, entity number and order value of the members of a to-many; nil where it is not stored.
  package func members(_ relationship: RelationshipLayout, _ test: SQLKeyTest) -> String? {
    text(for: .members(ObjectIdentifier(relationship.description), test)) { membersText(relationship, test) }
  }

  private func membersText(_ relationship: RelationshipLayout, _ test: SQLKeyTest) -> String? {
    switch storage(of: relationship.description) {
    case .toManyInverse(let owner, let order):
      // Without a column that only the row has, the index on the owner's key answers alone.
      let hasSoleEntity = soleMemberEntity(relationship) != nil
      return members(
        select([], from: owner.table.name, where: owner.name, test), owner: .column(owner.name),
        key: .column(schema.systemColumns.key),
        entity: hasSoleEntity ? .number(0) : .column(schema.systemColumns.entity),
        order: order.map { .column($0.name) })
    case .joinTable(let table, let source, let destination, let order):
      let (pair, member) = (SQLAlias(number: 0), SQLAlias(number: 1))
      return members(
        pairs(
          of: table, pair, joining: schema.entities[relationship.destination].table, member, on: destination,
          where: source, test),
        owner: .column(pair, source), key: .column(member, schema.systemColumns.key),
        entity: .column(member, schema.systemColumns.entity), order: order.map { .column(pair, $0) })
    case .none, .attribute, .toOne: return nil
    }
  }

  private func members(
    _ select: SQLSelect, owner: SQLExpression, key: SQLExpression, entity: SQLExpression,
    order: SQLExpression?
  ) -> String {
    var select = select
    select.columns = [owner, key, entity, order ?? .number(0)]
    select.order = [owner, order, key].compactMap(\.self).map { .init(expression: $0, ascending: true) }
    return text(select)
  }

  /// The entity of all members of a to-many, by its position in the model; nil where their rows have to name
  /// theirs.
  package func soleMemberEntity(_ relationship: RelationshipLayout) -> Int? {
    guard case .toManyInverse = storage(of: relationship.description) else { return nil }
    let member = schema.entities[relationship.destination]
    return member.sharesTable ? nil : schema.entity(numbered: member.namingNumber)?.entity.index
  }

  /// The rows of the members of a to-many, with two columns behind them: the owner's key and the order value;
  /// nil where the relationship is not stored.
  ///
  /// They are in no order, since links are sorted at a fraction of what rows would cost. A member of several
  /// owners occurs once for each.
  package func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, _ test: SQLKeyTest
  ) -> String? {
    text(for: .memberRows(ObjectIdentifier(relationship.description), root: root.index, test)) {
      memberRowsText(relationship, in: root, test)
    }
  }

  private func memberRowsText(
    _ relationship: RelationshipLayout, in root: EntityLayout, _ test: SQLKeyTest
  ) -> String? {
    let names = rowColumns(root)
    switch storage(of: relationship.description) {
    case .toManyInverse(let owner, let order):
      let links: [SQLExpression] = [.column(owner.name), order.map { .column($0.name) } ?? .number(0)]
      return text(
        select(names.map { .column($0) } + links, from: owner.table.name, where: owner.name, test))
    case .joinTable(let table, let source, let destination, let order):
      let (pair, member) = (SQLAlias(number: 0), SQLAlias(number: 1))
      var select = pairs(
        of: table, pair, joining: schema.entities[root.index].table, member, on: destination, where: source,
        test)
      select.columns =
        names.map { .column(member, $0) }
        + [.column(pair, source), order.map { .column(pair, $0) } ?? .number(0)]
      return text(select)
    case .none, .attribute, .toOne: return nil
    }
  }

  /// Pairs of some owners with the rows of their members.
  private func pairs(
    of table: SQLJoinTable, _ pair: SQLAlias, joining members: SQLTable, _ member: SQLAlias,
    on destination: String, where source: String, _ test: SQLKeyTest
  ) -> SQLSelect {
    SQLSelect(
      source: .init(table: table.name, alias: pair),
      joins: [
        .init(
          source: .init(table: members.name, alias: member), kind: .inner,
          condition: .equals(.column(member, schema.systemColumns.key), .column(pair, destination)))
      ],
      conditions: [test.condition(on: .column(pair, source), dialect)])
  }

  private func storage(of relationship: RelationshipDescription) -> SQLPropertyStorage {
    schema.entity(relationship.entity).storage(of: relationship)
  }

  /// The rows that refer to others by a to-one: the key that they name, their own, and their entity number.
  package func referring(_ column: SQLColumn, _ test: SQLKeyTest) -> String {
    text(
      select(
        [.column(column.name), .column(schema.systemColumns.key), .column(schema.systemColumns.entity)],
        from: column.table.name, where: column.name, test))
  }

  /// The owners, but for one, the first parameter, whose keys the rows of a list name, the second one.
  package func formerOwners(_ owner: SQLColumn) -> String {
    let list = SQLAlias(number: 0)
    let keys = SQLSelect(
      columns: [.column(list, "value")], source: .init(.list(dialect.keyList(.parameter(2))), alias: list))
    var select = SQLSelect(
      columns: [.column(owner.name)], source: .init(table: owner.table.name, alias: .unnamed),
      conditions: [
        .infix("IN", .column(schema.systemColumns.key), .scalar(keys)),
        .infix("<>", .column(owner.name), .parameter(1)),
      ])
    select.isDistinct = true
    return text(select)
  }

  /// The keys of a list that no row has.
  package func missing(_ table: SQLTable) -> String {
    let list = SQLAlias(number: 0)
    let value = SQLExpression.column(list, "value")
    let keys = SQLSelect(
      columns: [.column(schema.systemColumns.key)], source: .init(table: table.name, alias: .unnamed))
    return text(
      SQLSelect(
        columns: [value], source: .init(.list(dialect.keyList(.parameter(1))), alias: list),
        conditions: [.infix("NOT IN", value, .scalar(keys))]))
  }
}
