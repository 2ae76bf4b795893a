/// A relationship in a drawing, together with its inverse.
///
/// The line leads from left to right; where only one side is to-many, the left side is the one that has many.
package struct DiagramLine {
  /// The relationship from left to right.
  package let forward: RelationshipDescription
  /// The relationship from right to left: nil for a one-way relationship, `forward` for one that is its own
  /// inverse.
  package let backward: RelationshipDescription?

  /// The entity at the left end.
  package var left: EntityDescription { forward.entity }
  /// The entity at the right end.
  package var right: EntityDescription { forward.destination }

  /// The number of objects of the right that belong to one of the left.
  package var rightCount: DiagramCount { DiagramCount(forward) }
  /// The number of objects of the left that belong to one of the right; any number where nothing leads back.
  package var leftCount: DiagramCount { backward.map(DiagramCount.init) ?? .any }

  /// The relationships of a model as lines.
  static func all(in model: ManagedObjectModel) -> [DiagramLine] {
    var drawn: Set<RelationshipDescription> = []
    var lines: [DiagramLine] = []
    for entity in model.entities {
      for case let relationship as RelationshipDescription in entity.ownProperties
      where drawn.insert(relationship).inserted {
        lines.append(line(relationship, &drawn))
      }
    }
    return lines
  }

  private static func line(
    _ relationship: RelationshipDescription, _ drawn: inout Set<RelationshipDescription>
  ) -> DiagramLine {
    guard let inverse = relationship.inverse else {
      return DiagramLine(forward: relationship, backward: nil)
    }
    drawn.insert(inverse)
    return inverse.isToMany && !relationship.isToMany
      ? DiagramLine(forward: inverse, backward: relationship)
      : DiagramLine(forward: relationship, backward: inverse)
  }

  /// The label of the line: `employees (cascade) / department (nullify)`.
  package var label: String { labels.joined(separator: " / ") }

  /// The labels of the line for each direction: `employees (cascade)`.
  package var labels: [String] {
    guard let backward else { return [Self.text(forward, "one-way")] }
    return backward === forward
      ? [Self.text(forward, "own inverse")] : [Self.text(forward), Self.text(backward)]
  }

  /// `members (ordered, 3..40, cascade)`
  package static func text(_ relationship: RelationshipDescription, _ more: String...) -> String {
    var words: [String] = []
    if relationship.isOrdered { words.append("ordered") }
    let count = DiagramCount(relationship)
    if count.hasLimits { words.append(count.text) }
    if relationship.isTransient { words.append("transient") }
    words.append(relationship.deleteRule.rawValue)
    return "\(relationship.name) (\((words + more).joined(separator: ", ")))"
  }
}

/// Multiplicity of an end of a line.
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

  /// Whether there is a limit that `0..1`, `1`, `0..*` and `1..*` do not express.
  package var hasLimits: Bool { least > 1 || (most.map { $0 > 1 } ?? false) }

  /// `0..1`, `1`, `0..*`, `1..*`, `3..40`, or `0,3..40` for none or at least three.
  package var text: String {
    if allowsNone, least <= 1 { return "0..\(upper)" }
    let range = most == least ? upper : "\(least)..\(upper)"
    return allowsNone ? "0,\(range)" : range
  }

  private var upper: String { most.map(String.init) ?? "*" }
}
