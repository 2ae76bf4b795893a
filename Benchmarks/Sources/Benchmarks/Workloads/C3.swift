extension Workload {
  static func c3(_ files: WorkFiles, _ programs: Programs) -> Workload {
    Workload(
      id: "C3", title: "200,000 objects to NDJSON, whole process",
      goal: "≤ 1.5 × sqlite3 -json, under 64 MB", runs: 5,
      expected: { Answer(count: Employees.count) },
      contenders: {
        let floor = try Employees.floorStore(files, programs)
        var contenders: [any Contender] = []
        if let command = programs.graphstore {
          let store = try Employees.store(files, command, programs)
          contenders.append(
            CommandContender(
              "graphstore fetch --ndjson", .project, command,
              ["fetch", "Employee", "--ndjson", "--store", store], output: files.path("c3-graphstore.out")
            ) { try Employees.lines(of: $0) })
        }
        contenders.append(
          CommandContender(
            "floor: sqlite3 -json", .floor, programs.sqlite3,
            ["-json", floor, "SELECT \(Employees.columns) FROM ZEMPLOYEE"],
            output: files.path("c3-sqlite3.out")
          ) { try Employees.lines(of: $0) })
        if let program = programs.sqliteUtils {
          contenders.append(
            CommandContender(
              "sqlite-utils rows --nl", .peer, program, ["rows", floor, "ZEMPLOYEE", "--nl"],
              output: files.path("c3-utils.out")
            ) { try Employees.lines(of: $0) })
        }
        return contenders
      })
  }
}
