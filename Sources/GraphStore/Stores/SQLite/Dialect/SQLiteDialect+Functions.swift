import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  func call(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLAnswer {
    switch function {
    case .length:
      guard let text = arguments.first, text.type == .string else { return .no("the length is of no text") }
      return .exact(.call(SQLiteTextFunctions.lengthName, [text.expression]))
    case .add, .subtract, .multiply, .divide: return arithmetic(function, arguments)
    default: return .no("\(function.rawValue) is computed in memory")
    }
  }

  /// Arithmetic whose results are the same here and there: whole numbers wrap to doubles on overflow in both.
  private func arithmetic(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLAnswer {
    guard arguments.count == 2 else { return .no("\(function.rawValue) takes two values") }
    var sides: [SQLExpression] = []
    for argument in arguments {
      switch argument.type {
      case .integer, .boolean, .double, .float, .date: break
      default: return .no("arithmetic with this type is done in memory")
      }
      guard let constant = argument.constant else {
        sides.append(argument.expression)
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
    case .divide where isWhole: return .no("whole numbers are divided in memory")
    default: return .exact(.infix("/", sides[0], sides[1]))
    }
  }

  func aggregate(_ function: ResolvedKeyPath.Operator, over operand: SQLOperand) -> SQLAnswer {
    let column = operand.expression
    switch (function, operand.type) {
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
