import Foundation
import GraphStore

/// Histories: what they cost a save, and how fast one is read.
extension Workload {
  static func h1Insert(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "H1", title: "I1 with history", goal: "≤ 2 × the same rows and changes by hand, as I1",
      expected: { Numbers.answer(rows: Numbers.written) },
      contenders: {
        func insert(_ name: String, _ side: Side, _ template: String) -> any Contender {
          ProjectWrite(
            files, name: name, side: side, template: template, load: { _ in },
            write: { context, _ in
              for row in 1...Numbers.written {
                try context.insert(NumbersObject.self, entityNamed: "Numbers").fill(row: row)
              }
              try context.save()
            }, check: Numbers.written(in:))
        }
        let tracked = try project.tracked("empty.db") { _ in }
        return [
          insert("with history", .project, tracked),
          FloorWrite(
            files, template: tracked, write: { try $0.fillTrackedNumbers(Numbers.written) },
            check: Numbers.written(in:)),
          insert("without (I1)", .peer, try project.template("empty.db") { _ in }),
        ]
      })
  }

  static func h1Update(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "H2", title: "U1 with history", goal: "≤ 1.5 × without",
      expected: {
        var answer = Numbers.answer(rows: Numbers.written)
        answer.first += 1
        answer.last += 1
        answer.sum += Numbers.written
        return answer
      },
      contenders: {
        func update(_ name: String, _ side: Side, _ template: String) -> any Contender {
          ProjectWrite(
            files, name: name, side: side, template: template,
            load: { context in
              let objects = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
              _ = NumbersObject.answer(objects)
              return objects
            },
            write: { context, objects in
              for object in objects { object.i3 += 1 }
              try context.save()
            }, check: Numbers.written(in:))
        }
        return [
          update(
            "with history", .project,
            try project.tracked("numbers-\(Numbers.written).db") { try $0.fillNumbers(Numbers.written) }),
          update("without (U1)", .floor, try project.numbers(rows: Numbers.written)),
        ]
      })
  }

  static func h1Read(_ project: ProjectStore) -> Workload {
    Workload(
      id: "H3", title: "read 100,000 changes of 100 transactions", goal: "≤ 2 × the SELECT",
      expected: { Answer(count: 100_000, first: 1, last: 100_000, sum: 5_000_050_000) },
      contenders: {
        let path = try project.changes(transactions: 100, each: 1_000)
        return [
          try ProjectRead(path) { context in
            let history = try context.execute(.fetchHistory(after: nil as PersistentHistoryToken?))
            var answer = Answer(count: 0)
            for transaction in history.transactions {
              for change in transaction.changes ?? [] {
                if answer.count == 0 { answer.first = change.changeID }
                answer.count += 1
                answer.last = change.changeID
                answer.sum += change.changeID
              }
            }
            return answer
          },
          try FloorRead(path) { try $0.stepChanges() },
        ]
      })
  }

  /// Saves of a hundred updates over a short and a long history.
  static func h1Growth(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    let rows: Int64 = 10_000
    return Workload(
      id: "H4", title: "100 saves of 100 updates with 10,000,000 changes of history",
      goal: "≤ 1.1 × the same with 10,000", isLong: true,
      expected: {
        var answer = Numbers.answer(rows: rows)
        answer.first += 1
        answer.last += 1
        answer.sum += rows
        return answer
      },
      contenders: {
        func update(_ name: String, _ side: Side, _ transactions: Int64) throws -> any Contender {
          ProjectWrite(
            files, name: name, side: side,
            template: try project.filled(transactions: transactions, numbers: rows),
            load: { context in
              let objects = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
              _ = NumbersObject.answer(objects)
              return objects
            },
            write: { context, objects in
              for (place, object) in objects.enumerated() {
                object.i3 += 1
                if place % 100 == 99 { try context.save() }
              }
            }, check: Numbers.written(in:))
        }
        return [
          try update("10,000,000 changes", .project, Scale.rows(10_000)),
          try update("10,000 changes", .floor, 10),
        ]
      })
  }

  /// Removing a short and a long history, which takes memory for neither.
  static func h1Purge(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "H5", title: "purge of 1,000,000 changes", goal: "memory that does not grow with the changes",
      isLong: true,
      expected: { Answer(count: 0) },
      contenders: {
        func purge(_ name: String, _ side: Side, _ transactions: Int64) throws -> any Contender {
          PeakContender(
            ProjectWrite(
              files, name: name, side: side,
              template: try project.filled(transactions: transactions, numbers: 0), load: { _ in },
              write: { context, _ in _ = try context.execute(.deleteHistory(before: Date())) },
              check: { Answer(count: try $0.integer("SELECT count(*) FROM ACHANGE")) }))
        }
        return [
          try purge("1,000,000 changes", .project, Scale.rows(1_000)),
          try purge("100,000 changes", .floor, Scale.rows(100)),
        ]
      })
  }
}

extension ProjectStore {
  /// A store with records, and a history of transactions of a thousand changes each.
  fileprivate func filled(transactions: Int64, numbers: Int64) throws -> String {
    try tracked("history-\(transactions)-\(numbers).db") {
      if numbers > 0 { try $0.fillNumbers(numbers) }
    } then: {
      try $0.fillChanges(transactions: transactions, each: 1_000)
    }
  }

  /// As ``template(_:_:)``, of a store that keeps a history from then on.
  ///
  /// - Parameter next: What follows once the history is there.
  func tracked(
    _ name: String, _ fill: (FloorStore) throws -> Void, then next: (FloorStore) throws -> Void = { _ in }
  ) throws -> String {
    try files.template("project-tracked-" + name) { path in
      let model = try ManagedObjectModel(contentsOf: model)
      try PersistentStoreCoordinator.create(storeAt: path, model: model).close()
      try fill(try FloorStore(path))
      let coordinator = try ProjectStore.open(path)
      try coordinator.enableHistoryTracking(of: coordinator.persistentStores[0])
      coordinator.close()
      try next(try FloorStore(path))
    }
  }

  /// A store whose history has transactions of so many insertions each.
  fileprivate func changes(transactions: Int, each: Int64) throws -> String {
    try files.template("project-changes.db") { path in
      let model = try ManagedObjectModel(contentsOf: model)
      var options = StoreOptions()
      options.historyTracking = true
      let coordinator = try PersistentStoreCoordinator.create(
        storeAt: path, model: model, options: options, classes: ProjectStore.classes)
      for _ in 0..<transactions {
        let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
        for row in 1...each {
          try context.insert(NumbersObject.self, entityNamed: "Numbers").fill(row: row)
        }
        try context.save()
      }
      coordinator.close()
    }
  }
}
