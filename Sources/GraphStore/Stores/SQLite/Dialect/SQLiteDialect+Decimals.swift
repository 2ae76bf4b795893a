import Foundation
import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  /// A comparison of numbers, of which the right one may be a constant.
  func compareNumbers(
    _ comparator: QueryComparison.Operator, sign: String, left: SQLOperand, right: SQLOperand
  ) -> SQLAnswer {
    if left.type == .decimal || right.type == .decimal && right.constant == nil {
      return compareDecimals(comparator, sign: sign, left: left, right: right)
    }
    if let answer = compareUnchecked(sign, left: left, right: right) { return answer }
    switch right.constant {
    case nil where left.form <= .plain && right.form <= .plain:
      return .exact(.infix(sign, left.expression, right.expression))
    case .int(let number) where left.form <= .overflowing:
      return .exact(.infix(sign, left.expression, .binding(.integer(number))))
    case .bool(let flag) where left.form <= .overflowing:
      return .exact(.infix(sign, left.expression, .binding(.integer(flag ? 1 : 0))))
    case .double(let number) where left.form <= .plain:
      return .exact(.infix(sign, left.expression, .binding(number.isNaN ? .null : .double(number))))
    case .decimal(let number) where left.form == .real && right.isLiteral:
      return .exact(.infix(sign, left.expression, .binding(.double(number.nearestDouble))))
    case .decimal(let number) where left.form <= .real:
      return compareNumber(left, comparator: comparator, sign: sign, with: number)
    default: return compareByFunction(sign, left: left, right: right)
    }
  }

  /// A comparison of arithmetic by SQLite's own operators with integers: by functions only where it
  /// overflowed.
  private func compareUnchecked(_ sign: String, left: SQLOperand, right: SQLOperand) -> SQLAnswer? {
    guard left.unchecked != nil || right.unchecked != nil else { return nil }
    guard let first = integers(left), let second = integers(right) else {
      guard let unchecked = left.unchecked, unchecked.isSingle, case .double(let number)? = right.constant,
        abs(number) < 0x1p63
      else { return nil }
      return .exact(.infix(sign, unchecked.expression, .binding(.double(number))))
    }
    let plain = SQLExpression.infix(sign, first, second)
    // The doubles of numbers beyond 64 bits are so too, or the least integer.
    if left.unchecked?.isSingle == true, case .int(let number)? = right.constant, number > .min {
      return .exact(plain)
    }
    guard case .exact(let exact, let note) = compareByFunction(sign, left: left, right: right) else {
      return nil
    }
    let overflows = [left, right].compactMap(\.unchecked?.overflows)
    let anyOverflows = overflows.count == 1 ? overflows[0] : .or(overflows)
    return .exact(.conditional(anyOverflows, then: exact, otherwise: plain), note: note)
  }

  private func compareByFunction(_ sign: String, left: SQLOperand, right: SQLOperand) -> SQLAnswer {
    guard let first = argument(left), let second = argument(right) else {
      return .no(.differentKinds, "the numbers cannot be compared in the store")
    }
    let code = SQLiteValueFunctions.code([.number, first.kind, second.kind])
    return .exact(
      .infix(
        sign,
        .call(SQLiteValueFunctions.compareName, [first.expression, second.expression, .number(code)]),
        .number(0)),
      note: "numbers of several kinds by a function")
  }

  /// A comparison in which the left side is a decimal, or the right one is (STO-243).
  private func compareDecimals(
    _ comparator: QueryComparison.Operator, sign: String, left: SQLOperand, right: SQLOperand
  ) -> SQLAnswer {
    guard let constant = right.constant else {
      guard [left, right].allSatisfy({ $0.type == .decimal || $0.form == .whole }) else {
        return compareByFunction(sign, left: left, right: right)
      }
      return .exact(
        .infix(
          sign, .call(SQLiteDecimalFunctions.compareName, [left.expression, right.expression]), .number(0)),
        note: "decimals by a function")
    }
    switch right.isLiteral ? EngineFunctions.decimalConstant(constant) : constant {
    case .decimal(let decimal):
      return compare(left.expression, comparator: comparator, sign: sign, with: decimal)
    case .int(let integer):
      return compare(left.expression, comparator: comparator, sign: sign, with: Decimal(integer))
    case .bool(let flag):
      return compare(left.expression, comparator: comparator, sign: sign, with: flag ? 1 : 0)
    default: return compareByFunction(sign, left: left, right: right)
    }
  }

  /// A column of whole numbers or doubles compared with a decimal constant that it may not be able to hold.
  private func compareNumber(
    _ left: SQLOperand, comparator: QueryComparison.Operator, sign: String, with number: Decimal
  ) -> SQLAnswer {
    let near =
      left.form == .whole ? StoredDecimal.wholeNumber(near: number) : .double(number.nearestDouble)
    guard let order = near.order(to: .decimal(number)), let binding = binding(near, as: left.type)
    else { return .no(.longDecimal, "the decimal is compared in memory") }
    let column = left.expression
    if order == .orderedSame { return .exact(.infix(sign, column, .binding(binding))) }
    // The constant is between its neighbour and the next value that the column can hold.
    let neighbourIsLess = order == .orderedAscending
    switch comparator {
    case .equal: return .exact(.infix("<>", column, column))
    case .notEqual: return .exact(.infix("=", column, column))
    case .less, .lessOrEqual:
      return .exact(.infix(neighbourIsLess ? "<=" : "<", column, .binding(binding)))
    default: return .exact(.infix(neighbourIsLess ? ">" : ">=", column, .binding(binding)))
    }
  }

  private func compare(
    _ column: SQLExpression, comparator: QueryComparison.Operator, sign: String, with number: Decimal
  ) -> SQLAnswer {
    let stored = StoredDecimal.binding(number)
    if comparator == .equal || comparator == .notEqual {
      return .exact(.infix(sign, column, .binding(stored)))
    }
    let long = SQLExpression.infix(
      sign, .call(SQLiteDecimalFunctions.compareName, [column, .binding(stored)]), .number(0))
    guard case .column = column else { return .exact(long, note: "decimals by a function") }
    var near = stored
    var nearSign = sign
    if case .blob = stored {
      let double = number.nearestDouble
      near = .double(double)
      nearSign = String(sign.prefix(1))
      if let neighbour = StoredDecimal.decimal(ofStored: double),
        comparator == .less || comparator == .lessOrEqual ? neighbour < number : neighbour > number
      {
        nearSign += "="
      }
    }
    let plain = SQLExpression.infix(nearSign, column, .binding(near))
    // Every blob is greater than every number in SQLite's own order.
    if comparator == .less || comparator == .lessOrEqual {
      return .exact(.or([plain, .and([.infix(">=", column, .literal("x''")), long])]))
    }
    return .exact(.and([plain, .or([.infix("<", column, .literal("x''")), long])]))
  }
}
