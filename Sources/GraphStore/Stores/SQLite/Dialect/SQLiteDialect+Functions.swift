import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  func call(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer {
    guard function.arity.contains(arguments.count), let first = arguments.first else {
      return .no(.function, "\(function.rawValue) is computed in memory")
    }
    if arguments.contains(where: \.isForComparisonOnly) {
      return .no(.differentKinds, "numbers of two kinds are calculated with in memory")
    }
    switch function {
    case .length: return text(SQLiteTextFunctions.lengthName, operand: first, type: .integer)
    case .uppercase: return text(SQLiteTextFunctions.upperName, operand: first)
    case .lowercase: return text(SQLiteTextFunctions.lowerName, operand: first)
    case .canonical:
      return text(SQLiteTextFunctions.foldName, operand: first, type: .string, rest: [.number(3)])
    case .normalize:
      let code = SQLiteValueFunctions.code([.string, .string])
      return text("gs_normalize", operand: first, type: .string, rest: [.number(code)])
    case .normalizeWith:
      guard case .string(let transform)? = arguments[1].constant,
        (try? TextNormalizer(transform: transform)) != nil
      else { return .no(.function, "a transform that is no constant of the library's is applied in memory") }
      return text("gs_normalize_with", operand: first, type: .string, rest: [.binding(.text(transform))])
    case .negate, .absolute, .ceiling, .floor, .truncate, .squareRoot, .logarithm, .naturalLogarithm,
      .exponential, .onesComplement:
      return unary(function, first)
    case .add, .subtract, .multiply, .divide, .modulus, .power: return arithmetic(function, arguments)
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight: return bitwise(function, arguments)
    case .sum, .average, .min, .max, .coalesce: return reduce(function, arguments)
    case .round: return round(arguments)
    case .year, .month, .day, .hour, .minute, .second, .weekday, .isoWeek, .difference:
      return called(function, operands: arguments, outcome: SQLOperand(.null, .integer, form: .whole))
    case .truncatedDate, .adding:
      return called(function, operands: arguments, outcome: SQLOperand(.null, .date))
    case .trimmed, .concatenated, .replaced, .firstPart, .lastPart, .substring:
      return called(function, operands: arguments, outcome: SQLOperand(.null, .string))
    default: return .no(.function, "\(function.rawValue) is computed in memory")
    }
  }

  private func text(
    _ name: String, operand: SQLOperand, type: ExpressionType = .string, rest: [SQLExpression] = []
  ) -> SQLValueAnswer {
    guard operand.type == .string, operand.constant == nil else {
      return .no(.differentKinds, "the value is no text")
    }
    return .exact(SQLOperand(.call(name, [operand.expression] + rest), type))
  }

  private func unary(_ function: QueryFunction, _ operand: SQLOperand) -> SQLValueAnswer {
    guard operand.type.isNumber, operand.constant == nil else {
      return .no(.differentKinds, "the value is no number")
    }
    var outcome = SQLOperand(
      operand.expression, operand.type == .boolean ? .integer : operand.type, form: operand.form)
    outcome.range = operand.range
    switch function {
    case .ceiling, .floor, .truncate:
      if operand.isPlainNumber, operand.form == .whole { return .exact(outcome) }
    case .negate, .absolute:
      outcome.range = nil
      // The opposite of the least integer is a decimal.
      if operand.type != .decimal, operand.form != .real { outcome.form = max(operand.form, .overflowing) }
      if function == .negate {
        if let range = IntegerRange.opposite(of: operand) {
          outcome = SQLOperand(.prefix("-", operand.expression), .integer)
          outcome.range = range
          return .exact(outcome)
        }
        outcome.unchecked = opposite(operand)
      }
    case .onesComplement:
      outcome = SQLOperand(operand.expression, .integer)
      if operand.isPlainNumber, operand.form == .whole {
        outcome.expression = .prefix("~", operand.expression)
        return .exact(outcome)
      }
    default: outcome = SQLOperand(operand.expression, .double)
    }
    return called(function, operands: [operand], outcome: outcome)
  }

  /// The number rounded: of the kind that it was.
  private func round(_ operands: [SQLOperand]) -> SQLValueAnswer {
    guard operands.allSatisfy(\.type.isNumber) else {
      return .no(.differentKinds, "what is no number is rounded in memory")
    }
    let number = operands[0]
    let type: ExpressionType = number.type == .boolean ? .integer : number.type
    // An integer that is rounded to tens and more may leave 64 bits.
    let form: SQLOperand.NumberForm = number.form == .real ? .real : .mixed
    return called(.round, operands: operands, outcome: SQLOperand(.null, type, form: form))
  }

  /// A call of the registered function, with the kinds of its values.
  func called(
    _ function: QueryFunction, operands: [SQLOperand], outcome: SQLOperand
  ) -> SQLValueAnswer {
    guard let name = SQLiteValueFunctions.name(of: function), let kind = SQLiteValueKind(outcome.type),
      operands.count <= 16
    else { return .no(.function, "\(function.rawValue) is computed in memory") }
    var expressions: [SQLExpression] = []
    var kinds = [kind]
    for operand in operands {
      guard let argument = argument(operand) else {
        return .no(.differentKinds, "\(function.rawValue) of these values is computed in memory")
      }
      expressions.append(argument.expression)
      kinds.append(argument.kind)
    }
    var outcome = outcome
    outcome.expression = .call(name, expressions + [.number(SQLiteValueFunctions.code(kinds))])
    return .exact(outcome)
  }

  /// An aggregate function over several single values.
  private func reduce(_ function: QueryFunction, _ operands: [SQLOperand]) -> SQLValueAnswer {
    let isWhole = operands.allSatisfy { $0.isPlainNumber && $0.form == .whole }
    let type = operands.first { $0.constant?.isNull != true }?.type ?? .anything
    let isOneType = operands.allSatisfy { $0.type == type || $0.constant?.isNull == true }
    let isNumber = operands.allSatisfy { $0.type.isNumber || $0.constant?.isNull == true }
    guard isNumber || isOneType else {
      return .no(.differentKinds, "values of several kinds are aggregated in memory")
    }
    if function == .sum || function == .average, operands.contains(where: \.mayBeNaN) {
      return .no(.missingValues, "a computed number that is none counts in memory and is no value here")
    }
    let outcome: SQLOperand
    switch function {
    case .min, .max, .coalesce:
      if isNumber, type != .decimal || !isOneType {
        let isPlain = operands.allSatisfy(\.isPlainNumber)
        outcome = SQLOperand(.null, .double, form: isWhole ? .whole : isPlain ? .plain : .mixed)
      } else {
        outcome = SQLOperand(.null, type)
      }
    case _ where !isNumber:
      return .no(.differentKinds, "\(function.rawValue) of these values is computed in memory")
    case .sum where isWhole: outcome = SQLOperand(.null, .integer, form: .mixed)
    default: outcome = SQLOperand(.null, .double, form: .mixed)
    }
    return called(function, operands: operands, outcome: outcome)
  }
}
