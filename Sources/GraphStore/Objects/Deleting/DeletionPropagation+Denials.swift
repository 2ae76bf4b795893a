extension DeletionPropagation {
  /// The Deny relationships that still lead to objects that stay; records alone are protected (REL-266).
  func findDenials() throws -> [Denial] {
    let runs = cascade.allRuns.flatMap { run in
      split(run) { $0.state.isDisjoint(with: [.inserted, .inaccessible]) }
    }
    try load(.deny, of: runs)
    try loadRows(of: try toOneDestinations(runs))
    var denials: [Denial] = []
    for run in runs {
      let relationships = relationships(of: run) { $0.deleteRule == .deny }
      for object in cascade.objects[run.positions] {
        for relationship in relationships {
          let blocking = try destinations(of: object, relationship).filter { !isGone($0) && $0 !== object }
          if blocking.isEmpty { continue }
          denials.append(Denial(object: object, relationship: relationship, blocking: blocking))
        }
      }
    }
    if denials.isEmpty { return [] }
    let paths = DeletionPaths(isPreview ? [cascade] : context.deletions.cascades)
    for place in denials.indices { denials[place].path = paths.path(to: denials[place].object) }
    return denials
  }

  /// Destinations of to-ones that have not been checked: the row may name a record that is gone.
  private func toOneDestinations(_ runs: [Cascade.Group]) throws -> [ManagedObject] {
    try runs.flatMap { run in
      try relationships(of: run) { $0.deleteRule == .deny && !$0.isToMany }.flatMap { relationship in
        try cascade.objects[run.positions].flatMap { try destinations(of: $0, relationship) }
      }
    }.filter { $0.isFault && !isGone($0) }
  }
}
