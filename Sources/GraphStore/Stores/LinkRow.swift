/// One stored link of a to-many.
struct LinkRow: Sendable {
  var owner: Int64
  var member: ObjectKey
  /// The stored order value of an ordered relationship; 0 where there is none.
  var order: Int64
}
