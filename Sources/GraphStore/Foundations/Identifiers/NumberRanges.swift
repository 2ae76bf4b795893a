/// A set of numbers most of which follow each other.
package struct NumberRanges: Sendable {
  private var ranges: [ClosedRange<Int64>] = []

  package init() {}

  /// Adds a number that is greater than all others.
  package mutating func append(_ number: Int64) {
    guard let last = ranges.last else { return ranges.append(number...number) }
    assert(number > last.upperBound, "numbers are added in their order")
    if number == last.upperBound + 1 {
      ranges[ranges.count - 1] = last.lowerBound...number
    } else {
      ranges.append(number...number)
    }
  }

  /// Removes a number, and all that are greater.
  package mutating func remove(from number: Int64) {
    while let last = ranges.last, last.upperBound >= number {
      ranges.removeLast()
      if last.lowerBound < number { ranges.append(last.lowerBound...number - 1) }
    }
  }

  package func contains(_ number: Int64) -> Bool {
    // The latest are asked for most.
    for range in ranges.reversed() where range.lowerBound <= number { return range.contains(number) }
    return false
  }
}
