import GraphStorePredicates

/// Range of the results of integer arithmetic: where they all have 64 bits, no overflow has to be looked for.
package enum IntegerRange {
  /// The integers that a function of two operands may return; nil where they are none, or may be beyond 64
  /// bits.
  package static func of(
    _ function: QueryFunction, left: SQLOperand, right: SQLOperand
  ) -> ClosedRange<Int64>? {
    guard left.isWholeNumber, right.isWholeNumber else { return nil }
    let (first, second) = (left.integers, right.integers)
    switch function {
    case .add: return bounds(first, second) { $0.addingReportingOverflow($1) }
    case .subtract: return bounds(first, second) { $0.subtractingReportingOverflow($1) }
    case .multiply: return bounds(first, second) { $0.multipliedReportingOverflow(by: $1) }
    case .divide:
      // Only the quotient of the least integer by -1 overflows.
      guard !first.contains(.min) || !second.contains(-1) else { return nil }
      return widened(first)
    case .modulus: return widened(first)
    default: return nil
    }
  }

  /// The integers that are the opposites of others; nil where one may be beyond 64 bits.
  package static func opposite(of operand: SQLOperand) -> ClosedRange<Int64>? {
    guard operand.isWholeNumber, operand.integers.lowerBound > .min else { return nil }
    return -operand.integers.upperBound ... -operand.integers.lowerBound
  }

  /// The least and the greatest result of operations whose extremes are those of their operands.
  private static func bounds(
    _ left: ClosedRange<Int64>, _ right: ClosedRange<Int64>, of operation: (Int64, Int64) -> (Int64, Bool)
  ) -> ClosedRange<Int64>? {
    var results: [Int64] = []
    for first in [left.lowerBound, left.upperBound] {
      for second in [right.lowerBound, right.upperBound] {
        let (result, overflows) = operation(first, second)
        if overflows { return nil }
        results.append(result)
      }
    }
    guard let least = results.min(), let greatest = results.max() else { return nil }
    return least...greatest
  }

  /// The integers no farther from 0 than those of a range.
  private static func widened(_ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
    guard range.lowerBound > .min else { return .min ... .max }
    let magnitude = max(range.lowerBound.magnitude, range.upperBound.magnitude)
    return -Int64(magnitude)...Int64(magnitude)
  }
}
