import Foundation

/// Function over the values of one collection, or over those of the rows of a group; of a percentile with its
/// fraction.
package struct AggregateFunction: Hashable, Sendable {
  /// The function.
  package let function: QueryFunction
  /// The place of the value that it finds; nil for functions that find none.
  package let percentile: Percentile?

  private init(_ function: QueryFunction, _ percentile: Percentile?) {
    self.function = function
    self.percentile = percentile
  }

  /// Makes a function that takes values alone, such as a sum.
  package init(_ function: QueryFunction) { self.init(function, function == .median ? .median : nil) }

  /// Makes the function that a call applies to its first argument.
  ///
  /// - Returns: Nil for a call over several values, for functions that are no aggregates, and for a fraction
  ///   that is not the same for every object, or no number from 0 to 1.
  package init?(_ function: QueryFunction, calledWith arguments: [QueryExpression]) {
    guard function.isAggregate else { return nil }
    guard function == .percentile else {
      guard arguments.count == 1 else { return nil }
      self = AggregateFunction(function)
      return
    }
    guard arguments.count == 2, let fraction = arguments[1].commonValue(now: .distantPast),
      let percentile = Percentile(fraction)
    else { return nil }
    self = AggregateFunction(function, percentile)
  }

  /// The aggregate of values; missing ones are skipped.
  package func value(over values: [Value]) -> Value {
    percentile?.value(over: values) ?? Aggregation.value(of: function, over: values)
  }
}
