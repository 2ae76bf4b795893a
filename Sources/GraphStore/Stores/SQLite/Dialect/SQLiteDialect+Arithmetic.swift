import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  /// Arithmetic whose results are the same here and there. SQLite's own operators are exact beside doubles,
  /// and where dividing by zero yields no value; where integers overflow they yield doubles, so that the
  /// registered functions, which continue in decimals, compute what overflowed.
  func arithmetic(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer {
    let left = decimalConstant(arguments[0], meeting: arguments[1])
    let right = decimalConstant(arguments[1], meeting: arguments[0])
    if left.type == .date || right.type == .date { return dates(function, left: left, right: right) }
    guard left.type.isNumber, right.type.isNumber else {
      return .no(.differentKinds, "arithmetic with this type is done in memory")
    }
    let isReal = left.form == .real || right.form == .real
    let range = IntegerRange.of(function, left: left, right: right)
    if left.isPlainNumber, right.isPlainNumber, let sign = sign(function, left: left, right: right),
      isReal || range != nil
    {
      guard let first = plain(left), let second = plain(right) else {
        return .no(.differentKinds, "arithmetic with this value is done in memory")
      }
      var result = SQLOperand(
        .infix(sign, first, second), isReal ? .double : .integer, form: isReal ? .real : .whole)
      result.range = range
      return .exact(result)
    }
    var outcome = outcome(function, left: left, right: right)
    outcome.unchecked = unchecked(function, left: left, right: right)
    return called(function, operands: [left, right], outcome: outcome)
  }

  /// The operator that computes just this; SQLite's remainder cuts fractions off first.
  private func sign(_ function: QueryFunction, left: SQLOperand, right: SQLOperand) -> String? {
    switch function {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .modulus: left.form == .whole && right.form == .whole ? "%" : nil
    default: nil
    }
  }

  /// The arithmetic by SQLite's own operators, where an overflow anywhere shows as a double at the end: sums
  /// and differences keep doubles doubles, and cannot grow out of what a double is; products and quotients
  /// are taken of what has not overflowed.
  private func unchecked(
    _ function: QueryFunction, left: SQLOperand, right: SQLOperand
  ) -> UncheckedArithmetic? {
    let isWhole = left.isWholeNumber && right.isWholeNumber
    guard isWhole || function == .add || function == .subtract, function != .modulus,
      let sign = sign(function, left: left, right: right), let first = integers(left),
      let second = integers(right)
    else { return nil }
    return UncheckedArithmetic(expression: .infix(sign, first, second), isSingle: isWhole)
  }

  /// The opposite by SQLite's own operator.
  func opposite(_ operand: SQLOperand) -> UncheckedArithmetic? {
    integers(operand).map {
      UncheckedArithmetic(expression: .prefix("-", $0), isSingle: operand.isWholeNumber)
    }
  }

  /// Integers, or what was computed of them by SQLite's own operators.
  func integers(_ operand: SQLOperand) -> SQLExpression? {
    operand.isWholeNumber ? plain(operand) : operand.unchecked?.expression
  }

  private func plain(_ operand: SQLOperand) -> SQLExpression? {
    guard let constant = operand.constant else { return operand.expression }
    return binding(constant, as: operand.type).map(SQLExpression.binding)
  }

  /// A floating constant as the decimal it counts as beside decimals (PRD-062).
  private func decimalConstant(_ operand: SQLOperand, meeting other: SQLOperand) -> SQLOperand {
    guard other.type == .decimal, operand.isLiteral, case .double? = operand.constant,
      case .decimal(let number) = EngineFunctions.decimalConstant(operand.constant ?? .null)
    else { return operand }
    var decimal = SQLOperand(constant: .decimal(number), type: .decimal)
    decimal.isLiteral = false
    return decimal
  }

  /// Whether a floating constant makes a decimal of the result wherever the other side is one (PRD-062).
  private func mayCountAsDecimal(_ operand: SQLOperand, beside other: SQLOperand) -> Bool {
    guard operand.isLiteral, case .double? = operand.constant else { return false }
    return other.type != .decimal && other.form > .plain
  }

  private func outcome(_ function: QueryFunction, left: SQLOperand, right: SQLOperand) -> SQLOperand {
    if mayCountAsDecimal(left, beside: right) || mayCountAsDecimal(right, beside: left) {
      return SQLOperand(.null, .double, form: .mixed)
    }
    let hasReal = [left, right].contains { $0.type != .decimal && $0.form == .real }
    if function == .power {
      if left.type == .decimal, !hasReal {
        // A negative or fractional exponent makes a double of it.
        if case .int(let exponent)? = right.constant, exponent >= 0 { return SQLOperand(.null, .decimal) }
        return SQLOperand(.null, .double, form: .mixed)
      }
      return left.type != .decimal && left.form > .plain
        ? SQLOperand(.null, .double, form: .mixed) : SQLOperand(.null, .double)
    }
    if hasReal { return SQLOperand(.null, .double) }
    let isDecimal = [left, right].contains { $0.type == .decimal }
    if isDecimal, [left, right].allSatisfy({ $0.type == .decimal || $0.form == .whole }) {
      return SQLOperand(.null, .decimal)
    }
    let isWhole = [left, right].allSatisfy { $0.type == .integer || $0.type == .boolean }
    return SQLOperand(.null, isWhole ? .integer : .double, form: .mixed)
  }

  private func dates(_ function: QueryFunction, left: SQLOperand, right: SQLOperand) -> SQLValueAnswer {
    guard function == .add || function == .subtract else {
      return .no(.differentKinds, "arithmetic with dates is done in memory")
    }
    let isSpan = left.type == .date && right.type == .date
    guard isSpan ? function == .subtract : left.type == .date || function == .add else {
      return .no(.differentKinds, "arithmetic with dates is done in memory")
    }
    let outcome = SQLOperand(.null, isSpan ? .double : .date)
    let sides = [left, right]
    guard sides.allSatisfy({ $0.type == .date || $0.isPlainNumber }) else {
      guard sides.allSatisfy({ $0.type == .date || $0.type.isNumber }) else {
        return .no(.differentKinds, "arithmetic with this type is done in memory")
      }
      return called(function, operands: sides, outcome: outcome)
    }
    var expressions: [SQLExpression] = []
    for side in sides {
      guard let expression = plain(side) else {
        return .no(.differentKinds, "arithmetic with this value is done in memory")
      }
      // Whole seconds are stored as integers.
      expressions.append(side.type == .date && side.constant == nil ? expression.asReal : expression)
    }
    var result = outcome
    result.expression = .infix(function == .add ? "+" : "-", expressions[0], expressions[1])
    return .exact(result)
  }

  /// Bits of whole numbers; SQLite's shifts agree, the negative and the long ones too.
  func bitwise(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer {
    guard arguments.allSatisfy(\.type.isNumber) else {
      return .no(.differentKinds, "bits of this type are computed in memory")
    }
    let outcome = SQLOperand(.null, .integer)
    guard arguments.allSatisfy({ $0.isPlainNumber && $0.form == .whole }),
      let first = plain(arguments[0]), let second = plain(arguments[1])
    else { return called(function, operands: arguments, outcome: outcome) }
    var result = outcome
    switch function {
    case .bitwiseAnd: result.expression = .infix("&", first, second)
    case .bitwiseOr: result.expression = .infix("|", first, second)
    case .shiftLeft: result.expression = .infix("<<", first, second)
    case .shiftRight: result.expression = .infix(">>", first, second)
    default:
      guard arguments.allSatisfy({ $0.constant != nil || $0.expression.isColumn }) else {
        return called(function, operands: arguments, outcome: outcome)
      }
      result.expression = .infix("&", .infix("|", first, second), .prefix("~", .infix("&", first, second)))
    }
    return .exact(result)
  }
}

extension UncheckedArithmetic {
  /// Whether an integer overflowed on the way.
  var overflows: SQLExpression { .infix("=", .call("TYPEOF", [expression]), .literal("'real'")) }
}
