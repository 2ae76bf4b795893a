extension Workload {
  private static let fewest: Int64 = 10_000

  /// The smallest store that figures are given for, which every command is to feel instant on (STO-319).
  static func c4(_ files: WorkFiles, _ project: ProjectStore, _ programs: Programs) -> Workload {
    Workload(
      id: "C4", title: "all of 10,000 objects, whole process", goal: "≤ 100 ms", runs: 30,
      expected: { Answer(count: fewest) },
      contenders: {
        let floor = try Numbers.template(files, rows: fewest)
        var contenders: [any Contender] = []
        if let command = programs.graphstore {
          let store = try project.numbers(rows: fewest)
          contenders.append(
            CommandContender(
              "graphstore fetch", .project, command,
              ["fetch", "Numbers", "--ndjson", "--store", store], output: files.path("c4-graphstore.out")
            ) { try Employees.lines(of: $0) })
        }
        contenders.append(
          CommandContender(
            "floor: sqlite3 -json", .floor, programs.sqlite3, ["-json", floor, "SELECT * FROM ZNUMBERS"],
            output: files.path("c4-sqlite3.out")
          ) { try Employees.lines(of: $0) })
        return contenders
      })
  }
}
