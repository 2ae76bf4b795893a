/// A broken invariant of a data structure: a defect of this library, which tests look for.
struct InvariantViolation: Error, CustomStringConvertible {
  let description: String

  /// Throws if a condition does not hold.
  static func check(
    _ holds: Bool, _ invariant: @autoclosure () -> String
  ) throws(InvariantViolation) {
    if !holds { throw InvariantViolation(description: invariant()) }
  }
}
