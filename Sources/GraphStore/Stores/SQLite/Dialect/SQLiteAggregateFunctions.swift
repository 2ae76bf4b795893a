import GraphStorePredicates
import GraphStoreSQLite

/// Aggregates that collect their values and reduce them by the code of memory: value, kinds.
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
    private var code: Int64 = 11

    init(_ function: QueryFunction) {
      self.function = function
    }

    func step(_ arguments: SQLiteFunctionArguments, _ result: SQLiteFunctionResult) throws {
      guard !arguments.isNull(at: 0) else { return }
      code = arguments.int64(at: 1)
      values.append(try (SQLiteValueKind(rawValue: code % 10) ?? .number).value(arguments, 0))
    }

    func finish(_ result: SQLiteFunctionResult) {
      let value = EngineFunctions.value(of: function, over: values)
      (SQLiteValueKind(rawValue: code / 10) ?? .number).set(value, result)
    }
  }
}
