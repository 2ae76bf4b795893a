import GraphStorePredicates

extension PredicateCheck {
  /// The type that a function gives, with its arguments' types checked.
  mutating func type(
    of function: QueryFunction, over arguments: [Typed], at range: SourceRange?
  ) -> ExpressionType {
    guard function.arity.contains(arguments.count) else {
      report(
        .argumentCount, "\(function.rawValue) cannot take \(arguments.count) arguments.", at: range,
        subject: function.rawValue)
      return .anything
    }
    let types = arguments.map(\.type)
    switch function {
    case .add, .subtract: return dateArithmetic(function, types, at: range)
    case .multiply, .divide, .modulus, .negate, .absolute, .ceiling, .floor, .truncate:
      guard numbers(function, types, at: range) else { return .anything }
      return types.dropFirst().reduce(arithmetic(types[0])) { Self.common($0, arithmetic($1)) }
    case .power:
      guard numbers(function, types, at: range) else { return .anything }
      return types[0] == .decimal && types[1] == .integer ? .decimal : .double
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential:
      return numbers(function, types, at: range) ? .double : .anything
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight, .onesComplement:
      return numbers(function, types, at: range) ? .integer : .anything
    case .now: return .date
    case .random, .randomNumber: return .integer
    case .randomBelow: return types[0].member ?? .integer
    case .uppercase, .lowercase, .canonical, .normalize, .normalizeWith:
      return strings(function, types, at: range) ? .string : .anything
    case .length: return strings(function, types, at: range) ? .integer : .anything
    case .noIndex: return types[0]
    case .distinct: return types[0].member == nil ? .collection(types[0], isOrdered: true) : types[0]
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev:
      return aggregate(function, arguments, at: range)
    }
  }

  private func arithmetic(_ type: ExpressionType) -> ExpressionType {
    switch type {
    case .boolean: .integer
    case .float: .double
    default: type
    }
  }

  private mutating func dateArithmetic(
    _ function: QueryFunction, _ types: [ExpressionType], at range: SourceRange?
  ) -> ExpressionType {
    if types[0] == .date {
      if types[1] == .date, function == .subtract { return .double }
      if types[1].isNumber || types[1] == .anything { return .date }
    } else if types[1] == .date, function == .add, types[0].isNumber || types[0] == .anything {
      return .date
    }
    guard numbers(function, types, at: range) else { return .anything }
    return Self.common(arithmetic(types[0]), arithmetic(types[1]))
  }

  private mutating func numbers(
    _ function: QueryFunction, _ types: [ExpressionType], at range: SourceRange?
  ) -> Bool {
    guard let wrong = types.first(where: { !$0.isNumber && $0 != .anything }) else { return true }
    report(.typeMismatch, "\(function.rawValue) needs numbers and was given \(wrong).", at: range)
    return false
  }

  private mutating func strings(
    _ function: QueryFunction, _ types: [ExpressionType], at range: SourceRange?
  ) -> Bool {
    guard let wrong = types.first(where: { $0 != .string && $0 != .anything }) else { return true }
    report(
      .typeMismatch, "\(function.rawValue) needs strings and was given \(wrong).", at: range,
      hint: "Write CAST(…, \"NSString\") to make one.")
    return false
  }

  private mutating func aggregate(
    _ function: QueryFunction, _ arguments: [Typed], at range: SourceRange?
  ) -> ExpressionType {
    let types = arguments.map(\.type)
    var member = types.reduce(ExpressionType.anything) { Self.common($0, $1) }
    if arguments.count == 1 {
      if let found = types[0].member {
        member = found
      } else if isFetch, case .keyPath = arguments[0].expression.kind, types[0] != .anything {
        report(
          .aggregateOverScalar,
          "\(function.rawValue) needs a collection, and the key's value is \(types[0]).",
          at: range, hint: "Sort by the key with a limit of 1, or aggregate the fetch's results.")
        return .anything
      }
    }
    switch function {
    case .count: return .integer
    case .min, .max: return member
    case .mode: return .collection(member, isOrdered: true)
    case .average, .median, .stddev: return member == .decimal ? .decimal : .double
    default: return member
    }
  }
}
