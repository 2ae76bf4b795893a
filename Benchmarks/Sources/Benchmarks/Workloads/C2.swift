extension Workload {
  static func c2(_ files: WorkFiles, _ programs: Programs) -> Workload {
    Workload(
      id: "C2", title: "import 200,000 records, whole process",
      goal: "≤ 3 × .import of the rows as CSV, ≥ 5 × faster than sqlite-utils", runs: 5,
      expected: { Employees.imported },
      contenders: {
        let rows = try Employees.rows(files)
        let records = try Employees.records(files)
        let empty = try files.floorTemplate("empty.db") { _ in }
        var contenders: [any Contender] = []
        if let command = programs.graphstore {
          let store = files.path("c2-graphstore.db")
          contenders.append(
            CommandContender(
              "graphstore import", .project, command, ["import", "Employee", records, "--store", store],
              output: files.path("c2-graphstore.out"),
              before: {
                try files.removeDatabase(store)
                try Employees.emptyStore(store, command, programs, files)
              }
            ) { _ in try Employees.answer(in: store) })
        }
        let floor = files.path("c2-sqlite3.db")
        let process = Employees.importRows(programs, rows, into: floor, output: files.path("c2-sqlite3.out"))
        contenders.append(
          CommandContender(
            "floor: sqlite3 .import", .floor, process.executable, process.arguments, output: process.output,
            before: { _ = try files.freshCopy(of: empty, as: "c2-sqlite3.db") }
          ) { _ in try Employees.answer(in: floor) })
        if let program = programs.sqliteUtils {
          let peer = files.path("c2-utils.db")
          contenders.append(
            CommandContender(
              "sqlite-utils insert --nl", .peer, program, ["insert", peer, "employees", records, "--nl"],
              output: files.path("c2-utils.out"), before: { try files.removeDatabase(peer) }
            ) { _ in
              try Employees.answer(in: peer, table: "employees", salary: "salary", badge: "badge")
            })
        }
        return contenders
      })
  }
}
