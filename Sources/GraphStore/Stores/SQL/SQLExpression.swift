/// A table under a name of its own in one statement.
package struct SQLAlias: Hashable, Sendable {
  /// The only table of a statement, whose columns are written by their names alone.
  package static let unnamed = SQLAlias(number: -1)

  package let number: Int

  package var isUnnamed: Bool { number < 0 }
}

/// An expression of a statement, as a tree. The names of operators and functions are the dialect's; the rest
/// means the same in every engine.
package indirect enum SQLExpression: Sendable, Hashable {
  /// A column of a table.
  case column(SQLAlias, String)
  /// A bound constant.
  case binding(SQLBinding)
  /// A parameter by its number, from 1, of a statement that runs again and again with other values. No
  /// statement has bound constants before such; its parameters are numbered behind those that follow.
  case parameter(Int)
  /// A whole number that follows from the schema, so that it may be written in the text.
  case number(Int64)
  /// A constant of the engine's own that is written in the text.
  case literal(String)
  /// No value.
  case null
  /// An operator before its operand.
  case prefix(String, SQLExpression)
  /// An operator between its operands.
  case infix(String, SQLExpression, SQLExpression)
  /// A function.
  case call(String, [SQLExpression])
  /// All of them.
  case and([SQLExpression])
  /// Any of them.
  case or([SQLExpression])
  /// The opposite; unknown stays unknown.
  case not(SQLExpression)
  /// Whether there is no value.
  case isNull(SQLExpression)
  /// Whether there is a value.
  case isNotNull(SQLExpression)
  /// True where the operand is false or unknown.
  case isNotTrue(SQLExpression)
  /// Whether the select has a row.
  case exists(SQLSelect)
  /// The only column of the select's only row.
  case scalar(SQLSelect)
  /// Whether the value is a row of the list.
  case isMember(SQLExpression, SQLList)
  /// Whether the value is one of a few numbers that follow from the schema.
  case isAmong(SQLExpression, [Int64])
  /// One of two values.
  case conditional(SQLExpression, then: SQLExpression, otherwise: SQLExpression)
  /// Whether the condition is true; unknown becomes false.
  case isTrue(SQLExpression)
  /// A text that is compared by a registered collation.
  case collated(SQLExpression, String)
  /// The position of a number in groups of numbers; no value for a number in none.
  case rank(SQLExpression, [[Int64]])
}

/// A list of values as one parameter.
package struct SQLList: Sendable, Hashable {
  /// The parameter, or the bound list in the form that the dialect reads.
  package var value: SQLExpression
  /// The select over the parameter, up to it.
  package var opening: String
  /// The text after the parameter.
  package var closing: String

  package init(value: SQLExpression, opening: String, closing: String) {
    self.value = value
    self.opening = opening
    self.closing = closing
  }
}

extension SQLExpression {
  /// A column of the only table of a statement.
  package static func column(_ name: String) -> SQLExpression { .column(.unnamed, name) }

  /// The condition that is always true.
  package static let always = SQLExpression.and([])

  /// The condition that is never true.
  package static let never = SQLExpression.or([])

  /// Whether two values are equal.
  package static func equals(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    .infix("=", left, right)
  }

  /// Whether it is a column as it is stored.
  package var isColumn: Bool {
    if case .column = self { return true }
    return false
  }

  /// The conjunction in its shortest form.
  package static func all(of parts: [SQLExpression]) -> SQLExpression? {
    parts.count > 1 ? .and(parts) : parts.first
  }

  /// Calls `body` with every part below, the selects' included unless they are left out, and with the
  /// expression itself.
  package func visit(intoSelects: Bool = true, _ body: (SQLExpression) -> Void) {
    body(self)
    switch self {
    case .column, .binding, .parameter, .number, .literal, .null: break
    case .prefix(_, let operand), .not(let operand), .isNull(let operand), .isNotNull(let operand),
      .isNotTrue(let operand), .isTrue(let operand), .isMember(let operand, _), .isAmong(let operand, _),
      .collated(let operand, _), .rank(let operand, _):
      operand.visit(intoSelects: intoSelects, body)
    case .infix(_, let left, let right):
      left.visit(intoSelects: intoSelects, body)
      right.visit(intoSelects: intoSelects, body)
    case .call(_, let parts), .and(let parts), .or(let parts):
      for part in parts { part.visit(intoSelects: intoSelects, body) }
    case .exists(let select), .scalar(let select):
      if intoSelects { select.visit(body) }
    case .conditional(let condition, then: let then, otherwise: let otherwise):
      for part in [condition, then, otherwise] { part.visit(intoSelects: intoSelects, body) }
    }
  }

  /// Whether a function of ours is called for each row.
  package var callsFunction: Bool {
    var calls = false
    visit { part in
      switch part {
      case .call(let name, _) where name.hasPrefix("gs_") || name.contains(".gs_"): calls = true
      case .collated: calls = true
      default: break
      }
    }
    return calls
  }
}
