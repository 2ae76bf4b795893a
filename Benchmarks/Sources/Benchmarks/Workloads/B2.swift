import GraphStore

extension Workload {
  static func b2(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "B2", title: "batch delete by cascades over 1 → 1,000 → 100,000",
      goal: "≤ 1.3 × floor",
      expected: { Answer(count: 1, first: 10, last: 100) },
      contenders: {
        let template = try files.floorTemplate("tree.db", Workload.plantTrees(in:))
        let own = try project.template("tree.db", Workload.plantTrees(in:))
        return [
          ProjectWrite(
            files, template: own,
            load: { context in
              try context.fetchIdentifiers(FetchRequest<ManagedObject>(entityName: "Root")).first {
                $0.shortForm == "Root/p1"
              }
            },
            write: { context, root in
              if let root { try context.execute(BatchDeleteRequest(objectIDs: [root])) }
            }, check: Workload.treesLeft(in:)),
          FloorWrite(
            files, template: template, write: { try $0.deleteTree(root: 1) }, check: Workload.treesLeft(in:)),
        ]
      })
  }
}
