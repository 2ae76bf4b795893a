import GraphStoreModel

extension DeletionPropagation {
  /// The links that survivors lose, in order of marking (REL-215).
  func findCuts() throws -> [Cut] {
    try load(.nullify, of: entries)
    try load(.deny, of: entries.filter { $0.object.state.contains(.inserted) })
    var cuts: [Cut] = []
    for entry in entries {
      for relationship in entry.object.plan.relationships where isCut(relationship, entry.object) {
        guard relationship.inverse >= 0 else { continue }
        for object in try destinations(of: entry, relationship) where !isGone(object) {
          cuts.append(Cut(object: object, lost: entry.object, relationship: relationship))
        }
      }
    }
    // Survivors whose key lies in their own row are read, one statement a tree (REL-244).
    try loadRows(
      of: cuts.filter { !$0.object.plan.relationships[$0.relationship.inverse].isToMany }.map(\.object))
    return cuts.filter { !isGone($0.object) }
  }

  private func isCut(_ relationship: RelationshipPlan, _ object: ManagedObject) -> Bool {
    switch relationship.deleteRule {
    case .nullify, .cascade: true
    case .deny: object.state.contains(.inserted)
    case .noAction: false
    }
  }

  /// Takes the links out.
  func apply(_ cuts: [Cut]) throws {
    for cut in cuts { try cut.object.unlinkInverse(cut.lost, cut.relationship) }
  }

  /// Where a row may name a record that is gone: destinations of to-ones that nobody has looked at.
  private func toOneDestinations(_ protected: [Entry]) throws -> [ManagedObject] {
    try protected.flatMap { entry in
      try entry.object.plan.relationships.filter { $0.deleteRule == .deny && !$0.isToMany }.flatMap {
        try destinations(of: entry, $0)
      }
    }.filter { $0.isFault && !isGone($0) }
  }

  /// The Deny relationships that still lead to objects that stay; records alone are protected (REL-266).
  func findDenials() throws -> [Denial] {
    let protected = entries.filter {
      $0.object.plan.has(.deny) && !$0.object.state.contains(.inserted)
        && !$0.object.state.contains(.inaccessible)
    }
    try load(.deny, of: protected)
    try loadRows(of: toOneDestinations(protected))
    var denials: [Denial] = []
    for entry in protected {
      for relationship in entry.object.plan.relationships where relationship.deleteRule == .deny {
        let blocking = try destinations(of: entry, relationship).filter { !isGone($0) }
        if !blocking.isEmpty {
          denials.append(Denial(entry: entry, relationship: relationship, blocking: blocking))
        }
      }
    }
    return denials
  }
}
