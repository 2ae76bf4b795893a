/// A SELECT as a tree.
struct SQLSelect: Sendable, Hashable {
  /// A table in FROM.
  struct Source: Sendable, Hashable {
    var table: String
    var alias: SQLAlias
  }

  /// A table joined to those before it.
  struct Join: Sendable, Hashable {
    var source: Source
    /// Whether rows without a partner stay.
    var isOuter: Bool
    var condition: SQLExpression
  }

  /// One key of the order; values that are missing come first when ascending and last when descending.
  struct Order: Sendable, Hashable {
    var expression: SQLExpression
    var ascending: Bool
  }

  /// The columns; an empty list selects the number 1.
  var columns: [SQLExpression] = []
  /// Whether rows that are equal in all columns are given once.
  var isDistinct = false
  var source: Source
  var joins: [Join] = []
  var conditions: [SQLExpression] = []
  /// What the rows of one group have in common; none where rows stay rows, or are taken together by aggregates alone.
  var groups: [SQLExpression] = []
  /// The condition on groups.
  var having: SQLExpression?
  var order: [Order] = []
  /// The most rows; nil for all.
  var limit: Int?
  /// How many rows are skipped.
  var offset = 0
}

extension SQLSelect {
  /// Calls `body` with every expression of the select.
  func visit(_ body: (SQLExpression) -> Void) {
    for column in columns { column.visit(body) }
    for join in joins { join.condition.visit(body) }
    for condition in conditions { condition.visit(body) }
    for group in groups { group.visit(body) }
    having?.visit(body)
    for key in order { key.expression.visit(body) }
  }

  /// The select without outer joins that nothing looks at.
  func pruned() -> SQLSelect {
    var used: Set<SQLAlias> = []
    func record(_ expression: SQLExpression) {
      if case .column(let alias, _) = expression { used.insert(alias) }
    }
    for column in columns { column.visit(record) }
    for condition in conditions { condition.visit(record) }
    for group in groups { group.visit(record) }
    having?.visit(record)
    for key in order { key.expression.visit(record) }
    var kept: [Join] = []
    for join in joins.reversed() where !join.isOuter || used.contains(join.source.alias) {
      kept.append(join)
      join.condition.visit(record)
    }
    var select = self
    select.joins = kept.reversed()
    return select
  }
}
