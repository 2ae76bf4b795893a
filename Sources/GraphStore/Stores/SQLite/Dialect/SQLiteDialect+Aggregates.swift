import GraphStorePredicates

extension SQLiteDialect {
  /// Counts different values, or finds the least or the greatest: what SQLite can do with them.
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
    guard !operand.isForComparisonOnly, operand.constant == nil, !operand.isOpaque,
      operand.type == .decimal || !operand.type.isNumber || operand.form <= .plain
    else { return .no(.differentKinds, "\(function.rawValue) of these values is computed in memory") }
    let column = operand.expression
    switch (function, operand.type) {
    case (.min, .decimal):
      return .exact(SQLOperand(.call(SQLiteDecimalFunctions.minimumName, [column]), .decimal))
    case (.max, .decimal):
      return .exact(SQLOperand(.call(SQLiteDecimalFunctions.maximumName, [column]), .decimal))
    case (.sum, .decimal): return collected(SQLiteAggregateFunctions.sumName, column: column, type: .decimal)
    case (.average, .decimal):
      return collected(SQLiteAggregateFunctions.averageName, column: column, type: .decimal)
    case (.sum, _) where operand.type.isNumber:
      if operand.form == .whole {
        // So many rows that a sum of 32 bits each overflows are in no database.
        guard operand.integers.lowerBound < Int32.min || operand.integers.upperBound > Int32.max else {
          return .exact(SQLOperand(.call("COALESCE", [.call("SUM", [column]), .number(0)]), .integer))
        }
        return .exact(SQLOperand(SQLiteSumFunctions.wholeSum(of: column), .integer, form: .mixed))
      }
      guard operand.form == .real else { break }
      // SUM of no rows is the integer 0.
      return .exact(SQLOperand(.call(SQLiteSumFunctions.sumName, [column]), .double, form: .plain))
    case (.average, _) where operand.type.isNumber:
      return .exact(SQLOperand(.call(SQLiteSumFunctions.averageName, [column]), .double))
    case (.min, _) where operand.type.isComparedNatively:
      return .exact(SQLOperand(.call("MIN", [column]), operand.type, form: operand.form))
    case (.max, _) where operand.type.isComparedNatively:
      return .exact(SQLOperand(.call("MAX", [column]), operand.type, form: operand.form))
    case (.median, _), (.percentile, _):
      if let percentile = aggregate.percentile, let found = self.percentile(percentile, of: operand) {
        return found
      }
    default: break
    }
    return .no(.function, "\(function.rawValue) of these values is computed in memory")
  }

  /// The value at a place; nil for values that are neither numbers nor dates.
  private func percentile(_ percentile: Percentile, of operand: SQLOperand) -> SQLValueAnswer? {
    let type: ExpressionType
    switch operand.type {
    case .decimal, .date: type = operand.type
    case let other where other.isNumber: type = .double
    default: return nil
    }
    guard let result = SQLiteValueKind(type), let argument = SQLiteValueKind(operand.type) else { return nil }
    let call = SQLExpression.call(
      SQLitePercentileFunction.name,
      [
        operand.expression, .binding(.text(percentile.fraction.description)),
        .number(SQLiteValueFunctions.code([result, argument])),
      ])
    return .exact(SQLOperand(call, type))
  }

  private func collected(_ name: String, column: SQLExpression, type: ExpressionType) -> SQLValueAnswer {
    let code = SQLiteValueFunctions.code([.decimal, .decimal])
    return .exact(SQLOperand(.call(name, [column, .number(code)]), type))
  }
}

extension ExpressionType {
  /// Whether SQLite's own order of stored values is the order of the values.
  fileprivate var isComparedNatively: Bool {
    switch self {
    case .integer, .boolean, .double, .float, .date, .string, .uuid, .uri, .data: true
    default: false
    }
  }
}
