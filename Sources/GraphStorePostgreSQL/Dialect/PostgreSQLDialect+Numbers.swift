#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// Form of a number in the statement.
enum PostgreSQLNumberForm {
  case boolean
  /// `smallint`, `integer` or `bigint`.
  case whole
  /// `real` or `double precision`.
  case floating
  /// `numeric`: a decimal, or an integer that may have left 64 bits.
  case numeric
}

extension PostgreSQLDialect {
  /// The form of a number that is no constant.
  func form(_ operand: SQLOperand) -> PostgreSQLNumberForm? {
    switch operand.type {
    case .boolean: .boolean
    case .decimal: .numeric
    case .integer: operand.form == .whole ? .whole : .numeric
    case .double, .float: operand.form == .real ? .floating : nil
    default: nil
    }
  }

  /// A number as one of a form that holds it exactly.
  func number(_ operand: SQLOperand) -> SQLExpression {
    operand.type == .boolean ? cast(operand.expression, .integer) : operand.expression
  }

  /// A comparison of numbers, of which the right one may be a constant.
  func compareNumbers(
    _ comparator: QueryComparison.Operator, sign: String, left: SQLOperand, right: SQLOperand
  ) -> SQLAnswer {
    guard let form = form(left) else {
      return .no(.differentKinds, "numbers of several kinds are compared in memory")
    }
    guard let constant = right.constant else { return compareKeys(sign, left, right) }
    if constant.isNaN { return .exact(.infix(sign, number(left), .null)) }
    switch form {
    case .boolean:
      if let flag = self.constant(constant, as: .boolean) {
        return .exact(.infix(sign, left.expression, flag))
      }
      return compareWhole(number(left), comparator, sign: sign, with: constant, of: right)
    case .whole: return compareWhole(left.expression, comparator, sign: sign, with: constant, of: right)
    case .floating: return compareFloating(left.expression, comparator, sign: sign, with: constant, of: right)
    case .numeric:
      guard let decimal = decimal(constant, of: right, meeting: left) else {
        return .no(.differentKinds, "a decimal is compared with this number in memory")
      }
      return .exact(.infix(sign, left.expression, self.decimal(decimal)))
    }
  }

  private func compareKeys(_ sign: String, _ left: SQLOperand, _ right: SQLOperand) -> SQLAnswer {
    guard let first = form(left), let second = form(right) else {
      return .no(.differentKinds, "numbers of several kinds are compared in memory")
    }
    if first == .boolean, second == .boolean {
      return .exact(.infix(sign, left.expression, right.expression))
    }
    let isFloating = [first, second].map { $0 == .floating }
    if isFloating[0] != isFloating[1] {
      let other = isFloating[0] ? right : left
      // The server compares both as doubles, which hold integers up to here.
      guard form(other) != .numeric, other.integers.lowerBound >= -(1 << 53),
        other.integers.upperBound <= 1 << 53
      else { return .no(.differentKinds, "the server rounds one of the two numbers") }
    }
    return .exact(.infix(sign, number(left), number(right)))
  }

  /// A column of whole numbers compared with a number that may be between two of them, or beyond all.
  private func compareWhole(
    _ column: SQLExpression, _ comparator: QueryComparison.Operator, sign: String, with constant: Value,
    of operand: SQLOperand
  ) -> SQLAnswer {
    if let integer = Self.integer(constant) {
      return .exact(.infix(sign, column, .binding(.integer(integer))))
    }
    switch comparator {
    case .equal: return .exact(never(column))
    case .notEqual: return .exact(always(column))
    default: break
    }
    let isBelow = comparator == .less || comparator == .lessOrEqual
    guard let floor = Self.floor(constant) else {
      guard let order = constant.order(to: .int(0)) else {
        return .no(.differentKinds, "the value cannot be compared in the store")
      }
      return .exact(isBelow == (order == .orderedDescending) ? always(column) : never(column))
    }
    return .exact(.infix(isBelow ? "<=" : ">", column, .binding(.integer(floor))))
  }

  /// A column of doubles compared with a number that may be between two of them.
  private func compareFloating(
    _ column: SQLExpression, _ comparator: QueryComparison.Operator, sign: String, with constant: Value,
    of operand: SQLOperand
  ) -> SQLAnswer {
    let near: Double
    switch constant {
    case .double(let number): near = number
    case .bool(let flag): near = flag ? 1 : 0
    case .int(let number): near = Double(number)
    case .decimal(let number): near = number.nearestDouble
    default: return .no(.differentKinds, "the value cannot be compared in the store")
    }
    guard let order = Value.double(near).order(to: constant) else {
      return .no(.differentKinds, "the value cannot be compared in the store")
    }
    let value = SQLExpression.binding(.double(near))
    // A constant with a fraction means its nearest double where it meets doubles (PRD-062).
    var isNear = order == .orderedSame
    if case .decimal = constant, operand.isLiteral { isNear = true }
    if isNear { return .exact(.infix(sign, column, value)) }
    let neighbourIsLess = order == .orderedAscending
    switch comparator {
    case .equal: return .exact(never(column))
    case .notEqual: return .exact(always(column))
    case .less, .lessOrEqual: return .exact(.infix(neighbourIsLess ? "<=" : "<", column, value))
    default: return .exact(.infix(neighbourIsLess ? ">" : ">=", column, value))
    }
  }

  /// The decimal that a constant is where it meets one; nil for one that is none.
  func decimal(_ constant: Value, of operand: SQLOperand, meeting other: SQLOperand) -> Decimal? {
    let value =
      operand.isLiteral && other.type == .decimal ? EngineFunctions.decimalConstant(constant) : constant
    switch value {
    case .decimal(let number): return number
    case .int(let number): return Decimal(number)
    case .bool(let flag): return flag ? 1 : 0
    default: return Self.integer(value).map { Decimal($0) }
    }
  }

  /// The 64-bit integer that a number is; nil for one with a fraction, or beyond.
  static func integer(_ value: Value) -> Int64? {
    switch value {
    case .int(let number): number
    case .bool(let flag): flag ? 1 : 0
    case .double(let number): Int64(exactly: number)
    case .decimal(let number): Int64(number.description)
    default: nil
    }
  }

  /// The greatest 64-bit integer that is not above a number; nil where it is beyond all.
  private static func floor(_ value: Value) -> Int64? {
    switch value {
    case .double(let number): return Int64(exactly: number.rounded(.down))
    case .decimal(let number):
      var (source, rounded) = (number, Decimal())
      unsafe NSDecimalRound(&rounded, &source, 0, .down)
      return Int64(rounded.description)
    default: return integer(value)
    }
  }
}
#endif
