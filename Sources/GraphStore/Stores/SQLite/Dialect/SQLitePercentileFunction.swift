import Foundation
import GraphStorePredicates
import GraphStoreSQLite

/// Percentiles as memory computes them: value, fraction, kinds.
///
/// What are no decimals is collected as doubles, which are in the order of the values.
enum SQLitePercentileFunction {
  static let name = "gs_percentile"

  static func install(on connection: SQLiteConnection) throws {
    try connection.register(aggregate: name, argumentCount: 3) { Run() }
  }

  private final class Run: SQLiteAggregate {
    private var percentile: Percentile?
    private var code: Int64 = 11
    private var numbers: [Double] = []
    private var decimals: [Value] = []

    func step(_ arguments: SQLiteFunctionArguments, _ result: SQLiteFunctionResult) throws {
      guard !arguments.isNull(at: 0) else { return }
      if percentile == nil {
        let fraction = unsafe Decimal(string: String(decoding: arguments.text(at: 1), as: UTF8.self))
        percentile = fraction.flatMap { Percentile(.decimal($0)) }
        code = arguments.int64(at: 2)
      }
      let kind = SQLiteValueKind(rawValue: code % 10) ?? .number
      if kind == .decimal {
        decimals.append(try kind.value(arguments, 0))
      } else {
        numbers.append(arguments.double(at: 0))
      }
    }

    func finish(_ result: SQLiteFunctionResult) {
      guard let percentile else { return result.setNull() }
      guard decimals.isEmpty else {
        return SQLiteValueKind.decimal.set(percentile.value(over: decimals), result)
      }
      guard let number = percentile.number(among: numbers) else { return result.setNull() }
      result.set(number)
    }
  }
}
