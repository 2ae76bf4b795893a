extension Workload {
  static func f3(_ files: WorkFiles) -> Workload {
    Workload(
      id: "F3", title: "fetch 200,000 objects, touch none",
      goal: "≤ 2 × floor (the step loop alone)",
      expected: { Answer(count: Numbers.fetched) },
      contenders: {
        let path = try Numbers.template(files, rows: Numbers.fetched)
        return [try FloorRead(path) { try $0.stepNumbers() }]
      })
  }
}
