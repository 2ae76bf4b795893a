import GraphStore

extension Workload {
  /// I1 and U1 with one listener to objects-did-change and an undo manager, against the same without either.
  static func e1Insert(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "E1.1", title: "I1 with a listener and an undo manager", goal: "≤ 1.5 × without",
      expected: { Numbers.answer(rows: Numbers.written) },
      contenders: {
        let template = try project.template("empty.db") { _ in }
        return [true, false].map { isWatched in
          ProjectWrite(
            files, name: isWatched ? "GraphStore" : "without", side: isWatched ? .project : .floor,
            template: template,
            load: { try Watch($0, isWatched) },
            write: { context, _ in
              for row in 1...Numbers.written {
                try context.insert(NumbersObject.self, entityNamed: "Numbers").fill(row: row)
              }
              try context.save()
            }, check: Numbers.written(in:))
        }
      })
  }

  static func e1Update(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "E1.2", title: "U1 with a listener and an undo manager", goal: "≤ 1.5 × without",
      expected: {
        var answer = Numbers.answer(rows: Numbers.written)
        answer.first += 1
        answer.last += 1
        answer.sum += Numbers.written
        return answer
      },
      contenders: {
        let template = try project.numbers(rows: Numbers.written)
        return [true, false].map { isWatched in
          ProjectWrite(
            files, name: isWatched ? "GraphStore" : "without", side: isWatched ? .project : .floor,
            template: template,
            load: { context in
              let objects = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
              _ = NumbersObject.answer(objects)
              return (objects, try Watch(context, isWatched))
            },
            write: { context, loaded in
              for object in loaded.0 { object.i3 += 1 }
              try context.save()
            }, check: Numbers.written(in:))
        }
      })
  }
}

/// A listener that reads how many objects have changed, and an undo manager; or neither.
private final class Watch {
  private var token: ContextObservation?
  private var count = 0

  init(_ context: ManagedObjectContext, _ isOn: Bool) throws {
    guard isOn else { return }
    try context.setUndoManager(GraphUndoManager())
    token = context.observe(.objectsDidChange) { [weak self] change in
      self?.count += change.inserted.count + change.updated.count
    }
  }
}
