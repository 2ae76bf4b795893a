import Foundation
import GraphStorePredicates

extension PredicateTyping {
  /// The type of a function's result, with its arguments' types checked.
  mutating func type(
    of function: QueryFunction, over arguments: [Typed], in expression: QueryExpression
  ) -> ExpressionType {
    guard function.arity.contains(arguments.count) else {
      report(
        .argumentCount,
        "\(function.rawValue) cannot take \(QueryPredicateError.counted(arguments.count, "argument")).",
        at: expression.sourceRange, subject: function.rawValue)
      return .anything
    }
    let types = arguments.map(\.type)
    switch function {
    case .add, .subtract: return dateArithmetic(function, arguments, in: expression)
    case .multiply, .divide, .modulus, .negate, .absolute, .ceiling, .floor, .truncate:
      guard numbers(function, arguments, in: expression) else { return .anything }
      return types.dropFirst().reduce(arithmetic(types[0])) { Self.common($0, arithmetic($1)) }
    case .power:
      guard numbers(function, arguments, in: expression) else { return .anything }
      return types[0] == .decimal && types[1] == .integer ? .decimal : .double
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential:
      return numbers(function, arguments, in: expression) ? .double : .anything
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight, .onesComplement:
      return numbers(function, arguments, in: expression) ? .integer : .anything
    case .now: return .date
    case .random, .randomNumber: return .integer
    case .randomBelow: return types[0].member ?? .integer
    case .uppercase, .lowercase, .canonical, .normalize:
      return strings(function, arguments, in: expression) ? .string : .anything
    case .normalizeWith:
      checkTransform(arguments[1].expression)
      return strings(function, arguments, in: expression) ? .string : .anything
    case .length: return strings(function, arguments, in: expression) ? .integer : .anything
    case .noIndex: return types[0]
    case .round:
      return numbers(function, arguments, in: expression) ? arithmetic(types[0]) : .anything
    case .coalesce: return coalesced(arguments, in: expression)
    case .trimmed, .concatenated, .replaced, .firstPart, .lastPart:
      return strings(function, arguments, in: expression) ? .string : .anything
    case .substring:
      let isText = strings(function, Array(arguments.prefix(1)), in: expression)
      return numbers(function, Array(arguments.dropFirst()), in: expression) && isText ? .string : .anything
    case .year, .month, .day, .hour, .minute, .second, .weekday, .isoWeek, .truncatedDate, .adding,
      .difference:
      return calendar(function, arguments, in: expression)
    case .distinct: return types[0].member == nil ? .collection(types[0], isOrdered: true) : types[0]
    case .percentile:
      checkFraction(arguments[1].expression)
      return aggregate(function, [arguments[0]], in: expression)
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev:
      return aggregate(function, arguments, in: expression)
    }
  }

  /// Refuses a fraction of a percentile that depends on the object, or is no number from 0 to 1.
  private mutating func checkFraction(_ expression: QueryExpression) {
    if case .variable = expression.kind, checker.allowsVariables { return }
    let value = expression.commonValue(now: .distantPast)
    if let value, Percentile(value) != nil { return }
    report(
      .argumentType, "percentile: takes a number from 0 to 1, and \(text(of: expression)) is none.",
      at: expression.sourceRange, hint: "Write 0.9 for the value that nine of ten are below.",
      subject: text(of: expression))
  }

  /// The type that all arguments have, where those without a value count for nothing.
  private mutating func coalesced(_ arguments: [Typed], in expression: QueryExpression) -> ExpressionType {
    let given = arguments.filter { $0.expression.constantValue?.isNull != true }.map(\.type)
    let type = given.reduce(ExpressionType.anything) { Self.common($0, $1) }
    for argument in arguments where refusesCollection(argument.type, side: argument) { return .anything }
    if let first = given.first(where: { $0 != .anything }),
      let other = given.first(where: { $0 != .anything && $0 != first && !($0.isNumber && first.isNumber) })
    {
      report(
        .typeMismatch, "coalesce: needs values of one type and was given \(first) and \(other).",
        at: expression.sourceRange, hint: "CAST one of them to the type of the other.",
        subject: text(of: expression))
      return .anything
    }
    return type
  }

  /// The type of a function of dates, with its unit and its time zone checked where they are constants.
  private mutating func calendar(
    _ function: QueryFunction, _ arguments: [Typed], in expression: QueryExpression
  ) -> ExpressionType {
    let dates = function == .difference ? 2 : 1
    let isDate: (Typed) -> Bool = { argument in
      guard case .string(let text)? = argument.expression.constantValue else { return false }
      return DateText.seconds(from: text) != nil
    }
    guard
      requireEach(
        of: arguments.prefix(dates).filter { !isDate($0) }, "\(function.rawValue) needs a date and was given",
        hint: "Write a date in ISO 8601, or CAST(…, \"NSDate\") to make one of a number.", in: expression,
        { $0 == .date })
    else { return .anything }
    var rest = Array(arguments.dropFirst(dates))
    if function == .adding {
      guard numbers(function, [rest.removeFirst()], in: expression) else { return .anything }
    }
    guard strings(function, rest, in: expression) else { return .anything }
    if [.truncatedDate, .adding, .difference].contains(function) { checkUnit(rest.removeFirst().expression) }
    if let zone = rest.first { checkZone(zone.expression) }
    return function == .truncatedDate || function == .adding ? .date : .integer
  }

