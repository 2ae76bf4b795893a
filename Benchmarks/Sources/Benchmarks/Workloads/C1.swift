extension Workload {
  static func c1(_ files: WorkFiles, _ programs: Programs) -> Workload {
    Workload(
      id: "C1", title: "ten of 200,000 rows by a predicate, whole process",
      goal: "≤ 2.5 × sqlite3, ≥ 40 × faster than sqlite-utils", runs: 30,
      expected: { Answer(count: 10) },
      contenders: {
        let floor = try Employees.floorStore(files, programs)
        let select = "SELECT \(Employees.columns) FROM ZEMPLOYEE WHERE ZSALARY > 50000 LIMIT 10"
        var contenders: [any Contender] = []
        if let command = programs.graphstore {
          let store = try Employees.store(files, command, programs)
          contenders.append(
            CommandContender(
              "graphstore fetch", .project, command,
              ["fetch", "Employee", "--where", "salary > 50000", "--limit", "10", "--store", store],
              output: files.path("c1-graphstore.out")
            ) { try Employees.lines(of: $0, headers: 1) })
        }
        contenders.append(
          CommandContender(
            "floor: sqlite3", .floor, programs.sqlite3, [floor, select],
            output: files.path("c1-sqlite3.out")
          ) { try Employees.lines(of: $0) })
        if let program = programs.sqliteUtils {
          contenders.append(
            CommandContender(
              "sqlite-utils", .peer, program, [floor, select], output: files.path("c1-utils.out")
            ) { try Employees.lines(of: $0) })
        }
        return contenders
      })
  }
}
