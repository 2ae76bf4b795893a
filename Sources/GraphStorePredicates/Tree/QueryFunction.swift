/// The functions of the language; the raw value is the printed name.
///
/// ```swift
/// let longest = QueryExpression.function(.length, .key("name"))
/// print(longest, QueryFunction.average.isAggregate)  // length:(name) true
/// ```
public enum QueryFunction: String, Hashable, Sendable, CaseIterable {
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case percentile = "percentile:"
  case mode = "mode:"
  case stddev = "stddev:"
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case negate = "negate:"
  case absolute = "abs:"
  case ceiling = "ceiling:"
  case floor = "floor:"
  case truncate = "trunc:"
  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case shiftLeft = "leftshift:by:"
  case shiftRight = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case now = "now"
  case random = "random"
  case randomBelow = "random:"
  case randomNumber = "randomn:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  case normalize = "normalize:"
  case normalizeWith = "normalize:with:"
  case noIndex = "noindex:"
  case distinct = "distinct:"
  case round = "round:"
  case coalesce = "coalesce:"
  case substring = "substring:"
  case concatenated = "concatenated:"
  case replaced = "replaced:"
  case trimmed = "trimmed:"
  case firstPart = "firstPart:"
  case lastPart = "lastPart:"
  case year = "year:"
  case month = "month:"
  case day = "day:"
  case hour = "hour:"
  case minute = "minute:"
  case second = "second:"
  case weekday = "weekday:"
  case isoWeek = "isoWeek:"
  case truncatedDate = "truncated:"
  case adding = "adding:"
  case difference = "difference:"
}

extension QueryFunction {
  /// The number of arguments of the function.
  public var arity: ClosedRange<Int> {
    switch self {
    case .now, .random: 0...0
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev, .coalesce, .concatenated: 1...Int.max
    case .round, .year, .month, .day, .hour, .minute, .second, .weekday, .isoWeek: 1...2
    case .substring, .truncatedDate: 2...3
    case .replaced: 3...3
    case .adding, .difference: 3...4
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
      .shiftLeft, .shiftRight, .normalizeWith, .firstPart, .lastPart, .percentile:
      2...2
    default: 1...1
    }
  }

  /// Whether the function reduces a collection to one value or to a list.
  public var isAggregate: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .percentile, .mode, .stddev: true
    default: false
    }
  }

  /// Whether the function is this library's own: the original has none of the name.
  public var isOwn: Bool {
    switch self {
    case .normalize, .normalizeWith, .round, .coalesce, .substring, .concatenated, .replaced, .trimmed,
      .firstPart, .lastPart, .year, .month, .day, .hour, .minute, .second, .weekday, .isoWeek, .truncatedDate,
      .adding, .difference, .percentile:
      true
    default: false
    }
  }
}
