/// An INSERT as a tree.
struct SQLInsert: Sendable, Hashable {
  /// Treatment of a row that breaks a unique index.
  enum Conflict: Sendable, Hashable {
    /// The statement fails.
    case fail
    /// The statement fails; where the engine can, it leaves the rows before, whose number identifies the row
    /// that failed. The caller rolls the transaction back.
    case failAtRow
    /// The row is left out.
    case ignore
  }

  var table: String
  var columns: [String]
  var rows: [[SQLExpression]]
  var conflict = Conflict.fail
}

/// An UPDATE as a tree.
struct SQLUpdate: Sendable, Hashable {
  /// A column and its new value.
  struct Assignment: Sendable, Hashable {
    var column: String
    var value: SQLExpression

    init(_ column: String, _ value: SQLExpression) {
      self.column = column
      self.value = value
    }

    /// Raises the version of a row.
    static let nextVersion = Assignment(
      SQLSystemColumn.version, .infix("+", .column(SQLSystemColumn.version), .number(1)))
  }

  var table: String
  /// The name by which the conditions call the table; nil where they leave it out.
  var alias: SQLAlias?
  var assignments: [Assignment]
  var conditions: [SQLExpression] = []
  /// The columns of the changed rows that the statement returns.
  var returned: [String] = []
}

/// A DELETE as a tree.
struct SQLDelete: Sendable, Hashable {
  var table: String
  /// The name by which the conditions call the table; nil where they leave it out.
  var alias: SQLAlias?
  var conditions: [SQLExpression] = []
}

/// Condition that selects a statement's rows by a key in its parameters.
enum SQLKeyTest: Sendable, Hashable {
  /// One key, the first parameter.
  case one
  /// All keys from the first parameter to the second one.
  case range
  /// The keys of a list, the first parameter.
  case list

  /// Whether a column has one of the keys.
  func condition(on column: SQLExpression, _ syntax: any SQLSyntax) -> SQLExpression {
    switch self {
    case .one: .equals(column, .parameter(1))
    case .range: .and([.infix(">=", column, .parameter(1)), .infix("<=", column, .parameter(2))])
    case .list: .isMember(column, syntax.keyList(.parameter(1)))
    }
  }
}
