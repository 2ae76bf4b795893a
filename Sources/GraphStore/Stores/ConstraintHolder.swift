/// A record that has the values of a row under a uniqueness constraint.
struct ConstraintHolder {
  /// The position of the row among those that were asked for.
  let position: Int
  let holder: ObjectKey
}
