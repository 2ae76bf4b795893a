import GraphStore

extension Workload {
  static func b3(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "B3", title: "batch update of 200,000 of 400,000 by an expression",
      goal: "to be known",
      expected: { Halves.answer { $0 + 1 } },
      contenders: {
        try Halves.contenders(
          files, project,
          write: { context in
            var request = BatchUpdateRequest(entityName: "Numbers")
            request.predicate = try Halves.predicate
            request.propertiesToUpdate = ["i3": try QueryExpression(parsing: "i3 + 1")]
            try context.execute(request)
          }, floor: { try $0.raiseHalf() })
      })
  }
}
