import Foundation
import GraphStorePredicates
import GraphStoreSQLite

/// Sums and means of decimals by the code of memory: value, kinds.
///
/// Whole numbers and hundredths, which most decimals are, are added in their order, which is exact; only
/// others are collected.
enum SQLiteAggregateFunctions {
  /// The sum of decimals; 0 of nothing.
  static let sumName = "gs_decimal_sum"
  /// The mean of decimals.
  static let averageName = "gs_decimal_average"

  static func install(on connection: SQLiteConnection) throws {
    for (name, function): (String, QueryFunction) in [(sumName, .sum), (averageName, .average)] {
      try connection.register(aggregate: name, argumentCount: 2) { Run(function) }
    }
  }

  private final class Run: SQLiteAggregate {
    private let function: QueryFunction
    private var values: [Value] = []
    private var whole: Int128 = 0
    private var hundredths: Int128 = 0
    /// The number of values in the two sums.
    private var summed = 0
    private var code: Int64 = 11

    init(_ function: QueryFunction) {
      self.function = function
    }

    func step(_ arguments: SQLiteFunctionArguments, _ result: SQLiteFunctionResult) throws {
      guard !arguments.isNull(at: 0) else { return }
      code = arguments.int64(at: 1)
      switch arguments.type(at: 0) {
      case .integer:
        whole += Int128(arguments.int64(at: 0))
        summed += 1
        return
      case .real:
        guard let number = StoredDecimal.hundredths(arguments.double(at: 0)) else { break }
        hundredths += Int128(number)
        summed += 1
        return
      default: break
      }
      values.append(try (SQLiteValueKind(rawValue: code % 10) ?? .number).value(arguments, 0))
    }

    /// The sum of the values in their order.
    private var sum: Decimal {
      let total = whole * 100 + hundredths
      return DecimalNumeral(isNegative: total < 0, significand: total.magnitude, exponent: -2).decimal ?? .nan
    }

    func finish(_ result: SQLiteFunctionResult) {
      let value = EngineFunctions.value(of: function, over: values, besides: sum, of: summed)
      (SQLiteValueKind(rawValue: code / 10) ?? .number).set(value, result)
    }
  }
}

/// Sums and means as memory computes them: of doubles with the rounding error carried along (PRD-188), of
/// integers without an end at 64 bits.
enum SQLiteSumFunctions {
  /// The sum; 0 of nothing.
  static let sumName = "gs_sum"
  /// The mean; no value of nothing.
  static let averageName = "gs_average"
  /// A whole number from the sum of its parts' upper 32 bits and that of their lower ones; 0 where there is
  /// neither.
  static let wholeName = "gs_whole"

  /// The sum of a column of integers, which never overflows on its way: SQLite's own sums of the two halves.
  static func wholeSum(of column: SQLExpression) -> SQLExpression {
    let upper = SQLExpression.infix(">>", column, .number(32))
    let lower = SQLExpression.infix("&", column, .number(0xFFFF_FFFF))
    return .call(wholeName, [.call("SUM", [upper]), .call("SUM", [lower])])
  }

  static func install(on connection: SQLiteConnection) throws {
    try connection.register(aggregate: sumName, argumentCount: 1) { Run(isAverage: false) }
    try connection.register(aggregate: averageName, argumentCount: 1) { Run(isAverage: true) }
    try connection.register(function: wholeName, argumentCount: 2) { arguments, result in
      let total = Int128(arguments.int64(at: 0)) << 32 + Int128(arguments.int64(at: 1))
      SQLiteValueKind.number.set(Value(wholeNumber: total), result)
    }
  }

  private final class Run: SQLiteAggregate {
    private let isAverage: Bool
    private var sum = 0.0
    private var compensation = 0.0
    private var count = 0

    init(isAverage: Bool) {
      self.isAverage = isAverage
    }

    func step(_ arguments: SQLiteFunctionArguments, _ result: SQLiteFunctionResult) {
      guard !arguments.isNull(at: 0) else { return }
      let number = arguments.double(at: 0)
      let next = sum + number
      compensation += abs(sum) >= abs(number) ? (sum - next) + number : (number - next) + sum
      sum = next
      count += 1
    }

    func finish(_ result: SQLiteFunctionResult) {
      guard count > 0 else { return isAverage ? result.setNull() : result.set(Int64(0)) }
      let total = compensation.isNaN ? sum : sum + compensation
      result.set(isAverage ? total / Double(count) : total)
    }
  }
}
