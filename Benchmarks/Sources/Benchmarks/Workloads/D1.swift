import GraphStore

extension Workload {
  static func d1(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "D1", title: "cascade delete over 1 → 1,000 → 100,000",
      goal: "≤ 2.5 × floor",
      expected: { Answer(count: 1, first: 10, last: 100) },
      contenders: {
        let template = try files.floorTemplate("tree.db", Workload.plantTrees(in:))
        let own = try project.template("tree.db", Workload.plantTrees(in:))
        return [
          ProjectWrite(
            files, template: own,
            load: { context in
              try context.fetch(RootObject.self, FetchRequest(entityName: "Root")).first {
                $0.objectID.shortForm == "Root/p1"
              }
            },
            write: { context, root in
              if let root { try context.delete(root) }
              try context.save()
            }, check: Workload.treesLeft(in:)),
          FloorWrite(
            files, template: template, write: { try $0.deleteTree(root: 1) }, check: Workload.treesLeft(in:)),
        ]
      })
  }

  /// A second tree stays, so that no table can simply be emptied.
  static func plantTrees(in store: FloorStore) throws {
    try store.fillTree(root: 1, branches: 1_000, leaves: 100)
    try store.fillTree(root: 2, branches: 10, leaves: 10)
  }

  static func treesLeft(in store: FloorStore) throws -> Answer {
    Answer(
      count: try store.integer("SELECT count(*) FROM ZROOT"),
      first: try store.integer("SELECT count(*) FROM ZBRANCH"),
      last: try store.integer("SELECT count(*) FROM ZLEAF"))
  }
}
