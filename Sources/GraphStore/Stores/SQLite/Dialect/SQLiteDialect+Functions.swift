import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  func call(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLAnswer {
    switch function {
    case .length:
      guard let text = arguments.first, text.type == .string else { return .no("the length is of no text") }
      return .exact(.call(SQLiteTextFunctions.lengthName, [text.expression]))
    case .add, .subtract, .multiply, .divide, .modulus: return arithmetic(function, arguments)
    case .uppercase: return text(SQLiteTextFunctions.upperName, arguments)
    case .lowercase: return text(SQLiteTextFunctions.lowerName, arguments)
    case .canonical:
      guard let text = arguments.first, text.type == .string else { return .no("the value is no text") }
      return .exact(.call(SQLiteTextFunctions.foldName, [text.expression, .number(3)]))
    default: return .no("\(function.rawValue) is computed in memory")
    }
  }

  private func text(_ name: String, _ arguments: [SQLOperand]) -> SQLAnswer {
    guard let text = arguments.first, text.type == .string else { return .no("the value is no text") }
    return .exact(.call(name, [text.expression]))
  }

  /// Arithmetic whose results are the same here and there: on overflow whole numbers become doubles in
  /// both, and dividing by zero gives no value.
  private func arithmetic(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLAnswer {
    guard arguments.count == 2 else { return .no("\(function.rawValue) takes two values") }
    var sides: [SQLExpression] = []
    for argument in arguments {
      switch argument.type {
      case .integer, .boolean, .double, .float, .date: break
      default: return .no("arithmetic with this type is done in memory")
      }
      guard let constant = argument.constant else {
        // Whole seconds are stored as integers, and integers would be divided without remainder.
        sides.append(argument.type == .date ? argument.expression.asReal : argument.expression)
        continue
      }
      guard let binding = binding(constant, as: argument.type) else {
        return .no("arithmetic with this value is done in memory")
      }
      sides.append(.binding(binding))
    }
    let isWhole = arguments.allSatisfy { $0.type == .integer || $0.type == .boolean }
    switch function {
    case .add: return .exact(.infix("+", sides[0], sides[1]))
    case .subtract: return .exact(.infix("-", sides[0], sides[1]))
    case .multiply: return .exact(.infix("*", sides[0], sides[1]))
    case .modulus:
      guard isWhole else { return .no("remainders of fractions are computed in memory") }
      return .exact(.infix("%", sides[0], sides[1]))
    default: return .exact(.infix("/", sides[0], sides[1]))
    }
  }

  func aggregate(_ function: ResolvedKeyPath.Operator, over operand: SQLOperand) -> SQLAnswer {
    let column = operand.expression
    switch (function, operand.type) {
    case (.minimum, .decimal): return .exact(.call(SQLiteDecimalFunctions.minimumName, [column]))
    case (.maximum, .decimal): return .exact(.call(SQLiteDecimalFunctions.maximumName, [column]))
    case (.sum, .double), (.sum, .float):
      return .exact(.call(SQLiteSumFunctions.sumName, [column]))
    case (.average, .integer), (.average, .boolean), (.average, .double), (.average, .float):
      return .exact(.call(SQLiteSumFunctions.averageName, [column]))
    case (.sum, .integer), (.sum, .boolean):
      return .exact(.call("COALESCE", [.call("SUM", [column]), .number(0)]))
    case (.minimum, .integer), (.minimum, .boolean), (.minimum, .double), (.minimum, .float),
      (.minimum, .date), (.minimum, .string), (.minimum, .uuid), (.minimum, .uri):
      return .exact(.call("MIN", [column]))
    case (.maximum, .integer), (.maximum, .boolean), (.maximum, .double), (.maximum, .float),
      (.maximum, .date), (.maximum, .string), (.maximum, .uuid), (.maximum, .uri):
      return .exact(.call("MAX", [column]))
    default: return .no("@\(function.rawValue) of these values is computed in memory")
    }
  }
}
