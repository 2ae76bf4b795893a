/// One stored link of a to-many.
struct StoredMember: Sendable {
  var owner: Int64
  var member: RecordReference
  /// The stored order value of an ordered relationship; 0 where there is none.
  var order: Int64
}
