#if PostgreSQL
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLDialect {
  func call(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer {
    guard function.arity.contains(arguments.count), let first = arguments.first else {
      return .no(.function, "\(function.rawValue) is computed in memory")
    }
    if arguments.contains(where: \.isForComparisonOnly) {
      return .no(.differentKinds, "numbers of two kinds are calculated with in memory")
    }
    switch function {
    case .length: return length(first)
    case .negate, .absolute: return sign(function, first)
    case .ceiling, .floor, .truncate: return whole(function, first)
    case .squareRoot: return squareRoot(first)
    case .add, .subtract, .multiply, .divide, .modulus: return arithmetic(function, first, arguments[1])
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor: return bitwise(function, first, arguments[1])
    case .onesComplement:
      guard form(first) == .whole, first.constant == nil else { break }
      return .exact(SQLOperand(.prefix("~", cast(first.expression, .bigint)), .integer))
    case .coalesce: return firstValue(arguments)
    case .year, .month, .day, .hour, .minute, .second, .weekday, .isoWeek:
      return datePart(function, arguments)
    case .truncatedDate: return dateStart(arguments)
    default: break
    }
    return .no(.function, "\(function.rawValue) is computed in memory")
  }

  /// The number of UTF-16 units: characters beyond the first 65,536 have two (PRD-172).
  private func length(_ operand: SQLOperand) -> SQLValueAnswer {
    guard operand.type == .string, operand.constant == nil else {
      return .no(.differentKinds, "the value is no text")
    }
    let text = operand.expression
    let count = SQLExpression.call("char_length", [text])
    let others = SQLExpression.call(
      "regexp_replace", [text, .literal("'[\\U00010000-\\U0010FFFF]'"), .literal("''"), .literal("'g'")])
    let units = SQLExpression.infix(
      "-", .infix("*", count, .number(2)), .call("char_length", [others]))
    return .exact(
      SQLOperand(
        .conditional(
          .infix("=", .call("octet_length", [text]), count), then: count, otherwise: units), .integer))
  }

  /// The opposite, or the distance from 0; those of the least integer are beyond 64 bits.
  private func sign(_ function: QueryFunction, _ operand: SQLOperand) -> SQLValueAnswer {
    guard operand.constant == nil, let form = form(operand) else {
      return .no(.differentKinds, "the value is no number")
    }
    func apply(_ expression: SQLExpression) -> SQLExpression {
      function == .negate ? .prefix("-", expression) : .call("abs", [expression])
    }
    switch form {
    case .floating, .numeric:
      guard operand.type != .integer else { break }
      return .exact(SQLOperand(apply(operand.expression), operand.type, form: operand.form))
    case .boolean, .whole:
      guard let range = IntegerRange.opposite(of: operand) else { break }
      var result = SQLOperand(apply(cast(number(operand), .bigint)), .integer)
      if function == .negate { result.range = range }
      return .exact(result)
    }
    return .no(.differentKinds, "a result beyond 64 bits is computed in memory")
  }

  private func whole(_ function: QueryFunction, _ operand: SQLOperand) -> SQLValueAnswer {
    guard operand.constant == nil, let form = form(operand) else {
      return .no(.differentKinds, "the value is no number")
    }
    let name = function == .ceiling ? "ceil" : function == .floor ? "floor" : "trunc"
    switch form {
    case .boolean, .whole:
      var result = SQLOperand(number(operand), .integer)
      result.range = operand.range
      return .exact(result)
    case .floating:
      return .exact(SQLOperand(.call(name, [cast(operand.expression, .double)]), operand.type))
    case .numeric:
      guard operand.type == .decimal else { break }
      return .exact(SQLOperand(.call(name, [operand.expression]), .decimal))
    }
    return .no(.differentKinds, "a result beyond 64 bits is computed in memory")
  }

  /// The root, which IEEE 754 rounds in one way only; none of what is negative.
  private func squareRoot(_ operand: SQLOperand) -> SQLValueAnswer {
    guard operand.constant == nil, let form = form(operand), form != .numeric else {
      return .no(.differentKinds, "the root of such a value is computed in memory")
    }
    let value = cast(number(operand), .double)
    return .exact(
      SQLOperand(
        .conditional(.infix(">=", value, .number(0)), then: .call("sqrt", [value]), otherwise: .null), .double
      ))
  }

  private func arithmetic(
    _ function: QueryFunction, _ left: SQLOperand, _ right: SQLOperand
  ) -> SQLValueAnswer {
    if left.type == .date || right.type == .date { return dates(function, left, right) }
    guard left.isPlainNumber, right.isPlainNumber else {
      return .no(.differentKinds, "arithmetic with this type is done in memory")
    }
    if left.isWholeNumber, right.isWholeNumber { return integers(function, left, right) }
    guard let first = double(left), let second = double(right),
      let sum = doubles(function, first, second)
    else { return .no(.function, "\(function.rawValue) of such numbers is computed in memory") }
    return .exact(SQLOperand(sum, .double))
  }

  /// Arithmetic of integers: where a result may have more than 64 bits, in numbers of any length.
  private func integers(
    _ function: QueryFunction, _ left: SQLOperand, _ right: SQLOperand
  ) -> SQLValueAnswer {
    guard let first = integer(left), let second = integer(right), let sign = Self.sign(function) else {
      return .no(.differentKinds, "arithmetic with this value is done in memory")
    }
    let isQuotient = function == .divide || function == .modulus
    let divisor = isQuotient ? SQLExpression.call("NULLIF", [second, .number(0)]) : second
    if let range = IntegerRange.of(function, left: left, right: right) {
      var result = SQLOperand(.infix(sign, first, divisor), .integer)
      result.range = range
      return .exact(result)
    }
    let (long, longDivisor) = (cast(first, .numeric), cast(divisor, .numeric))
    return .exact(
      SQLOperand(
        function == .divide ? .call("div", [long, longDivisor]) : .infix(sign, long, longDivisor), .integer,
        form: .overflowing))
  }

  /// Sums and differences of dates, which are seconds.
  private func dates(
    _ function: QueryFunction, _ left: SQLOperand, _ right: SQLOperand
  ) -> SQLValueAnswer {
    let isSpan = left.type == .date && right.type == .date
    let isKnown = function == .subtract ? left.type == .date : function == .add && !isSpan
    guard isKnown, let first = double(left), let second = double(right),
      let sum = doubles(function, first, second)
    else { return .no(.differentKinds, "arithmetic with dates is done in memory") }
    return .exact(SQLOperand(sum, isSpan ? .double : .date))
  }

  private func doubles(
    _ function: QueryFunction, _ left: SQLExpression, _ right: SQLExpression
  ) -> SQLExpression? {
    switch function {
    case .add: PostgreSQLFunction.add.call([left, right], self)
    case .subtract: PostgreSQLFunction.add.call([left, .prefix("-", right)], self)
    case .multiply: PostgreSQLFunction.multiply.call([left, right], self)
    case .divide: PostgreSQLFunction.divide.call([left, right], self)
    default: nil
    }
  }

  /// A number that is no decimal, or the seconds of a date, as a double.
  private func double(_ operand: SQLOperand) -> SQLExpression? {
    switch operand.constant {
    case nil:
      guard operand.type == .date || operand.isPlainNumber else { return nil }
      return cast(number(operand), .double)
    case .double(let number)?: return .binding(number.isNaN ? .null : .double(number))
    case .int(let number)?: return .binding(.double(Double(number)))
    case .bool(let flag)?: return .binding(.double(flag ? 1 : 0))
    case .date(let date)?: return .binding(.double(date.timeIntervalSinceReferenceDate))
    default: return nil
    }
  }

  private static func sign(_ function: QueryFunction) -> String? {
    switch function {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .modulus: "%"
    default: nil
    }
  }

  /// A whole number of 64 bits.
  private func integer(_ operand: SQLOperand) -> SQLExpression? {
    guard let constant = operand.constant else { return cast(number(operand), .bigint) }
    return Self.integer(constant).map { cast(.binding(.integer($0)), .bigint) }
  }

  private func bitwise(
    _ function: QueryFunction, _ left: SQLOperand, _ right: SQLOperand
  ) -> SQLValueAnswer {
    guard left.isWholeNumber, right.isWholeNumber, let first = integer(left), let second = integer(right)
    else { return .no(.differentKinds, "bits of this type are computed in memory") }
    let sign = function == .bitwiseAnd ? "&" : function == .bitwiseOr ? "|" : "#"
    return .exact(SQLOperand(.infix(sign, first, second), .integer))
  }

  /// The first value that is there, of values of one kind.
  private func firstValue(_ operands: [SQLOperand]) -> SQLValueAnswer {
    let known = operands.filter { $0.constant?.isNull != true }
    guard let model = known.first, known.allSatisfy({ $0.type == model.type && $0.form == model.form }),
      known.allSatisfy({ !$0.isOpaque })
    else { return .no(.differentKinds, "values of several kinds are looked through in memory") }
    var expressions: [SQLExpression] = []
    for operand in known {
      guard let expression = expression(operand, as: model.type) else {
        return .no(.differentKinds, "a value cannot be written in the statement")
      }
      expressions.append(expression)
    }
    return .exact(
      SQLOperand(texts(.call("COALESCE", expressions), model.type), model.type, form: model.form))
  }

  /// A part of a date in UTC; the server's time zones are others.
  private func datePart(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer {
    let units: [QueryFunction: String] = [
      .year: "year", .month: "month", .day: "day", .hour: "hour", .minute: "minute", .second: "second",
      .weekday: "isodow", .isoWeek: "week",
    ]
    guard arguments.count == 1, arguments[0].type == .date, arguments[0].constant == nil,
      let unit = units[function]
    else { return .no(.function, "dates in time zones, and texts that are dates, are read in memory") }
    let part = PostgreSQLFunction.datePart.call([arguments[0].expression, .literal("'\(unit)'")], self)
    return .exact(SQLOperand(part, .integer))
  }

  private func dateStart(_ arguments: [SQLOperand]) -> SQLValueAnswer {
    let units = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"]
    guard arguments.count == 2, arguments[0].type == .date, arguments[0].constant == nil,
      case .string(let unit)? = arguments[1].constant, units.contains(unit)
    else { return .no(.function, "dates in time zones, and texts that are dates, are read in memory") }
    let start = PostgreSQLFunction.dateStart.call(
      [arguments[0].expression, .literal("'\(unit)'")], self)
    return .exact(SQLOperand(start, .date))
  }

  func cast(_ operand: SQLOperand, to type: QueryCastType) -> SQLValueAnswer {
    let value = operand.expression
    switch (operand.type, type) {
    case (.decimal, .number), (.decimal, .decimal), (.boolean, .boolean), (.string, .string), (.date, .date),
      (.uuid, .uuid), (.uri, .uri), (.data, .data):
      return .exact(operand)
    case (.date, .number), (.date, .double): return .exact(SQLOperand(value, .double))
    case (.boolean, .number): return .exact(SQLOperand(number(operand), .integer))
    case (.integer, .number), (.double, .number), (.float, .number):
      return .exact(SQLOperand(value, operand.type, form: operand.form))
    case (.integer, .integer) where operand.form == .whole: return .exact(operand)
    case (_, .double) where operand.isPlainNumber:
      return .exact(SQLOperand(cast(number(operand), .double), .double))
    case (_, .date) where operand.isPlainNumber:
      return .exact(SQLOperand(cast(number(operand), .double), .date))
    case (_, .objectID): return .no(.notInRow, "an identifier is read from the object")
    default: return .no(.function, "a value of this type is cast in memory")
    }
  }
}
#endif
