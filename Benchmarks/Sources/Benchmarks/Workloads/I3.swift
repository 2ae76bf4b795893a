import GraphStore

extension Workload {
  /// Two sizes, so that the memory at the one can be held against that at the other.
  static func i3(_ files: WorkFiles, _ project: ProjectStore, part: Int, branches: Int64) -> Workload {
    let leaves: Int64 = 1_000
    return Workload(
      id: "I3.\(part)",
      title: "insert 1 + \(branches) + \(branches * leaves) in three tiers, saved per 1,000",
      goal: "≤ 2.5 × floor, peak memory not growing with the total", runs: branches > 200 ? 3 : 5,
      expected: { Answer(count: branches * leaves, first: branches, last: 1, sum: branches * leaves) },
      contenders: {
        let template = try files.floorTemplate("empty.db") { _ in }
        let own = try project.template("empty.db") { _ in }
        return [
          PeakContender(
            ProjectWrite(
              files, template: own, load: { _ in },
              write: { context, _ in try growTree(in: context, branches: branches, leaves: leaves) },
              check: treeGrown(in:))),
          PeakContender(
            FloorWrite(
              files, template: template, write: { try $0.growTree(branches: branches, leaves: leaves) },
              check: treeGrown(in:))),
          PeakContender(
            GRDBWrite(
              "GRDB: struct", files, template: template,
              write: { try $0.growTree(branches: branches, leaves: leaves) }, check: treeGrown(in:))),
        ]
      })
  }

  private static func growTree(in context: ManagedObjectContext, branches: Int64, leaves: Int64) throws {
    let root = try context.insert(RootObject.self, entityNamed: "Root")
    try context.save()
    let identifier = root.objectID
    context.reset()
    for _ in 0..<branches {
      let branch = try context.insert(BranchObject.self, entityNamed: "Branch")
      try branch.setValue(try context.object(with: identifier), forKey: "root")
      for _ in 0..<leaves {
        let leaf = try context.insert(LeafObject.self, entityNamed: "Leaf")
        try leaf.setValue(branch, forKey: "branch")
      }
      try context.save()
      context.reset()
    }
  }

  private static func treeGrown(in store: FloorStore) throws -> Answer {
    Answer(
      count: try store.integer("SELECT count(*) FROM ZLEAF"),
      first: try store.integer("SELECT count(*) FROM ZBRANCH"),
      last: try store.integer("SELECT count(*) FROM ZROOT"),
      sum: try store.integer(
        "SELECT count(*) FROM ZLEAF JOIN ZBRANCH ON ZBRANCH.Z_PK = ZLEAF.ZBRANCH "
          + "JOIN ZROOT ON ZROOT.Z_PK = ZBRANCH.ZROOT"))
  }
}
