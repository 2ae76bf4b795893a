extension Workload {
  /// Groups with sums: exact ones of decimals, against SQLite's own of doubles.
  static func c5(_ files: WorkFiles, _ programs: Programs) -> Workload {
    Workload(
      id: "C5", title: "200,000 rows in 72 groups with count, sum and greatest, whole process",
      goal: "≤ 1.3 × sqlite3", runs: 15,
      expected: { Answer(count: 72) },
      contenders: {
        let floor = try Employees.floorStore(files, programs)
        let select =
          "SELECT ZNAME, COUNT(*), SUM(ZSALARY), MAX(ZHIRED) FROM ZEMPLOYEE GROUP BY ZNAME"
        var contenders: [any Contender] = []
        if let command = programs.graphstore {
          let store = try Employees.store(files, command, programs)
          contenders.append(
            CommandContender(
              "graphstore fetch", .project, command,
              [
                "fetch", "Employee", "--group-by", "name", "--aggregate",
                "count,sum:salary,max:hired", "--store", store,
              ],
              output: files.path("c5-graphstore.out")
            ) { try Employees.lines(of: $0, headers: 1) })
        }
        contenders.append(
          CommandContender(
            "floor: sqlite3", .floor, programs.sqlite3, [floor, select], output: files.path("c5-sqlite3.out")
          ) { try Employees.lines(of: $0) })
        return contenders
      })
  }
}
