import Foundation
import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  /// A comparison in which the left side is a decimal column, or the right one is (STO-243).
  func compareDecimals(
    _ comparator: QueryComparison.Operator, _ sign: String, _ left: SQLOperand, _ right: SQLOperand
  ) -> SQLAnswer {
    guard let constant = right.constant else {
      for side in [left, right] where side.type == .double || side.type == .float || !side.type.isNumber {
        return .no("a decimal and another kind of number are compared in memory")
      }
      return .exact(
        .infix(
          sign, .call(SQLiteDecimalFunctions.compareName, [left.expression, right.expression]), .number(0)),
        note: "decimals by a function")
    }
    let number: Decimal
    switch constant {
    case .decimal(let decimal): number = decimal
    case .int(let integer): number = Decimal(integer)
    case .bool(let flag): number = flag ? 1 : 0
    default: return .no("a decimal is compared with this number in memory")
    }
    return compare(left.expression, comparator, sign, with: number)
  }

  /// A column of whole numbers or doubles compared with a decimal constant that it may not be able to hold.
  func compareNumber(
    _ left: SQLOperand, _ comparator: QueryComparison.Operator, _ sign: String, with number: Decimal
  ) -> SQLAnswer {
    let isWhole = left.type == .integer || left.type == .boolean
    let near = isWhole ? StoredDecimal.wholeNumber(near: number) : .double(StoredDecimal.double(number))
    guard let order = near.order(to: .decimal(number)), let binding = binding(near, as: left.type)
    else { return .no("the decimal is compared in memory") }
    let column = left.expression
    if order == .orderedSame { return .exact(.infix(sign, column, .binding(binding))) }
    // The constant lies between its neighbour and the next value that the column can hold.
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
    _ column: SQLExpression, _ comparator: QueryComparison.Operator, _ sign: String, with number: Decimal
  ) -> SQLAnswer {
    let stored = StoredDecimal.binding(number)
    if comparator == .equal || comparator == .notEqual {
      return .exact(.infix(sign, column, .binding(stored)))
    }
    var near = stored
    var nearSign = sign
    if case .blob = stored {
      let double = StoredDecimal.double(number)
      near = .double(double)
      nearSign = String(sign.prefix(1))
      if let neighbour = StoredDecimal.decimal(ofStored: double),
        comparator == .less || comparator == .lessOrEqual ? neighbour < number : neighbour > number
      {
        nearSign += "="
      }
    }
    let long = SQLExpression.infix(
      sign, .call(SQLiteDecimalFunctions.compareName, [column, .binding(stored)]), .number(0))
    let plain = SQLExpression.infix(nearSign, column, .binding(near))
    // Every blob is greater than every number in SQLite's own order.
    if comparator == .less || comparator == .lessOrEqual {
      return .exact(.or([plain, .and([.infix(">=", column, .literal("x''")), long])]))
    }
    return .exact(.and([plain, .or([.infix("<", column, .literal("x''")), long])]))
  }
}
