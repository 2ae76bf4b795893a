import GraphStore

extension Workload {
  private static let changed = 50_000

  /// The checks of a save by themselves, beside the whole save (OBJ-545).
  static func a2(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "A2", title: "validate 50,000 changed objects of four constraints each",
      goal: "≤ 0.5 × the save of them, which validates too",
      expected: { Answer(count: Int64(changed)) },
      contenders: {
        let template = try project.employees()
        return [
          ProjectWrite(
            files, template: template, load: change,
            write: { context, _ in
              let failures = try context.validateChanges()
              guard failures.isEmpty else { throw BenchmarkError("A2: \(failures.count) failures") }
            }, check: { _ in Answer(count: Int64(changed)) }),
          ProjectWrite(
            files, name: "GraphStore: the save", side: .peer, template: template, load: change,
            write: { context, _ in try context.save() },
            check: { Answer(count: try $0.integer("SELECT count(*) FROM ZEMPLOYEE WHERE ZBADGE = 7")) }),
        ]
      })
  }

  private static func change(in context: ManagedObjectContext) throws -> [ManagedObject] {
    var request = FetchRequest(entityName: "Employee")
    request.fetchLimit = changed
    let objects = try context.fetch(request)
    for object in objects { try object.setValue(Int32(7), forKey: "badge") }
    try context.processPendingChanges()
    return objects
  }
}
