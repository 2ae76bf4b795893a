import GraphStorePredicates
import GraphStoreSQLite

/// SQL functions that compute what memory computes, by the same code.
///
/// Their last argument says of which kinds the values are, a digit each of ``SQLiteValueKind``: that of the
/// result first, then those of the arguments in order.
enum SQLiteValueFunctions {
  /// A value cast to a type: value, number of the type, kinds.
  static let castName = "gs_cast"
  /// Less than, equal to or greater than 0, as the first value is to the second.
  static let compareName = "gs_compare"

  /// The name of a function that is computed here; nil for those that are not.
  static func name(of function: QueryFunction) -> String? {
    switch function {
    case .negate: "gs_negate"
    case .absolute: "gs_abs"
    case .ceiling: "gs_ceiling"
    case .floor: "gs_floor"
    case .truncate: "gs_trunc"
    case .squareRoot: "gs_sqrt"
    case .logarithm: "gs_log"
    case .naturalLogarithm: "gs_ln"
    case .exponential: "gs_exp"
    case .onesComplement: "gs_not"
    case .normalize: "gs_normalize"
    case .add: "gs_add"
    case .subtract: "gs_subtract"
    case .multiply: "gs_multiply"
    case .divide: "gs_divide"
    case .modulus: "gs_modulus"
    case .power: "gs_power"
    case .bitwiseAnd: "gs_and"
    case .bitwiseOr: "gs_or"
    case .bitwiseXor: "gs_xor"
    case .shiftLeft: "gs_shift_left"
    case .shiftRight: "gs_shift_right"
    case .sum: "gs_sum_of"
    case .average: "gs_average_of"
    case .min: "gs_least_of"
    case .max: "gs_greatest_of"
    case .round: "gs_round"
    case .coalesce: "gs_coalesce"
    case .substring: "gs_substring"
    case .concatenated: "gs_concatenated"
    case .replaced: "gs_replaced"
    case .trimmed: "gs_trimmed"
    case .firstPart: "gs_first_part"
    case .lastPart: "gs_last_part"
    case .year: "gs_year"
    case .month: "gs_month"
    case .day: "gs_day"
    case .hour: "gs_hour"
    case .minute: "gs_minute"
    case .second: "gs_second"
    case .weekday: "gs_weekday"
    case .isoWeek: "gs_iso_week"
    case .truncatedDate: "gs_truncated"
    case .adding: "gs_adding"
    case .difference: "gs_difference"
    default: nil
    }
  }

  static func install(on connection: SQLiteConnection) throws {
    for function in QueryFunction.allCases {
      guard let name = name(of: function) else { continue }
      if let body = EngineFunctions.bodyOfSeveral(function) {
        try register(name, on: connection, ofSeveral: body)
        if let part = EngineFunctions.partOfDate(function) {
          try register(name, on: connection, ofDate: part, orElse: body)
        }
      } else if function.isAggregate {
        try register(name, on: connection, ofSeveral: { EngineFunctions.value(of: function, over: $0) })
      } else if function.arity == 1...1 {
        try registerUnary(function, name, on: connection)
      } else {
        try registerBinary(function, name, on: connection)
      }
    }
    try registerCast(on: connection)
    try registerComparison(on: connection)
    try registerNormalizer(on: connection)
  }

  /// The kinds of the result and of the arguments as one number.
  static func code(_ kinds: [SQLiteValueKind]) -> Int64 {
    kinds.reduce(0) { $0 * 10 + $1.rawValue }
  }

  /// The kind at a position of a code, counted from the last.
  static func kind(_ code: Int64, fromEnd place: Int) -> SQLiteValueKind {
    var rest = code
    for _ in 0..<place { rest /= 10 }
    return SQLiteValueKind(rawValue: rest % 10) ?? .number
  }

