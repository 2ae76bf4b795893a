import GraphStoreModel

extension DeletionPropagation {
  /// A No Action relationship of an object that goes, and an object that stays and refers to it.
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

  /// Whether the destinations' own rows name the object that goes, and are left as they are.
  private func leavesReferences(_ relationship: RelationshipLayout) -> Bool {
    relationship.deleteRule == .noAction && relationship.isPersistent
      && relationship.inverseDescription?.isToMany == false
  }
}
