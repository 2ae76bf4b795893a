import GraphStore

extension Workload {
  static func b1Update(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "B1.1", title: "batch update of 200,000 of 400,000 to a value",
      goal: "≤ 1.1 × floor",
      expected: { Halves.answer { _ in Halves.value } },
      contenders: {
        try Halves.contenders(
          files, project,
          write: { context in
            var request = BatchUpdateRequest(entityName: "Numbers")
            request.predicate = try Halves.predicate
            request.propertiesToUpdate = ["i3": Halves.value]
            try context.execute(request)
          }, floor: { try $0.setHalf(to: Halves.value) })
      })
  }

  static func b1Delete(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "B1.2", title: "batch delete of 200,000 of 400,000",
      goal: "≤ 1.1 × floor",
      expected: { Halves.answer { _ in nil } },
      contenders: {
        try Halves.contenders(
          files, project,
          write: { context in
            try context.execute(
              BatchDeleteRequest(FetchRequest(entityName: "Numbers", predicate: Halves.predicate)))
          }, floor: { try $0.deleteHalf() })
      })
  }
}
