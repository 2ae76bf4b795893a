/// An INSERT as a tree.
package struct SQLInsert: Sendable, Hashable {
  /// Treatment of a row that breaks a unique index.
  package enum Conflict: Sendable, Hashable {
    /// The statement fails.
    case fail
    /// The statement fails; where the engine can, it leaves the rows before, whose number identifies the row
    /// that failed. The caller rolls the transaction back.
    case failAtRow
    /// The row is left out.
    case ignore
  }

  package var table: String
  package var columns: [String]
  package var rows: [[SQLExpression]]
  package var conflict = Conflict.fail
}

/// An UPDATE as a tree.
package struct SQLUpdate: Sendable, Hashable {
  /// A column and its new value.
  package struct Assignment: Sendable, Hashable {
    package var column: String
    package var value: SQLExpression

    package init(_ column: String, _ value: SQLExpression) {
      self.column = column
      self.value = value
    }

    /// Raises the version of a row.
    package static func nextVersion(_ columns: SQLSystemColumns) -> Assignment {
      Assignment(columns.version, .infix("+", .column(columns.version), .number(1)))
    }
  }

  package var table: String
  /// The name by which the conditions call the table; nil where they leave it out.
  package var alias: SQLAlias?
  package var assignments: [Assignment]
  package var conditions: [SQLExpression] = []
  /// The columns of the changed rows that the statement returns.
  package var returned: [String] = []
}

/// A DELETE as a tree.
package struct SQLDelete: Sendable, Hashable {
  package var table: String
  /// The name by which the conditions call the table; nil where they leave it out.
  package var alias: SQLAlias?
  package var conditions: [SQLExpression] = []
}

/// Condition that selects a statement's rows by a key in its parameters.
package enum SQLKeyTest: Sendable, Hashable {
  /// One key, the first parameter.
  case one
  /// All keys from the first parameter to the second one.
  case range
  /// The keys of a list, the first parameter.
  case list

  /// Whether a column has one of the keys.
  package func condition(on column: SQLExpression, _ syntax: any SQLSyntax) -> SQLExpression {
    switch self {
    case .one: .equals(column, .parameter(1))
    case .range: .and([.infix(">=", column, .parameter(1)), .infix("<=", column, .parameter(2))])
    case .list: .isMember(column, syntax.keyList(.parameter(1)))
    }
  }
}
