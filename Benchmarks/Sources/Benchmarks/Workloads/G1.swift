import GraphStore

extension Workload {
  /// I1, F1, U1, D1 and R1 at three sizes: the ratio to the floor must not grow with them (OBJ-542, REL-445).
  static func g1(_ files: WorkFiles, _ project: ProjectStore) -> [Workload] {
    let sizes = [10_000, 100_000, 1_000_000].map { Scale.rows($0) }
    let kinds = [growingInsert, growingFetch, growingUpdate, growingDelete, growingJoin]
    return kinds.enumerated().flatMap { kind, make in
      sizes.enumerated().map { size, rows in
        make(files, project, "G1.\(kind * sizes.count + size + 1)", rows)
      }
    }
  }

  private static let growthGoal = "at the largest ≤ 1.1 × the ratio at the smallest"

  private static func growing(
    _ id: String, _ title: String, _ rows: Int64, expected: @escaping () throws -> Answer,
    contenders: @escaping () throws -> [any Contender]
  ) -> Workload {
    Workload(
      id: id, title: "\(title), \(rows) objects", goal: growthGoal, runs: rows > 200_000 ? 3 : 7,
      isLong: true,
      expected: expected, contenders: contenders)
  }

  private static func growingInsert(
    _ files: WorkFiles, _ project: ProjectStore, _ id: String, _ rows: Int64
  ) -> Workload {
    growing(id, "I1 insert", rows, expected: { Numbers.answer(rows: rows) }) {
      let template = try files.floorTemplate("empty.db") { _ in }
      let own = try project.template("empty.db") { _ in }
      return [
        ProjectWrite(
          files, template: own, load: { _ in },
          write: { context, _ in
            for row in 1...rows {
              try context.insert(NumbersObject.self, entityNamed: "Numbers").fill(row: row)
            }
            try context.save()
          }, check: Numbers.written(in:)),
        FloorWrite(
          files, template: template, write: { try $0.fillNumbers(rows) }, check: Numbers.written(in:)),
      ]
    }
  }

  private static func growingFetch(
    _ files: WorkFiles, _ project: ProjectStore, _ id: String, _ rows: Int64
  ) -> Workload {
    growing(id, "F1 fetch", rows, expected: { Numbers.answer(rows: rows) }) {
      [
        try ProjectRead(try project.numbers(rows: rows)) {
          NumbersObject.answer(try $0.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
        },
        try FloorRead(try Numbers.template(files, rows: rows)) { try $0.fetchNumbers() },
      ]
    }
  }

  private static func growingUpdate(
    _ files: WorkFiles, _ project: ProjectStore, _ id: String, _ rows: Int64
  ) -> Workload {
    growing(
      id, "U1 update", rows,
      expected: {
        let loaded = Numbers.answer(rows: rows)
        return Answer(
          count: loaded.count, first: loaded.first + 1, last: loaded.last + 1, sum: loaded.sum + rows)
      },
      contenders: {
        [
          ProjectWrite(
            files, template: try project.numbers(rows: rows),
            load: { context in
              let objects = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
              _ = NumbersObject.answer(objects)
              return objects
            },
            write: { context, objects in
              for object in objects { object.i3 += 1 }
              try context.save()
            }, check: Numbers.written(in:)),
          FloorWrite(
            files, template: try Numbers.template(files, rows: rows), load: { try $0.loadNumbers() },
            write: { try $0.updateLoaded() }, check: Numbers.written(in:)),
        ]
      })
  }

  private static func growingDelete(
    _ files: WorkFiles, _ project: ProjectStore, _ id: String, _ rows: Int64
  ) -> Workload {
    growing(id, "D1 cascade", rows, expected: { Answer(count: 1, first: 10, last: 100) }) {
      let plant: (FloorStore) throws -> Void = { store in
        try store.fillTree(root: 1, branches: max(1, rows / 100), leaves: 100)
        try store.fillTree(root: 2, branches: 10, leaves: 10)
      }
      let left: (FloorStore) throws -> Answer = { store in
        Answer(
          count: try store.integer("SELECT count(*) FROM ZROOT"),
          first: try store.integer("SELECT count(*) FROM ZBRANCH"),
          last: try store.integer("SELECT count(*) FROM ZLEAF"))
      }
      return [
        ProjectWrite(
          files, template: try project.template("tree-\(rows).db", plant),
          load: { context in
            try context.fetch(RootObject.self, FetchRequest(entityName: "Root")).first {
              $0.objectID.shortForm == "Root/p1"
            }
          },
          write: { context, root in
            if let root { try context.delete(root) }
            try context.save()
          }, check: left),
        FloorWrite(
          files, template: try files.floorTemplate("tree-\(rows).db", plant),
          write: { try $0.deleteTree(root: 1) }, check: left),
      ]
    }
  }

  private static func growingJoin(
    _ files: WorkFiles, _ project: ProjectStore, _ id: String, _ rows: Int64
  ) -> Workload {
    growing(id, "R1 prefetch", rows, expected: { Workers.answer(rows: rows) }) {
      let fill: (FloorStore) throws -> Void = { try $0.fillWorkers(rows) }
      return [
        try ProjectRead(try project.template("workers-\(rows).db", fill), readTeams(in:)),
        try FloorRead(try files.floorTemplate("workers-\(rows).db", fill)) { try $0.joinWorkers() },
      ]
    }
  }
}
