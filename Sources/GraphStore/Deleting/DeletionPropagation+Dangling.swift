import GraphStoreModel

extension DeletionPropagation {
  /// A No Action relationship of an object that goes, and an object that stays and refers to it.
  struct Dangling {
    let object: ManagedObject
    let relationship: RelationshipLayout
  }

  /// The references that No Action leaves; only a preview looks for them (REL-200, REL-331).
  func findDangling() throws -> [Dangling] {
    try load(of: allRuns, leavesReferences)
    return try allRuns.flatMap { run in
      try relationships(of: run, leavesReferences).flatMap { relationship in
        try entries[run.entries].flatMap { entry in
          try destinations(of: entry.object, relationship).filter { !isGone($0) }.map {
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
