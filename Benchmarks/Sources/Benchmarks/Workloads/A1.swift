import GraphStore

extension Workload {
  private static let rounds: Int64 = 20

  /// Reading by each kind of key (OBJ-540, OBJ-543).
  static func a1Read(_ project: ProjectStore) -> Workload {
    Workload(
      id: "A1.1", title: "read ten values of each of 50,000 loaded objects, 20 times",
      goal: "≤ 3 × a Swift property",
      expected: { Answer(count: Numbers.written, sum: rounds * Numbers.answer(rows: Numbers.written).sum) },
      contenders: {
        let context = ManagedObjectContext(
          coordinator: try ProjectStore.open(try project.numbers(rows: Numbers.written)),
          concurrencyType: .mainQueue)
        let objects = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
        let plain = (1...Numbers.written).map { PlainNumbers(row: $0) }
        return [
          PlainContender("GraphStore", .project) {
            withExtendedLifetime(context) {
              var answer = Answer(count: Int64(objects.count))
              for _ in 0..<rounds { for object in objects { answer.sum += object.digest } }
              return answer
            }
          },
          PlainContender("by key (goal: ≤ 25 × typed)", .peer) {
            try withExtendedLifetime(context) {
              var answer = Answer(count: Int64(objects.count))
              for _ in 0..<rounds { for object in objects { answer.sum += try object.digestByKey() } }
              return answer
            }
          },
          PlainContender("by resolved key (goal: ≤ 3 × typed)", .peer) {
            withExtendedLifetime(context) {
              var answer = Answer(count: Int64(objects.count))
              let keys = NumbersObject.ResolvedKeys()
              for _ in 0..<rounds { for object in objects { answer.sum += keys.digest(of: object) } }
              return answer
            }
          },
          PlainContender("floor: properties of a Swift class", .floor) {
            var answer = Answer(count: Int64(plain.count))
            for _ in 0..<rounds { for object in plain { answer.sum += object.digest } }
            return answer
          },
        ]
      })
  }

  static func a1Cached(_ project: ProjectStore) -> Workload {
    Workload(
      id: "A1.2", title: "fire 50,000 faults from the row cache", goal: "≤ 2 × making a Swift object",
      expected: { Answer(count: Numbers.written, sum: Numbers.answer(rows: Numbers.written).sum) },
      contenders: {
        let coordinator = try ProjectStore.open(try project.numbers(rows: Numbers.written))
        let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
        let held = try context.fetch(FetchRequest(entityName: "Numbers"))
        let identifiers = held.map(\.objectID)
        let rows = (1...Numbers.written).map { PlainNumbers(row: $0) }
        return [
          PlainContender("GraphStore", .project) {
            try withExtendedLifetime((context, held)) { try fire(identifiers, coordinator) }
          },
          PlainContender("floor: a Swift object of each row, kept, read and freed", .floor) {
            var kept: [PlainNumbers] = []
            for row in rows { kept.append(PlainNumbers(copying: row)) }
            return Answer(count: Int64(kept.count), sum: kept.reduce(0) { $0 + $1.digest })
          },
        ]
      })
  }

  static func a1Stored(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "A1.3", title: "fire 50,000 faults from the database", goal: "≤ 2 × the SELECT by key",
      expected: { Answer(count: Numbers.written, sum: Numbers.answer(rows: Numbers.written).sum) },
      contenders: {
        let coordinator = try ProjectStore.open(try project.numbers(rows: Numbers.written))
        let identifiers = try ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
          .fetchIdentifiers(FetchRequest(entityName: "Numbers"))
        return [
          PlainContender("GraphStore", .project) { try fire(identifiers, coordinator) },
          try FloorRead(try Numbers.template(files, rows: Numbers.written)) {
            try $0.selectNumbers(Numbers.written)
          },
        ]
      })
  }

  private static func fire(
    _ identifiers: [ManagedObjectID], _ coordinator: PersistentStoreCoordinator
  ) throws -> Answer {
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
    var answer = Answer(count: Int64(identifiers.count))
    for identifier in identifiers {
      if let object = try context.object(with: identifier) as? NumbersObject { answer.sum += object.digest }
    }
    return answer
  }
}
