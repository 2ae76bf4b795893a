import Foundation

/// Sums, means and the like over values; nil values are skipped.
package enum Aggregation {
  /// The aggregate of several values; nil for other functions.
  package static func value(of function: QueryFunction, over values: [Value]) -> Value {
    switch function {
    case .count: .int(Int64(values.count))
    case .sum: sum(values)
    case .average: average(values)
    case .min: extreme(values, .orderedAscending)
    case .max: extreme(values, .orderedDescending)
    case .median: Percentile.median.value(over: values)
    case .mode: mode(values)
    case .stddev: standardDeviation(values)
    default: .null
    }
  }

  /// The sum: an integer of integers, a decimal where decimals are and no double is, otherwise a double; 0 of
  /// nothing, nil over what is no number. A sum of integers beyond 64 bits is a decimal, whatever the order
  /// of its parts.
  static func sum(_ values: [Value]) -> Value {
    var total: Int128 = 0
    for value in values {
      switch value {
      case .null: continue
      case .bool, .int: total += Int128(value.wholeNumber ?? 0)
      case .double, .decimal: return fractionalSum(values)
      default: return .null
      }
    }
    return Value(wholeNumber: total)
  }

  private static func fractionalSum(_ values: [Value]) -> Value {
    // A sum beyond what a decimal can be is a double.
    if let sum = DecimalAccumulator(values)?.sum { return .decimal(sum) }
    return doubles(values).map { .double(compensatedSum($0)) } ?? .null
  }

  /// The mean of the values there are: a decimal of decimals, otherwise a double; nil of nothing.
  static func average(_ values: [Value]) -> Value {
    let present = values.filter { !$0.isNull }
    guard !present.isEmpty else { return .null }
    if present.contains(where: { if case .decimal = $0 { true } else { false } }),
      let mean = DecimalAccumulator(present)?.mean(of: present.count)
    {
      return .decimal(mean)
    }
    guard let numbers = doubles(present) else { return .null }
    return .double(compensatedSum(numbers) / Double(numbers.count))
  }

  /// The value that precedes (or follows) all others; nil for no values.
  static func extreme(_ values: [Value], _ wanted: ComparisonResult) -> Value {
    var best = Value.null
    for value in values where !value.isNull && !value.isNaN {
      if best.isNull || value.order(to: best) == wanted { best = value }
    }
    return best
  }

  /// All most frequent values in ascending order.
  static func mode(_ values: [Value]) -> Value {
    let sorted = values.filter { !$0.isNull }.sorted { $0.order(to: $1) == .orderedAscending }
    var runs: [(value: Value, count: Int)] = []
    for value in sorted {
      if let last = runs.last, last.value.isEqual(to: value) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((value, 1))
      }
    }
    let most = runs.map(\.count).max() ?? 0
    return .list(runs.filter { $0.count == most }.map(\.value))
  }

  /// The standard deviation of a population; nil of nothing.
  static func standardDeviation(_ values: [Value]) -> Value {
    guard let numbers = doubles(values), !numbers.isEmpty else { return .null }
    let mean = compensatedSum(numbers) / Double(numbers.count)
    let squares = numbers.map { ($0 - mean) * ($0 - mean) }
    return .double((compensatedSum(squares) / Double(numbers.count)).squareRoot())
  }

  /// The members without repetition, first occurrence kept.
  static func distinct(_ members: [QueryOperand]) -> [QueryOperand] {
    var kept: [QueryOperand] = []
    var seen = Set<Value>()
    let comparer = ValueComparer(options: [], locale: Locale(identifier: ""))
    for member in members {
      if case .value(let value) = member, !value.isNumber {
        if seen.insert(value).inserted { kept.append(member) }
      } else if !kept.contains(where: { comparer.areEqual($0, member) }) {
        kept.append(member)
      }
    }
    return kept
  }

  /// The sum with the rounding error of each addition carried along (Neumaier).
  static func compensatedSum(_ numbers: [Double]) -> Double {
    var sum = 0.0
    var compensation = 0.0
    for number in numbers {
      let next = sum + number
      compensation += abs(sum) >= abs(number) ? (sum - next) + number : (number - next) + sum
      sum = next
    }
    return compensation.isNaN ? sum : sum + compensation
  }

  private static func doubles(_ values: [Value]) -> [Double]? {
    var numbers: [Double] = []
    numbers.reserveCapacity(values.count)
    for value in values where !value.isNull {
      guard let number = value.doubleNumber else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}

extension Value {
  /// A whole number as an integer, or as a decimal where it is beyond 64 bits.
  package init(wholeNumber: Int128) {
    if let integer = Int64(exactly: wholeNumber) {
      self = .int(integer)
    } else {
      let numeral = DecimalNumeral(
        isNegative: wholeNumber < 0, significand: wholeNumber.magnitude, exponent: 0)
      self = numeral.decimal.map(Value.decimal) ?? .double(Double(wholeNumber))
    }
  }

  /// Throws `arithmetic-overflow` where the value, which is a result, is the sum of integers and beyond 64
  /// bits (FET-090).
  package func checkResult(ofSumming values: [Value], at range: SourceRange?) throws(QueryPredicateError) {
    guard case .decimal = self, values.allSatisfy({ $0.isNull || $0.wholeNumber != nil }) else { return }
    throw .sumOverflow(at: range)
  }

  /// The number as a double; nil for what is no number.
  var doubleNumber: Double? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.nearestDouble
    default: nil
    }
  }
}
