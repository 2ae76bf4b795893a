/// The operators that combine two collections; the raw value is the printed form.
public enum QuerySetOperator: String, Hashable, Sendable, CaseIterable {
  /// Members of either side.
  case union = "UNION"
  /// Members of both sides.
  case intersect = "INTERSECT"
  /// Members of the left side that the right side does not have.
  case minus = "MINUS"
}
