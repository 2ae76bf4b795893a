import GraphStoreModel

extension DeletionPropagation {
  /// The links that survivors lose, in order of marking (REL-215).
  func findCuts() throws -> [Cut] {
    let runs = cascade.allRuns
    try load(.nullify, of: runs)
    try load(.deny, of: runs.flatMap { split($0) { $0.state.contains(.inserted) } })
    var cuts: [Cut] = []
    for run in runs {
      let relationships = relationships(of: run) { $0.inverse >= 0 && $0.deleteRule != .noAction }
      if relationships.isEmpty { continue }
      for lost in cascade.objects[run.positions] {
        for relationship in relationships where isCut(relationship, lost) {
          try destinations(of: lost, relationship).forEachBorrowed { object in
            if isGone(object) { return }
            cuts.append(Cut(object: object, lost: lost, relationship: relationship))
          }
        }
      }
    }
    // Survivors whose key is in their own row are read, one statement a tree (REL-244).
    try loadRows(
      of: cuts.filter { !$0.object.layout.relationships[$0.relationship.inverse].isToMany }.map(\.object))
    return cuts.filter { !isGone($0.object) }
  }

  private func isCut(_ relationship: RelationshipLayout, _ object: ManagedObject) -> Bool {
    switch relationship.deleteRule {
    case .nullify, .cascade: true
    case .deny: object.state.contains(.inserted)
    case .noAction: false
    }
  }

  /// The parts of a run whose objects are of a kind.
  func split(_ run: Cascade.Group, _ isMeant: (ManagedObject) -> Bool) -> [Cascade.Group] {
    guard run.layout.has(.deny) else { return [] }
    var parts: [Cascade.Group] = []
    func add(_ positions: Range<Int>) {
      if !positions.isEmpty {
        parts.append(Cascade.Group(layout: run.layout, link: run.link, positions: positions))
      }
    }
    var start = run.positions.lowerBound
    for position in run.positions where !isMeant(cascade.objects[position]) {
      add(start..<position)
      start = position + 1
    }
    add(start..<run.positions.upperBound)
    return parts
  }

  /// Takes the links out.
  func apply(_ cuts: [Cut]) throws {
    for cut in cuts { try cut.object.unlinkInverse(cut.lost, cut.relationship) }
  }
}

extension DeletionPropagation {
  /// A No Action relationship of an object that is deleted, and an object that stays and refers to it.
  struct Dangling {
    let object: ManagedObject
    let relationship: RelationshipLayout
  }

  /// The references that No Action leaves; only a preview looks for them (REL-200, REL-331).
  func findDangling() throws -> [Dangling] {
    let runs = cascade.allRuns
    try load(of: runs, leavesReferences)
    return try runs.flatMap { run in
      try relationships(of: run, leavesReferences).flatMap { relationship in
        try cascade.objects[run.positions].flatMap { object in
          try destinations(of: object, relationship).filter { !isGone($0) }.map {
            Dangling(object: $0, relationship: relationship)
          }
        }
      }
    }
  }

  /// Whether the destinations' own rows name the deleted object, and are left as they are.
  private func leavesReferences(_ relationship: RelationshipLayout) -> Bool {
    relationship.deleteRule == .noAction && relationship.isPersistent
      && relationship.inverseDescription?.isToMany == false
  }
}
