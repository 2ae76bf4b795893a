import Foundation
import GraphStore

/// Whole stores: written as text and read again, compared, copied, opened.
extension Workload {
  private static let million = Scale.rows(1_000_000)

  static func w1Dump(_ files: WorkFiles, _ project: ProjectStore, _ programs: Programs) -> Workload {
    Workload(
      id: "W1", title: "dump of 1,000,000 objects, whole process", goal: "≤ 2 × .dump, flat memory", runs: 3,
      isLong: true, expected: { Answer(count: million) },
      contenders: {
        let store = try project.numbers(rows: million)
        let floor = try Numbers.template(files, rows: million)
        return command(programs) { command in
          CommandContender(
            "graphstore dump", .project, command, ["dump", "--store", store, "--quiet"],
            output: files.path("w1-graphstore.out")
          ) { try Employees.lines(of: $0, headers: 2) }
        } + [
          CommandContender(
            "floor: sqlite3 .dump", .floor, programs.sqlite3, [floor, ".dump ZNUMBERS"],
            output: files.path("w1-sqlite3.out")
          ) { try Employees.lines(of: $0, headers: 4) }
        ]
      })
  }

  static func w1Load(_ files: WorkFiles, _ project: ProjectStore, _ programs: Programs) -> Workload {
    Workload(
      id: "W2", title: "load of 1,000,000 objects, whole process", goal: "≤ 2 × .read, flat memory", runs: 3,
      isLong: true, expected: { Numbers.answer(rows: million) },
      contenders: {
        let (store, loaded) = (try project.numbers(rows: million), files.path("w2-graphstore.db"))
        let (floor, read) = (try Numbers.template(files, rows: million), files.path("w2-sqlite3.db"))
        let statements = try files.template("numbers-\(million).sql") { path in
          try ChildProcess(executable: programs.sqlite3, arguments: [floor, ".dump"], output: path)
            .runChecked()
        }
        return try command(programs) { command in
          let dump = try files.template("numbers-\(million).dump") { path in
            try ChildProcess(
              executable: command, arguments: ["dump", path, "--store", store, "--quiet"],
              output: files.path("w2.out")
            ).runChecked()
          }
          return CommandContender(
            "graphstore load", .project, command, ["load", dump, "--store", loaded, "--quiet"],
            output: files.path("w2-graphstore.out"), before: { try files.removeDatabase(loaded) }
          ) { _ in try Numbers.written(in: try FloorStore(loaded)) }
        } + [
          CommandContender(
            "floor: sqlite3 .read", .floor, programs.sqlite3, [read, ".read \(statements)"],
            output: files.path("w2-sqlite3.out"), before: { try files.removeDatabase(read) }
          ) { _ in try Numbers.written(in: try FloorStore(read)) }
        ]
      })
  }

  /// Two stores of which every hundredth object differs.
  static func w1Diff(_ files: WorkFiles, _ project: ProjectStore, _ programs: Programs) -> Workload {
    Workload(
      id: "W3", title: "diff of 200,000 objects, whole process", goal: "≤ 1.5 × sqldiff", runs: 5,
      expected: { Answer(count: 2_000) },
      contenders: {
        let (old, floor) = (
          try project.numbers(rows: Numbers.fetched), try Numbers.template(files, rows: Numbers.fetched)
        )
        func changed(_ template: String, _ name: String) throws -> String {
          try files.template(name) { path in
            try FileManager.default.copyItem(atPath: template, toPath: path)
            _ = try FloorStore(path).integer(
              "UPDATE ZNUMBERS SET ZI3 = ZI3 + 1 WHERE Z_PK % 100 = 0 RETURNING Z_PK")
          }
        }
        let new = try changed(old, "w3-graphstore.db")
        let newFloor = try changed(floor, "w3-sqlite3.db")
        return command(programs) { command in
          CommandContender(
            "graphstore diff", .project, command, ["diff", old, new, "-f", "ndjson", "--quiet"],
            output: files.path("w3-graphstore.out")
          ) { try Employees.lines(of: $0) }
        } + [
          CommandContender(
            "floor: sqldiff", .floor, "sqldiff", [floor, newFloor], output: files.path("w3-sqldiff.out")
          ) { try Employees.lines(of: $0) }
        ]
      })
  }

  static func w1Backup(_ files: WorkFiles, _ project: ProjectStore, _ programs: Programs) -> Workload {
    Workload(
      id: "W4", title: "backup of 1,000,000 objects, whole process", goal: "≤ 1.2 × .backup", runs: 5,
      isLong: true, expected: { Numbers.answer(rows: million) },
      contenders: {
        let (store, copy) = (try project.numbers(rows: million), files.path("w4-graphstore.db"))
        let floor = files.path("w4-sqlite3.db")
        return command(programs) { command in
          CommandContender(
            "graphstore backup", .project, command, ["backup", copy, "--store", store, "--quiet"],
            output: files.path("w4-graphstore.out"), before: { try files.removeDatabase(copy) }
          ) { _ in try Numbers.written(in: try FloorStore(copy)) }
        } + [
          // The copy is checked, as ours is before it appears.
          CommandContender(
            "floor: sqlite3 .backup, integrity_check", .floor, "sh",
            [
              "-c",
              "\(programs.sqlite3) \(store) '.backup \(floor)' && \(programs.sqlite3) \(floor) 'PRAGMA integrity_check'",
            ],
            output: files.path("w4-sqlite3.out"), before: { try files.removeDatabase(floor) }
          ) { _ in try Numbers.written(in: try FloorStore(floor)) },
          CommandContender(
            "sqlite3 .backup", .peer, programs.sqlite3, [store, ".backup \(floor)"],
            output: files.path("w4-sqlite3.out"), before: { try files.removeDatabase(floor) }
          ) { _ in try Numbers.written(in: try FloorStore(floor)) },
        ]
      })
  }

  static func w1Open(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    let rows: Int64 = 100_000
    return Workload(
      id: "W5", title: "open a binary store of 100,000 objects", goal: "≤ 1.5 × decoding its bytes",
      expected: { Answer(count: rows) },
      contenders: {
        let model = try ManagedObjectModel(contentsOf: project.model)
        var options = StoreOptions()
        options.type = .binary
        let path = try files.template("numbers-\(rows).plist") { path in
          let coordinator = try ProjectStore.open(try project.numbers(rows: rows))
          _ = try coordinator.migratePersistentStore(
            coordinator.persistentStores[0], to: URL(fileURLWithPath: path), type: .binary)
          coordinator.close()
        }
        return [
          PreparedContender("GraphStore", .project, making: {}) {
            let coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.addStore(at: path, options: options)
            defer { coordinator.close() }
            let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
            return Answer(count: Int64(try context.count(for: FetchRequest(entityName: "Numbers"))))
          },
          PreparedContender("floor: PropertyListSerialization", .floor, making: {}) {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            _ = try PropertyListSerialization.propertyList(from: data, format: nil)
            return Answer(count: rows)
          },
        ]
      })
  }

  private static func command(
    _ programs: Programs, _ contender: (String) throws -> any Contender
  ) rethrows -> [any Contender] {
    try programs.graphstore.map { [try contender($0)] } ?? []
  }
}