  private mutating func checkUnit(_ expression: QueryExpression) {
    let names = CalendarUnit.allCases.map(\.rawValue)
    guard case .string(let name)? = expression.constantValue, !names.contains(name) else { return }
    report(
      .argumentType, "\"\(name)\" is no unit of the calendar.", at: expression.sourceRange,
      hint: "The units are \(names.joined(separator: ", ")).",
      suggestions: NearestNames.names(near: name, among: names), subject: name)
  }

  private mutating func checkZone(_ expression: QueryExpression) {
    guard case .string(let name)? = expression.constantValue, !CalendarUnit.isTimeZone(name) else { return }
    report(
      .argumentType, "\"\(name)\" is no time zone.", at: expression.sourceRange,
      hint: "Write one such as \"Europe/Berlin\", \"UTC\" or \"+02:00\".", subject: name)
  }

  /// The type of a registered function's result, with its name checked (PRD-180).
  mutating func type(
    ofCall name: String, _ argumentCount: Int, in expression: QueryExpression
  ) -> ExpressionType {
    guard let function = checker.functions.function(named: name) else {
      report(
        .unknownFunction, "No function \(name) is registered.", at: expression.sourceRange,
        suggestions: NearestNames.names(near: name, among: checker.functions.names),
        subject: text(of: expression))
      return .anything
    }
    guard function.equivalent != nil else {
      return function.sqlForm.map { ExpressionType($0.result) } ?? .anything
    }
    if argumentCount > 0 {
      report(
        .argumentCount, "\(name) takes no arguments besides its target and is given \(argumentCount).",
        at: expression.sourceRange, subject: text(of: expression))
    }
    return .string
  }

  /// Refuses a constant that is no transform of text.
  private mutating func checkTransform(_ expression: QueryExpression) {
    guard case .string(let transform)? = expression.constantValue else { return }
    do throws(QueryPredicateError) {
      _ = try TextNormalizer(transform: transform)
    } catch {
      report(error.placed(at: expression.sourceRange))
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
    _ function: QueryFunction, _ arguments: [Typed], in expression: QueryExpression
  ) -> ExpressionType {
    let types = arguments.map(\.type)
    switch (types[0], types[1], function) {
    case (.date, .date, .subtract), (.anything, .date, .subtract): return .double
    case (.date, .anything, _): return .date
    case (.date, let seconds, _) where seconds.isNumber: return .date
    case (.anything, .date, .add): return .date
    case (let seconds, .date, .add) where seconds.isNumber: return .date
    default: break
    }
    guard numbers(function, arguments, in: expression) else { return .anything }
    return Self.common(arithmetic(types[0]), arithmetic(types[1]))
  }

  private mutating func numbers(
    _ function: QueryFunction, _ arguments: [Typed], in expression: QueryExpression
  ) -> Bool {
    requireEach(
      of: arguments, "\(function.rawValue) needs numbers and was given", hint: nil, in: expression
    ) { $0.isNumber }
  }

  private mutating func strings(
    _ function: QueryFunction, _ arguments: [Typed], in expression: QueryExpression
  ) -> Bool {
    requireEach(
      of: arguments, "\(function.rawValue) needs strings and was given",
      hint: "Write CAST(…, \"NSString\") to make one.", in: expression
    ) { $0 == .string }
  }

  /// Whether every argument is one value of a fitting type; the first that is not is reported.
  private mutating func requireEach(
    of arguments: [Typed], _ wanted: String, hint: String?, in expression: QueryExpression,
    _ fits: (ExpressionType) -> Bool
  ) -> Bool {
    for argument in arguments where argument.type != .anything && !fits(argument.type) {
      if refusesCollection(argument.type, side: argument) { return false }
      report(
        .typeMismatch, "\(wanted) \(argument.type).", at: expression.sourceRange, hint: hint,
        subject: text(of: expression))
      return false
    }
    return true
  }

  private mutating func aggregate(
    _ function: QueryFunction, _ arguments: [Typed], in expression: QueryExpression
  ) -> ExpressionType {
    let types = arguments.map(\.type)
    var member = types.reduce(ExpressionType.anything) { Self.common($0, $1) }
    if arguments.count == 1 {
      if let found = types[0].member {
        member = found
      } else if isFetch, case .keyPath = arguments[0].expression.kind, types[0] != .anything,
        !(checker.aggregatesRows && subqueryDepth == 0)
      {
        report(
          .aggregateOverScalar,
          "\(function.rawValue) needs a collection, and the key's value is \(types[0]).",
          at: expression.sourceRange,
          hint: "Sort by the key with a limit of 1, or aggregate the fetch's results.",
          subject: text(of: expression))
        return .anything
      }
    }
    switch function {
    case .count: return .integer
    case .min, .max: return member
    case .mode: return .collection(member, isOrdered: true)
    case .median where member == .date, .percentile where member == .date: return .date
    case .average, .median, .percentile, .stddev: return member == .decimal ? .decimal : .double
    default: return member
    }
  }
}
