import GraphStoreModel
import GraphStorePredicates

/// One side of a comparison, or an argument of a function, on its way into a statement.
struct SQLOperand: Sendable {
  /// The value's place in the statement; for constants it is made when the other side's type is known.
  var expression: SQLExpression
  /// The type of the value.
  var type: ExpressionType
  /// The constant, when it is one.
  var constant: Value?
  /// Whether the stored form is not the value's own: a binary that may live in a file.
  var isOpaque = false
  /// Whether a value is there whatever the row holds.
  var isNeverNull = false

  /// A constant.
  init(constant: Value, type: ExpressionType) {
    expression = .null
    self.type = type
    self.constant = constant
  }

  /// A value in a row.
  init(_ expression: SQLExpression, _ type: ExpressionType) {
    self.expression = expression
    self.type = type
  }
}