  private static func registerUnary(
    _ function: QueryFunction, _ name: String, on connection: SQLiteConnection
  ) throws {
    try connection.register(function: name, argumentCount: 2) { arguments, result in
      let code = arguments.int64(at: 1)
      let argument = try kind(code, fromEnd: 0).value(arguments, 0)
      kind(code, fromEnd: 1).set(EngineFunctions.value(of: function, argument), result)
    }
  }

  private static func registerBinary(
    _ function: QueryFunction, _ name: String, on connection: SQLiteConnection
  ) throws {
    try connection.register(function: name, argumentCount: 3) { arguments, result in
      let code = arguments.int64(at: 2)
      let left = kind(code, fromEnd: 1)
      let right = kind(code, fromEnd: 0)
      let value = try EngineFunctions.value(
        of: function, left: left.value(arguments, 0), right: right.value(arguments, 1),
        leftIsConstant: left == .fractionalConstant, rightIsConstant: right == .fractionalConstant)
      kind(code, fromEnd: 2).set(value, result)
    }
  }

  /// Registers a function of any number of values.
  private static func register(
    _ name: String, on connection: SQLiteConnection, ofSeveral body: @escaping ([Value]) -> Value
  ) throws {
    try connection.register(function: name, argumentCount: -1) { arguments, result in
      let count = arguments.count - 1
      let code = arguments.int64(at: count)
      let values = try (0..<count).map { try kind(code, fromEnd: count - 1 - $0).value(arguments, $0) }
      kind(code, fromEnd: count).set(body(values), result)
    }
  }

  /// Registers the form of a part of a date that has no time zone, whose only argument is most often a stored
  /// date.
  private static func register(
    _ name: String, on connection: SQLiteConnection, ofDate part: @escaping (Double) -> Int64?,
    orElse body: @escaping ([Value]) -> Value
  ) throws {
    try connection.register(function: name, argumentCount: 2) { arguments, result in
      if arguments.isNull(at: 0) { return result.setNull() }
      let code = arguments.int64(at: 1)
      let argument = kind(code, fromEnd: 0)
      guard argument == .date else {
        return kind(code, fromEnd: 1).set(body([try argument.value(arguments, 0)]), result)
      }
      guard let number = part(arguments.double(at: 0)) else { return result.setNull() }
      result.set(number)
    }
  }

  private static func registerCast(on connection: SQLiteConnection) throws {
    let types = QueryCastType.allCases
    try connection.register(function: castName, argumentCount: 3) { arguments, result in
      let code = arguments.int64(at: 2)
      let type = Int(arguments.int64(at: 1))
      guard types.indices.contains(type) else { return }
      let value = try kind(code, fromEnd: 0).value(arguments, 0)
      kind(code, fromEnd: 1).set(value.cast(to: types[type]), result)
    }
  }

  private static func registerComparison(on connection: SQLiteConnection) throws {
    try connection.register(function: compareName, argumentCount: 3) { arguments, result in
      let code = arguments.int64(at: 2)
      let left = kind(code, fromEnd: 1)
      let right = kind(code, fromEnd: 0)
      let order = try EngineFunctions.order(
        left.value(arguments, 0), right.value(arguments, 1), leftIsConstant: left == .fractionalConstant,
        rightIsConstant: right == .fractionalConstant)
      if let order { result.set(Int64(order.rawValue)) }
    }
  }

  private final class Normalizer {
    let normalizer: TextNormalizer?

    init(_ transform: String) {
      normalizer = try? TextNormalizer(transform: transform)
    }
  }

  private static func registerNormalizer(on connection: SQLiteConnection) throws {
    try connection.register(function: "gs_normalize_with", argumentCount: 2) { arguments, result in
      guard !arguments.isNull(at: 0), !arguments.isNull(at: 1) else { return }
      let prepared = arguments.cached(at: 1) {
        unsafe Normalizer(String(decoding: arguments.text(at: 1), as: UTF8.self))
      }
      guard let normalizer = prepared.normalizer else { return }
      unsafe result.set(normalizer.normalize(String(decoding: arguments.text(at: 0), as: UTF8.self)))
    }
  }
}
