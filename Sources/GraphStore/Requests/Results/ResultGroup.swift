import Foundation
import GraphStorePredicates

/// The rows of one group, as far as its aggregates need them.
package struct ResultGroup {
  /// The values that the rows share.
  package let keys: [Value]
  package private(set) var aggregates: [Aggregate]

  package init(keys: [Value], of query: ResultQuery) {
    self.keys = keys
    aggregates = query.leaves[query.keyCount...].map { leaf in
      guard case .aggregate(let function, let isDistinct) = leaf.role else {
        return Aggregate(AggregateFunction(.count), false)
      }
      return Aggregate(function, isDistinct)
    }
  }

  package mutating func take(_ value: Value, at position: Int) { aggregates[position].take(value) }

  /// The values of the leaves.
  package var leaves: [Value] { keys + aggregates.map(\.value) }

  /// One aggregate over the rows so far; missing values are skipped (FET-090).
  package struct Aggregate {
    private let function: AggregateFunction
    private var seen: Set<Value>?
    private var count: Int64 = 0
    private var values: [Value] = []

    package init(_ function: AggregateFunction, _ isDistinct: Bool) {
      self.function = function
      seen = isDistinct ? [] : nil
    }

    package mutating func take(_ value: Value) {
      if value.isNull || value.isNaN { return }
      if seen != nil, seen?.insert(value.groupKey).inserted != true { return }
      switch function.function {
      case .count: count += 1
      case .min, .max: values = [function.value(over: values + [value])]
      default: values.append(value)
      }
    }

    package var value: Value {
      function.function == .count ? .int(count) : function.value(over: values)
    }
  }
}

extension Value {
  /// The value in a form that is equal for values that are: numbers by what they are, whatever their kind,
  /// and NaN as nil.
  package var groupKey: Value {
    switch self {
    case .bool(let flag): .int(flag ? 1 : 0)
    case .double(let number): number.isNaN ? .null : Int64(exactly: number).map(Value.int) ?? self
    case .decimal(let number): wholeKey(number)
    case .date(let date):
      isNaN
        ? .null
        : date.timeIntervalSinceReferenceDate == 0 ? .date(Date(timeIntervalSinceReferenceDate: 0)) : self
    default: self
    }
  }

  /// A decimal as the integer that it is, or the double.
  private func wholeKey(_ number: Decimal) -> Value {
    if number.isNaN { return .null }
    if case .int(let whole) = cast(to: .integer), isEqual(to: .int(whole)) { return .int(whole) }
    if case .double(let near) = cast(to: .double), isEqual(to: .double(near)) { return .double(near) }
    return self
  }
}
