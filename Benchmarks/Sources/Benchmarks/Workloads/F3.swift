import GraphStore

extension Workload {
  static func f3(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "F3", title: "fetch 200,000 objects, touch none",
      goal: "≤ 2 × floor (the step loop alone)",
      expected: { Answer(count: Numbers.fetched) },
      contenders: {
        let path = try Numbers.template(files, rows: Numbers.fetched)
        let own = try project.numbers(rows: Numbers.fetched)
        return [
          try ProjectRead(own) { context in
            let objects = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
            return Answer(count: Int64(objects.count))
          },
          try FloorRead(path) { try $0.stepNumbers() },
        ]
      })
  }
}
