extension Workload {
  /// Groups by parts of a date, against SQLite's own `strftime`.
  static func c6(_ files: WorkFiles, _ programs: Programs) -> Workload {
    Workload(
      id: "C6", title: "200,000 rows in 267 groups by year and month, whole process",
      goal: "≤ 1.5 × sqlite3", runs: 15,
      expected: { Answer(count: 267) },
      contenders: {
        let floor = try Employees.floorStore(files, programs)
        // Dates count from 2001 on.
        let date = "ZHIRED + 978307200, 'unixepoch'"
        let select = """
          SELECT strftime('%Y', \(date)) AS y, strftime('%m', \(date)) AS m, COUNT(*) FROM ZEMPLOYEE GROUP BY y, m
          """
        var contenders: [any Contender] = []
        if let command = programs.graphstore {
          let store = try Employees.store(files, command, programs)
          contenders.append(
            CommandContender(
              "graphstore fetch", .project, command,
              [
                "fetch", "Employee", "--group-by", "year:(hired) as y, month:(hired) as m", "--aggregate",
                "count", "--store", store,
              ],
              output: files.path("c6-graphstore.out")
            ) { try Employees.lines(of: $0, headers: 1) })
        }
        contenders.append(
          CommandContender(
            "floor: sqlite3", .floor, programs.sqlite3, [floor, select], output: files.path("c6-sqlite3.out")
          ) { try Employees.lines(of: $0) })
        return contenders
      })
  }
}
