import GraphStore

extension Workload {
  static func n1(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "N1", title: "insert 50,000 objects of ten integers in a child, save it and its parent",
      goal: "≤ 1.4 × the same without a child",
      expected: { Numbers.answer(rows: Numbers.written) },
      contenders: {
        let own = try project.template("empty.db") { _ in }
        func insert(into context: ManagedObjectContext) throws {
          for row in 1...Numbers.written {
            try context.insert(NumbersObject.self, entityNamed: "Numbers").fill(row: row)
          }
          try context.save()
        }
        return [
          ProjectWrite(
            files, template: own, load: { _ in },
            write: { context, _ in
              try insert(into: ManagedObjectContext(parent: context, concurrencyType: .mainQueue))
              try context.save()
            }, check: Numbers.written(in:)),
          ProjectWrite(
            files, name: "without a child (I1)", side: .floor, template: own, load: { _ in },
            write: { context, _ in try insert(into: context) }, check: Numbers.written(in:)),
        ]
      })
  }
}
