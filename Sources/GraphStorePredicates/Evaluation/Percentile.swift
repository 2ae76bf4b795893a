import Foundation

/// Percentile of numbers or dates: the value at a place among them in their order, between two of them by
/// linear interpolation, as `percentile_cont` of SQL. Missing values are skipped; of none it is nil.
package struct Percentile: Hashable, Sendable {
  /// The middle value, or the mean of the middle two.
  package static let median = Percentile(fraction: Decimal(sign: .plus, exponent: -1, significand: 5))

  /// The place: 0 is that of the least value, 1 that of the greatest.
  ///
  /// It is a decimal, as it is written: so the 0.29 of 101 values is the 30th of them, and no part of the
  /// 29th.
  package let fraction: Decimal

  private init(fraction: Decimal) { self.fraction = fraction }

  /// The percentile at a fraction; nil for a value that is no number from 0 to 1.
  package init?(_ fraction: Value) {
    let number: Decimal
    switch fraction {
    case .int(let whole): number = Decimal(whole)
    case .double(let double) where double.isFinite && (0...1).contains(double):
      number = Decimal(shortestTextOf: double)
    case .decimal(let decimal) where !decimal.isNaN: number = decimal
    default: return nil
    }
    guard (0...1).contains(number) else { return nil }
    self.fraction = number
  }

  /// The percentile of values: a decimal of decimals, a date of dates, otherwise a double; nil over what is
  /// neither number nor date.
  package func value(over values: [Value]) -> Value {
    let present = values.filter { !$0.isNull && !$0.isNaN }
    var hasDecimals = false
    var hasDoubles = false
    var dates = 0
    for value in present {
      switch value {
      case .decimal: hasDecimals = true
      case .double: hasDoubles = true
      case .int, .bool: break
      case .date: dates += 1
      default: return .null
      }
    }
    if dates > 0 {
      let seconds = present.compactMap { value in
        if case .date(let date) = value { date.timeIntervalSinceReferenceDate } else { nil }
      }
      guard dates == present.count, let second = number(among: seconds) else { return .null }
      return .date(Date(timeIntervalSinceReferenceDate: second))
    }
    if hasDecimals, !hasDoubles { return decimal(among: present.compactMap(\.decimalNumber)) }
    return number(among: present.compactMap(\.doubleNumber)).map(Value.double) ?? .null
  }

  /// The percentile of numbers of which none is missing; nil of none.
  package func number(among numbers: [Double]) -> Double? {
    let sorted = numbers.sorted()
    guard let place = place(among: sorted.count) else { return nil }
    let (lower, upper) = (sorted[place.index], sorted[min(place.index + 1, sorted.count - 1)])
    let weight = Value.decimal(place.weight).doubleNumber ?? 0
    guard weight > 0, lower != upper else { return lower }
    let distance = upper - lower
    return distance.isFinite ? lower + distance * weight : lower * (1 - weight) + upper * weight
  }

  private func decimal(among numbers: [Decimal]) -> Value {
    let sorted = numbers.sorted()
    guard let place = place(among: sorted.count) else { return .null }
    let lower = Value.decimal(sorted[place.index])
    guard place.weight > 0 else { return lower }
    let upper = Value.decimal(sorted[min(place.index + 1, sorted.count - 1)])
    let distance = Arithmetic.value(of: .subtract, left: upper, right: lower)
    let part = Arithmetic.value(of: .multiply, left: distance, right: .decimal(place.weight))
    return Arithmetic.value(of: .add, left: lower, right: part)
  }

  /// The position of the value at the place or next before it, and how far from there to the next one the
  /// place is; nil where there are no values.
  private func place(among count: Int) -> (index: Int, weight: Decimal)? {
    guard count > 0 else { return nil }
    let place = fraction * Decimal(count - 1)
    let whole = DecimalArithmetic.rounded(place, .down)
    return (min((whole as NSDecimalNumber).intValue, count - 1), place - whole)
  }
}
