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

  /// Sums and means of doubles and decimals are computed in memory, which carries what rounding loses along.
  func aggregate(_ aggregate: AggregateFunction, over operand: SQLOperand) -> SQLValueAnswer {
    let function = aggregate.function
    if function == .count, operand.constant == nil {
      return .exact(SQLOperand(.call("COUNT", [operand.expression]), .integer))
    }
    guard !operand.isForComparisonOnly, operand.constant == nil, !operand.isOpaque else {
      return .no(.differentKinds, "\(function.rawValue) of these values is computed in memory")
    }
    switch function {
    case .min, .max: if let extreme = extreme(function, operand) { return .exact(extreme) }
    case .sum where operand.isWholeNumber: return .exact(sum(operand))
    case .average where operand.isWholeNumber && Self.isShort(operand):
      let total = cast(.call("SUM", [cast(operand.expression, .integer)]), .double)
      let count = SQLExpression.call("NULLIF", [.call("COUNT", [operand.expression]), .number(0)])
      return .exact(SQLOperand(.infix("/", total, count), .double))
    default: break
    }
    return .no(.function, "\(function.rawValue) of these values is computed in memory")
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

  /// The sum of whole numbers, 0 of none: that of longer ones is a `numeric`, which has no end at 64 bits.
  private func sum(_ operand: SQLOperand) -> SQLOperand {
    guard Self.isShort(operand) else {
      return SQLOperand(
        .call("COALESCE", [.call("SUM", [cast(operand.expression, .bigint)]), .number(0)]), .integer,
        form: .mixed)
    }
    return SQLOperand(
      .call("COALESCE", [.call("SUM", [cast(operand.expression, .integer)]), .number(0)]), .integer)
  }

  /// Whether the values have 32 bits, of which no table has so many that their sum has more than 64.
  private static func isShort(_ operand: SQLOperand) -> Bool {
    operand.integers.lowerBound >= Int32.min && operand.integers.upperBound <= Int32.max
  }
}
#endif
