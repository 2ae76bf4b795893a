/// One stored link of a to-many.
struct LinkRow: Sendable {
  var owner: Int64
  var member: ObjectKey
  /// The stored order value of an ordered relationship; 0 where there is none.
  var order: Int64
}

extension LinkRow: Comparable {
  /// Whether a link comes before another: by owner, then by place, then by the member's key.
  static func < (left: LinkRow, right: LinkRow) -> Bool {
    (left.owner, left.order, left.member.key) < (right.owner, right.order, right.member.key)
  }
}
