import GraphStorePredicates
import GraphStoreSQLite

/// Sums and means as memory computes them: of doubles with the rounding error carried along (PRD-188), of integers
/// without an end at 64 bits.
enum SQLiteSumFunctions {
  /// The sum; 0 of nothing.
  static let sumName = "gs_sum"
  /// The mean; no value of nothing.
  static let averageName = "gs_average"
  /// A whole number from the sum of its parts' upper 32 bits and that of their lower ones; 0 where there is neither.
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
