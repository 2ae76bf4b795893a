import GraphStore

extension Workload {
  private static let saves: Int64 = 200

  private static var savedOneByOne: Answer {
    var answer = Numbers.answer(rows: saves)
    answer.first += 1
    answer.last += 1
    answer.sum += saves
    return answer
  }

  /// Saves of one changed object each, which a file has to have taken in when the call returns (STO-322).
  static func s1(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "S1.1", title: "200 saves of one object each, SQLite", goal: "≤ 1.5 × floor",
      expected: { savedOneByOne },
      contenders: {
        let floor = try Numbers.template(files, rows: saves)
        return [
          ProjectWrite(
            files, template: try project.numbers(rows: saves),
            load: { try $0.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")) },
            write: { try saveOneByOne($1, in: $0) }, check: Numbers.written(in:)),
          FloorWrite(
            files, template: floor,
            write: { store in
              for key in 1...saves {
                _ = try store.integer(
                  "UPDATE ZNUMBERS SET ZI3 = ZI3 + 1, Z_OPT = Z_OPT + 1 WHERE Z_PK = \(key) AND Z_OPT = 1 RETURNING Z_PK"
                )
              }
            }, check: Numbers.written(in:)),
        ]
      })
  }

  /// The same in stores that no file has.
  static func s1InMemory(_ project: ProjectStore) -> Workload {
    Workload(
      id: "S1.2", title: "200 saves of one object each, in memory", goal: "≤ SQLite",
      expected: { savedOneByOne },
      contenders: {
        let model = try ManagedObjectModel(contentsOf: project.model)
        return [
          contender("GraphStore: in memory", .project) {
            try .inMemory(model: model, classes: ProjectStore.classes)
          },
          contender("private SQLite", .floor) {
            try .create(storeAt: "/dev/null", model: model, classes: ProjectStore.classes)
          },
        ]
      })
  }

  /// The same in stores of each type that has a file.
  static func s1Types(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "S1.3", title: "200 saves of one object each, by type of store", goal: "JSON ≤ 10 ms a save",
      expected: { savedOneByOne },
      contenders: {
        let model = try ManagedObjectModel(contentsOf: project.model)
        return [
          ("JSON", .json, .project), ("binary", .binary, .peer), ("XML", .xml, .peer),
          ("SQLite", .sqlite, .floor),
        ]
        .map { (name: String, type: StoreType, side: Side) in
          contender(name, side) {
            var options = StoreOptions()
            options.type = type
            return try emptyStore(files, model, options)
          }
        }
      })
  }

  /// The same with each setting of what a save waits for.
  static func s1Synchronous(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "S1.4", title: "200 saves of one object each, by synchronous", goal: "said, not bounded",
      expected: { savedOneByOne },
      contenders: {
        let model = try ManagedObjectModel(contentsOf: project.model)
        return [("FULL", .project), ("NORMAL", .peer), ("OFF", .floor)].map { (setting: String, side: Side) in
          contender("synchronous=\(setting)", side) {
            var options = StoreOptions()
            options.sqlitePragmas["synchronous"] = .string(setting)
            return try emptyStore(files, model, options)
          }
        }
      })
  }

  private static func emptyStore(
    _ files: WorkFiles, _ model: ManagedObjectModel, _ options: StoreOptions
  ) throws -> PersistentStoreCoordinator {
    let path = files.path("s1-store")
    try files.removeDatabase(path)
    return try .create(storeAt: path, model: model, options: options, classes: ProjectStore.classes)
  }

  private static func contender(
    _ name: String, _ side: Side,
    _ open: @escaping () throws -> PersistentStoreCoordinator
  ) -> any Contender {
    PreparedContender(
      name, side,
      making: {
        let context = ManagedObjectContext(coordinator: try open(), concurrencyType: .mainQueue)
        let objects = try (1...saves).map { row in
          let object = try context.insert(NumbersObject.self, entityNamed: "Numbers")
          object.fill(row: row)
          return object
        }
        try context.save()
        return (context, objects)
      }
    ) { context, objects in
      try saveOneByOne(objects, in: context)
      return NumbersObject.answer(objects)
    }
  }

  private static func saveOneByOne(_ objects: [NumbersObject], in context: ManagedObjectContext) throws {
    for object in objects {
      object.i3 += 1
      try context.save()
    }
  }
}
