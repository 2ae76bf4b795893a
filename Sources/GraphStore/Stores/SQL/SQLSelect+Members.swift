extension SQLSelect {
  /// The select over a derived table that has each row once in each of its groups, though the members that
  /// are joined to it repeat it.
  ///
  /// - Parameters:
  ///   - key: The key of a row. What is selected follows from it, or from the groups.
  ///   - alias: The name of the derived table.
  package func takingRowsOnce(by key: SQLExpression, as alias: SQLAlias) -> SQLSelect {
    var lift = ColumnLift(of: [source.alias] + joins.map(\.source.alias), to: alias)
    for column in [key] + groups { _ = lift.column(column) }
    var outer = self
    outer.columns = columns.map { lift.lifted($0) }
    outer.groups = groups.map { lift.lifted($0) }
    outer.having = having.map { lift.lifted($0) }
    outer.order = order.map { key in
      Order(
        expression: lift.lifted(key.expression), ascending: key.ascending, nilPlacement: key.nilPlacement)
    }
    (outer.joins, outer.conditions) = ([], [])
    var inner = SQLSelect(source: source)
    (inner.joins, inner.conditions, inner.isDistinct) = (joins, conditions, true)
    inner.columns = lift.columns
    outer.source = Source(.select(inner, names: lift.columns.indices.map(ColumnLift.name)), alias: alias)
    return outer
  }
}

/// Replacement of the columns of some tables, and of expressions over them, by columns of a derived table.
private struct ColumnLift {
  private let sources: Set<SQLAlias>
  private let alias: SQLAlias
  /// The expressions that are columns of the derived table.
  private(set) var columns: [SQLExpression] = []

  init(of sources: [SQLAlias], to alias: SQLAlias) {
    self.sources = Set(sources)
    self.alias = alias
  }

  static func name(_ position: Int) -> String { "c\(position)" }

  /// The column of an expression, which is added where it is none.
  mutating func column(_ expression: SQLExpression) -> SQLExpression {
    let known = columns.firstIndex(of: expression)
    if known == nil { columns.append(expression) }
    return .column(alias, Self.name(known ?? columns.count - 1))
  }

  mutating func lifted(_ expression: SQLExpression) -> SQLExpression {
    if columns.contains(expression) { return column(expression) }
    switch expression {
    case .column(let source, _): return sources.contains(source) ? column(expression) : expression
    case .exists(let select): return .exists(lifted(select))
    case .scalar(let select): return .scalar(lifted(select))
    default: return expression.mappingParts { lifted($0) }
    }
  }

  /// A select inside, with what it reads of the tables outside.
  private mutating func lifted(_ select: SQLSelect) -> SQLSelect {
    var select = select
    select.columns = select.columns.map { lifted($0) }
    select.conditions = select.conditions.map { lifted($0) }
    for index in select.joins.indices {
      select.joins[index].condition = lifted(select.joins[index].condition)
    }
    select.groups = select.groups.map { lifted($0) }
    select.having = select.having.map { lifted($0) }
    for index in select.order.indices {
      select.order[index].expression = lifted(select.order[index].expression)
    }
    return select
  }
}
