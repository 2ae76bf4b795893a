import Foundation
import GraphStorePredicates
import GraphStoreSQLite

/// Sums and means of decimals by the code of memory: value, kinds.
///
/// Whole numbers and hundredths, which most decimals are, are summed up as they come, which is exact; only others are
/// collected.
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
    /// How many values the two sums have in them.
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

    /// What was summed up as it came.
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
