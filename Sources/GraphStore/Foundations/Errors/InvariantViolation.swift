/// A broken invariant of a data structure: a defect of this library, which tests look for.
package struct InvariantViolation: Error, CustomStringConvertible {
  package let description: String

  /// Throws if a condition does not hold.
  package static func check(
    _ holds: Bool, _ invariant: @autoclosure () -> String
  ) throws(InvariantViolation) {
    if !holds { throw InvariantViolation(description: invariant()) }
  }
}
