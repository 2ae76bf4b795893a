import GraphStoreModel
import GraphStorePredicates

/// Arithmetic of integers by the engine's own operators, which do not see overflow to the end.
package struct UncheckedArithmetic: Sendable {
  package var expression: SQLExpression
  /// Whether it is a single operation, so that an overflow is on the side of its double where the exact
  /// number does.
  package var isSingle: Bool
}

/// One side of a comparison, or an argument of a function, on its way into a statement.
package struct SQLOperand: Sendable {
  /// Form of the numbers of an operand in the statement, from the plainest form to the most mixed.
  package enum NumberForm: Int, Sendable, Comparable {
    /// Always integers.
    case whole
    /// Always doubles.
    case real
    /// Integers or doubles.
    case plain
    /// As ``plain``, or a decimal above every 64-bit integer as its text in a blob.
    case overflowing
    /// As ``plain``, or any decimal as its text in a blob.
    case mixed

    package static func < (left: NumberForm, right: NumberForm) -> Bool { left.rawValue < right.rawValue }

    /// The plainest form that has room for the numbers of both.
    package func joined(_ other: NumberForm) -> NumberForm {
      self == other ? self : Swift.max(self, other, .plain)
    }
  }

  /// The value's expression in the statement; for constants it is made when the other side's type is known.
  package var expression: SQLExpression
  /// The type of the value.
  package var type: ExpressionType
  /// The value computed by the engine's own operators, where integers are and nothing else: a double wherever
  /// it, or any step on the way to it, overflowed, and otherwise the very integer.
  package var unchecked: UncheckedArithmetic?
  /// The range of possible integers, where the type has fewer than 64 bits.
  package var range: ClosedRange<Int64>?
  /// The constant, when it is one.
  package var constant: Value?
  /// Whether the constant was written as one: a computed one is no nil test and counts as no decimal.
  package var isLiteral = true
  /// Whether the stored form is not the value's own: a binary that may live in a file.
  package var isOpaque = false
  /// The form of numbers that are no decimals in the statement.
  package var form: NumberForm
  /// Whether there may be whole numbers among the decimals, which compare alike but do not calculate alike.
  package var isForComparisonOnly = false

  /// A constant.
  package init(constant: Value, type: ExpressionType) {
    expression = .null
    self.type = type
    self.constant = constant
    form = Self.form(of: type)
  }

  /// A value in a row.
  package init(_ expression: SQLExpression, _ type: ExpressionType, form: NumberForm? = nil) {
    self.expression = expression
    self.type = type
    self.form = form ?? Self.form(of: type)
  }

  private static func form(of type: ExpressionType) -> NumberForm {
    switch type {
    case .integer, .boolean: .whole
    case .double, .float: .real
    default: .mixed
    }
  }

  /// Whether the value is always an integer.
  package var isWholeNumber: Bool { isPlainNumber && form == .whole }

  /// The integers that a value which is always one may be.
  package var integers: ClosedRange<Int64> {
    switch constant {
    case .int(let number)?: number...number
    case .bool?: 0...1
    default: range ?? .min ... .max
    }
  }

  /// Whether the value is a number that is no decimal and that the engine's own operators treat exactly.
  package var isPlainNumber: Bool { type.isNumber && type != .decimal && form <= .plain }

  /// Whether a value may be NaN, which an engine cannot hold: the stored ones never are.
  package var mayBeNaN: Bool {
    if let constant { return constant.isNaN }
    return type.isNumber && type != .integer && form != .whole && !expression.isColumn
  }
}
