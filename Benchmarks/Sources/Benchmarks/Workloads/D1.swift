extension Workload {
  static func d1(_ files: WorkFiles) -> Workload {
    Workload(
      id: "D1", title: "cascade delete over 1 → 1,000 → 100,000",
      goal: "≤ 3 × floor",
      expected: { Answer(count: 1, first: 10, last: 100) },
      contenders: {
        let template = try files.floorTemplate("tree.db") { store in
          try store.fillTree(root: 1, branches: 1_000, leaves: 100)
          // A second tree stays, so that no table can simply be emptied.
          try store.fillTree(root: 2, branches: 10, leaves: 10)
        }
        return [
          FloorWrite(
            files, template: template, write: { try $0.deleteTree(root: 1) }, check: Workload.treesLeft(in:))
        ]
      })
  }

  private static func treesLeft(in store: FloorStore) throws -> Answer {
    Answer(
      count: try store.integer("SELECT count(*) FROM ZROOT"),
      first: try store.integer("SELECT count(*) FROM ZBRANCH"),
      last: try store.integer("SELECT count(*) FROM ZLEAF"))
  }
}
