#if PostgreSQL
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLDialect {
  func aggregate(_ function: AggregateFunction, overDistinct operand: SQLOperand) -> SQLValueAnswer {
    switch function.function {
    case .min, .max: return aggregate(function, over: operand)
    case .count:
      return .exact(SQLOperand(.call("COUNT", [.prefix("DISTINCT ", operand.expression)]), .integer))
    default:
      return .no(.function, "\(function.function.rawValue) of different values is computed in memory")
    }
  }

  func aggregate(_ aggregate: AggregateFunction, over operand: SQLOperand) -> SQLValueAnswer {
    let function = aggregate.function
    if function == .count, operand.constant == nil {
      return .exact(SQLOperand(.call("COUNT", [operand.expression]), .integer))
    }
    guard !operand.isForComparisonOnly, operand.constant == nil, !operand.isOpaque else {
      return .no(.differentKinds, "\(function.rawValue) of these values is computed in memory")
    }
    let found =
      switch function {
      case .min, .max: extreme(function, operand)
      case .sum: sum(operand)
      case .average: average(operand)
      default: nil as SQLOperand?
      }
    return found.map(SQLValueAnswer.exact)
      ?? .no(.function, "\(function.rawValue) of these values is computed in memory")
  }

  private func extreme(_ function: QueryFunction, _ operand: SQLOperand) -> SQLOperand? {
    let isLeast = function == .min
    switch operand.type {
    case .boolean:
      return SQLOperand(.call(isLeast ? "bool_and" : "bool_or", [operand.expression]), .boolean)
    case .date, .string, .uri: break
    case let type where type.isNumber && form(operand) != nil: break
    default: return nil
    }
    return SQLOperand(
      .call(isLeast ? "MIN" : "MAX", [operand.expression]), operand.type, form: operand.form)
  }

  /// The sum, 0 of nothing: that of integers of 64 bits is a `numeric`, which has no end there.
  private func sum(_ operand: SQLOperand) -> SQLOperand? {
    func total(_ type: PostgreSQLType) -> SQLExpression {
      .call("COALESCE", [.call("SUM", [cast(operand.expression, type)]), .number(0)])
    }
    switch form(operand) {
    case .floating?:
      let values = cast(operand.expression, .double)
      return SQLOperand(PostgreSQLFunction.sum.call([values], self), .double)
    case .numeric? where operand.type == .decimal:
      return SQLOperand(PostgreSQLFunction.decimal.call([total(.numeric), .number(1)], self), .decimal)
    case .boolean?, .whole?:
      return Self.isShort(operand)
        ? SQLOperand(total(.integer), .integer) : SQLOperand(total(.bigint), .integer, form: .mixed)
    case .numeric?, nil: return nil
    }
  }

  /// The mean, no value of nothing.
  private func average(_ operand: SQLOperand) -> SQLOperand? {
    switch form(operand) {
    case .numeric? where operand.type == .decimal:
      let parts = ["SUM", "COUNT"].map { SQLExpression.call($0, [operand.expression]) }
      return SQLOperand(PostgreSQLFunction.decimalMean.call(parts, self), .decimal)
    case .boolean? where Self.isShort(operand), .whole? where Self.isShort(operand):
      // The sum is exact, so that nothing is lost of it.
      let total = cast(.call("SUM", [cast(operand.expression, .integer)]), .double)
      let count = SQLExpression.call("NULLIF", [.call("COUNT", [operand.expression]), .number(0)])
      return SQLOperand(.infix("/", total, count), .double)
    case .boolean?, .whole?, .floating?:
      let values = cast(number(operand), .double)
      return SQLOperand(PostgreSQLFunction.average.call([values], self), .double)
    case .numeric?, nil: return nil
    }
  }

  /// Whether the values have 32 bits, of which no table has so many that their sum has more than 64.
  private static func isShort(_ operand: SQLOperand) -> Bool {
    operand.integers.lowerBound >= Int32.min && operand.integers.upperBound <= Int32.max
  }
}
#endif
