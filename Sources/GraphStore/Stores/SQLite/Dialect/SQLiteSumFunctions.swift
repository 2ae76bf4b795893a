import GraphStorePredicates
import GraphStoreSQLite

/// Sums and means of doubles with the rounding error carried along, as memory computes them (PRD-188).
enum SQLiteSumFunctions {
  /// The sum; 0 of nothing.
  static let sumName = "gs_sum"
  /// The mean; no value of nothing.
  static let averageName = "gs_average"
  /// What SQLite itself says of a sum of integers beyond 64 bits.
  static let overflowMessage = "integer overflow"

  static func install(on connection: SQLiteConnection) throws {
    try connection.register(aggregate: sumName, argumentCount: 1) { Run(isAverage: false) }
    try connection.register(aggregate: averageName, argumentCount: 1) { Run(isAverage: true) }
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
