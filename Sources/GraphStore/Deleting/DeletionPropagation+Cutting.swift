import GraphStoreModel

extension DeletionPropagation {
  /// The links that survivors lose, in order of marking (REL-215).
  func findCuts() throws -> [Cut] {
    let runs = allRuns
    try load(.nullify, of: runs)
    try load(.deny, of: runs.flatMap { split($0) { $0.state.contains(.inserted) } })
    var cuts: [Cut] = []
    for run in runs {
      let relationships = relationships(of: run) { $0.inverse >= 0 && $0.deleteRule != .noAction }
      if relationships.isEmpty { continue }
      for entry in entries[run.entries] {
        for relationship in relationships where isCut(relationship, entry.object) {
          for object in try destinations(of: entry.object, relationship) where !isGone(object) {
            cuts.append(Cut(object: object, lost: entry.object, relationship: relationship))
          }
        }
      }
    }
    // Survivors whose key lies in their own row are read, one statement a tree (REL-244).
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
  private func split(_ run: Run, _ isMeant: (ManagedObject) -> Bool) -> [Run] {
    guard run.layout.has(.deny) else { return [] }
    var parts: [Run] = []
    var start = run.entries.lowerBound
    for position in run.entries where !isMeant(entries[position].object) {
      if start < position { parts.append(Run(layout: run.layout, link: run.link, entries: start..<position)) }
      start = position + 1
    }
    let end = run.entries.upperBound
    if start < end { parts.append(Run(layout: run.layout, link: run.link, entries: start..<end)) }
    return parts
  }

  /// Takes the links out.
  func apply(_ cuts: [Cut]) throws {
    for cut in cuts { try cut.object.unlinkInverse(cut.lost, cut.relationship) }
  }

  /// The Deny relationships that still lead to objects that stay; records alone are protected (REL-266).
  func findDenials() throws -> [Denial] {
    let runs = allRuns.flatMap { run in
      split(run) { $0.state.isDisjoint(with: [.inserted, .inaccessible]) }
    }
    try load(.deny, of: runs)
    try loadRows(of: try toOneDestinations(runs))
    var denials: [Denial] = []
    for run in runs {
      let relationships = relationships(of: run) { $0.deleteRule == .deny }
      for entry in entries[run.entries] {
        for relationship in relationships {
          let blocking = try destinations(of: entry.object, relationship).filter {
            !isGone($0) && $0 !== entry.object
          }
          if blocking.isEmpty { continue }
          denials.append(Denial(object: entry.object, relationship: relationship, blocking: blocking))
        }
      }
    }
    if denials.isEmpty { return [] }
    let paths = DeletionPaths(isPreview ? [entries] : context.propagatedDeletions)
    for place in denials.indices { denials[place].path = paths.path(to: denials[place].object) }
    return denials
  }

  /// Where a row may name a record that is gone: destinations of to-ones that nobody has looked at.
  private func toOneDestinations(_ runs: [Run]) throws -> [ManagedObject] {
    try runs.flatMap { run in
      try relationships(of: run) { $0.deleteRule == .deny && !$0.isToMany }.flatMap { relationship in
        try entries[run.entries].flatMap { try destinations(of: $0.object, relationship) }
      }
    }.filter { $0.isFault && !isGone($0) }
  }
}
