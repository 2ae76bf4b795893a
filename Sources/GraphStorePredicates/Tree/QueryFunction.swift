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
}

extension QueryFunction {
  /// The number of arguments of the function.
  public var arity: ClosedRange<Int> {
    switch self {
    case .now, .random: 0...0
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev: 1...Int.max
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
      .shiftLeft, .shiftRight, .normalizeWith:
      2...2
    default: 1...1
    }
  }

  /// Whether the function reduces a collection to one value or to a list.
  public var isAggregate: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev: true
    default: false
    }
  }
}
