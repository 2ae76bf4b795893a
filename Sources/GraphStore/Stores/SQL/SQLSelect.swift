import GraphStoreModel
import GraphStorePredicates

/// A SELECT as a tree.
package struct SQLSelect: Sendable, Hashable {
  /// A table in FROM.
  package struct Source: Sendable, Hashable {
    package var relation: Relation
    package var alias: SQLAlias

    package init(_ relation: Relation, alias: SQLAlias) {
      self.relation = relation
      self.alias = alias
    }

    package init(table: String, alias: SQLAlias) { self.init(.table(table), alias: alias) }

    /// The name of a stored table; nil for values that are part of the statement.
    package var table: String? { if case .table(let name) = relation { name } else { nil } }
  }

  /// Source of rows.
  package enum Relation: Sendable, Hashable {
    /// A stored table.
    case table(String)
    /// A list of values, as rows of one column, `value`.
    case list(SQLList)
    /// Rows that are part of the statement, under names of their columns.
    case lines([String], [[SQLExpression]])
    /// The rows of another select, under names of its columns.
    indirect case select(SQLSelect, names: [String])
  }

  /// A table joined to those before it.
  package struct Join: Sendable, Hashable {
    package var source: Source
    package var kind: Kind
    package var condition: SQLExpression

    package enum Kind: Sendable, Hashable {
      /// Rows with a partner.
      case inner
      /// All rows, those without a partner too.
      case outer
      /// Rows with a partner; the table before is read first.
      case inOrder
    }
  }

  /// One key of the order.
  package struct Order: Sendable, Hashable {
    package var expression: SQLExpression
    package var ascending: Bool
    /// The place of missing values.
    package var nilPlacement: QuerySortDescriptor.NilPlacement

    /// - Parameter nilPlacement: Nil for before small values.
    package init(
      expression: SQLExpression, ascending: Bool, nilPlacement: QuerySortDescriptor.NilPlacement? = nil
    ) {
      self.expression = expression
      self.ascending = ascending
      self.nilPlacement = nilPlacement ?? .usual(ascending: ascending)
    }
  }

  /// The columns; an empty list selects the number 1.
  package var columns: [SQLExpression] = []
  /// Whether rows that are equal in all columns are returned once.
  package var isDistinct = false
  package var source: Source
  package var joins: [Join] = []
  package var conditions: [SQLExpression] = []
  /// The grouping expressions; none where rows are not grouped, or only aggregated as a whole.
  package var groups: [SQLExpression] = []
  /// The condition on groups.
  package var having: SQLExpression?
  package var order: [Order] = []
  /// The most rows; nil for all.
  package var limit: Int?
  /// The number of rows that are skipped.
  package var offset = 0
}

extension SQLSelect {
  /// Calls `body` with every expression of the select.
  package func visit(_ body: (SQLExpression) -> Void) {
    for column in columns { column.visit(body) }
    for join in joins { join.condition.visit(body) }
    for condition in conditions { condition.visit(body) }
    for group in groups { group.visit(body) }
    having?.visit(body)
    for key in order { key.expression.visit(body) }
  }

  /// The select without unused outer joins.
  package func pruned() -> SQLSelect {
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
    for join in joins.reversed() where join.kind != .outer || used.contains(join.source.alias) {
      kept.append(join)
      join.condition.visit(record)
    }
    var select = self
    select.joins = kept.reversed()
    return select
  }
}

/// The members of a to-many path or of a sub-query, as a SELECT inside another one.
package struct SQLSubselect {
  /// The select whose rows are the members, one for each route.
  package let scope: SQLScope
  /// The member that each row represents.
  package var member: Member

  package enum Member {
    /// An object.
    case object(SQLEntityReference)
    /// A value of the row.
    case value(SQLOperand)
  }

  /// The member as one side of a comparison.
  package var operand: SQLOperand {
    switch member {
    case .object(let node): SQLOperand(node.key, .object(node.entity))
    case .value(let operand): operand
    }
  }

  /// The finished select, with a further condition and the columns asked for.
  package func select(where condition: SQLExpression? = nil, columns: [SQLExpression] = []) -> SQLSelect {
    var select = scope.select
    select.columns = columns
    if let condition { select.conditions.append(condition) }
    return select.pruned()
  }
}

/// One requested key path of a fetch that returns fields, and the column of its value.
package struct SQLField: Sendable {
  /// The key path as it was asked for.
  package var keyPath: String
  /// The kind of the value.
  package var kind: Kind
  /// Index of its first column in the statement.
  package var column: Int

  /// Kind of the value of a field, which says how it is decoded.
  package enum Kind: Sendable {
    /// An attribute; the column holds its stored form.
    case attribute(AttributeDescription)
    /// A to-one: the column holds the key and the next one the entity number, or NULL where the
    /// destination's own number counts.
    case toOne(RelationshipDescription)
    /// A whole number: `@count`.
    case count
    /// The object itself; the column holds its key, the next one its entity number.
    case objectID
    /// An object; the column holds its key, the next one its entity number, or NULL where it is of the
    /// entity's own table.
    case object(EntityDescription)
    /// A value that the statement computes.
    case computed(ComputedValue)
    /// A value that the statement cannot return; it is read from the object.
    case inMemory
  }
}

/// A value that a statement computes, and how it is decoded.
package struct ComputedValue: Sendable {
  package var type: ExpressionType
  /// Whether it is a sum, which is 0 of its type over nothing, and of integers has to fit 64 bits.
  package var isSum = false
  /// The range of the sum in its text.
  package var range: SourceRange?
}
