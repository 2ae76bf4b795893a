/// How many objects are at an end of a line.
package struct DiagramCount: Equatable {
  /// Whether there may be none.
  package let allowsNone: Bool
  /// The least number, if there are any.
  package let least: Int
  /// The greatest number, nil for no limit.
  package let most: Int?

  /// Any number.
  static let any = DiagramCount(allowsNone: true, least: 1, most: nil)

  init(_ relationship: RelationshipDescription) {
    self.init(
      allowsNone: !relationship.requiresMember,
      least: max(relationship.isToMany ? relationship.minCount : 1, 1),
      most: relationship.maxCount == 0 ? nil : relationship.maxCount)
  }

  private init(allowsNone: Bool, least: Int, most: Int?) {
    self.allowsNone = allowsNone
    self.least = least
    self.most = most
  }

  /// Whether there may be more than one.
  package var isMany: Bool { most != 1 }

  /// Whether there is a limit that `0..1`, `1`, `0..*` and `1..*` do not tell.
  package var hasLimits: Bool { least > 1 || (most.map { $0 > 1 } ?? false) }

  /// `0..1`, `1`, `0..*`, `1..*`, `3..40`, or `0,3..40` for none or at least three.
  package var text: String {
    if allowsNone, least <= 1 { return "0..\(upper)" }
    let range = most == least ? upper : "\(least)..\(upper)"
    return allowsNone ? "0,\(range)" : range
  }

  private var upper: String { most.map(String.init) ?? "*" }
}
