import GraphStoreModel

/// Assigns every table of a statement an alias of its own.
package final class SQLAliases {
  private var count = 0

  package func next() -> SQLAlias {
    defer { count += 1 }
    return SQLAlias(number: count)
  }
}

/// One SELECT while it grows: its tables, and the conditions that make its rows.
package final class SQLScope {
  package let aliases: SQLAliases
  package var select: SQLSelect

  package init(table: String, aliases: SQLAliases) {
    self.aliases = aliases
    select = SQLSelect(source: .init(table: table, alias: aliases.next()))
  }

  package var alias: SQLAlias { select.source.alias }

  package func join(_ table: String, isOuter: Bool, on condition: (SQLAlias) -> SQLExpression) -> SQLAlias {
    let alias = aliases.next()
    select.joins.append(
      .init(
        source: .init(table: table, alias: alias), kind: isOuter ? .outer : .inner,
        condition: condition(alias)))
    return alias
  }
}

/// An object that a statement refers to: its key, and its row once something of the row is needed.
///
/// To-one steps are made once each, so that all uses of one path share one join (PRD-242).
package final class SQLEntityReference {
  package let entity: EntityDescription
  /// The object's key; missing where a to-one on the way is.
  package let key: SQLExpression
  /// The number of the object's entity, where it is stored beside the key.
  package let entityNumber: SQLExpression?
  package let scope: SQLScope
  /// Whether there is an object for every row of the scope.
  package let isAlwaysThere: Bool
  private var alias: SQLAlias?
  private var destinations: [RelationshipDescription: SQLEntityReference] = [:]

  package init(
    _ entity: EntityDescription, key: SQLExpression, entityNumber: SQLExpression? = nil, scope: SQLScope,
    alias: SQLAlias? = nil, isAlwaysThere: Bool = false
  ) {
    self.entity = entity
    self.key = key
    self.entityNumber = entityNumber
    self.scope = scope
    self.alias = alias
    self.isAlwaysThere = isAlwaysThere
  }

  /// The alias of the object's row, which is joined at the first use.
  package func row(in schema: SQLSchema) -> SQLAlias {
    if let alias { return alias }
    let joined = scope.join(schema.entity(entity).table.name, isOuter: true) { alias in
      .infix("=", .column(alias, schema.systemColumns.key), key)
    }
    alias = joined
    return joined
  }

  /// The object at the other end of a to-one; nil where the relationship has no column.
  package func destination(_ relationship: RelationshipDescription, in schema: SQLSchema)
    -> SQLEntityReference?
  {
    if let known = destinations[relationship] { return known }
    guard
      case .toOne(let key, let tag, _) = schema.entity(relationship.entity).storage(of: relationship)
    else { return nil }
    let row = row(in: schema)
    let node = SQLEntityReference(
      relationship.destination, key: .column(row, key.name),
      entityNumber: tag.map { .column(row, $0.name) }, scope: scope)
    destinations[relationship] = node
    return node
  }
}
