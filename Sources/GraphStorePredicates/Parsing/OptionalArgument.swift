/// An optional whose wrapped type is not known.
protocol OptionalArgument {
  var wrappedArgument: Any? { get }
}

extension Optional: OptionalArgument {
  var wrappedArgument: Any? { self }
}

/// A closed range whose bound's type is not known.
protocol RangeArgument {
  var bounds: (Any, Any) { get }
}

extension ClosedRange: RangeArgument {
  var bounds: (Any, Any) { (lowerBound, upperBound) }
}
