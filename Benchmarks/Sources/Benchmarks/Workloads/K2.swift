import Foundation
import GraphStore

extension Workload {
  private static let fetches = 1_000
  private static let keys: Int64 = 100

  /// Small fetches beside a large transaction of another context, which they neither wait for nor see.
  static func k2(_ project: ProjectStore) -> Workload {
    Workload(
      id: "K2", title: "fetch 100 objects by key, 1,000 times, beside an open transaction of 100,000 inserts",
      goal: "≤ 1.2 × the store at rest",
      expected: {
        Answer(count: keys, sum: Numbers.answer(rows: keys).sum)
      },
      contenders: {
        [
          try SmallFetches(
            "GraphStore, beside a transaction", .project, project, fetches, keys, inserts: 100_000),
          try SmallFetches(
            "floor: GraphStore, the store at rest", .floor, project, fetches, keys, inserts: 0),
        ]
      })
  }
}

/// Fetches the same few objects again and again, each time with a new context.
private final class SmallFetches: Contender {
  let name: String
  let side: Side
  private let fetches: Int
  private let coordinator: PersistentStoreCoordinator
  private let request: FetchRequest<ManagedObject>
  private let transaction: OpenTransaction?
  private var found = Answer(count: 0)

  init(
    _ name: String, _ side: Side, _ project: ProjectStore, _ fetches: Int, _ keys: Int64, inserts: Int
  ) throws {
    self.name = name
    self.side = side
    self.fetches = fetches
    let path = try project.files.freshCopy(
      of: try project.numbers(rows: Numbers.written), as: "small-fetches-\(inserts).db")
    let coordinator = try ProjectStore.open(path)
    self.coordinator = coordinator
    let identifiers = try (1...keys).map { key in
      guard let id = coordinator.managedObjectID(forShortForm: "Numbers/p\(key)") else {
        throw BenchmarkError("there is no Numbers/p\(key)")
      }
      return id
    }
    request = FetchRequest(
      entityName: "Numbers",
      predicate: try QueryPredicate(parsing: "SELF IN $ids").substituting([
        "ids": .list(identifiers.map { .object(ObjectReference($0)) })
      ]))
    transaction = inserts > 0 ? try OpenTransaction(coordinator, inserts) : nil
  }

  func work() throws {
    for _ in 0..<fetches {
      let context = ManagedObjectContext(coordinator: coordinator)
      let objects = try context.fetch(NumbersObject.self, request)
      var answer = Answer(count: Int64(objects.count))
      for object in objects { answer.sum += object.digest }
      found = answer
    }
  }

  func answer() throws -> Answer { found }
}

/// A transaction of another thread, which stays open.
private final class OpenTransaction {
  private let end = DispatchSemaphore(value: 0)

  init(_ coordinator: PersistentStoreCoordinator, _ inserts: Int) throws {
    struct Stop: Error {}
    let begun = DispatchSemaphore(value: 0)
    let end = end
    let thread = Thread {
      let context = ManagedObjectContext(coordinator: coordinator)
      try? coordinator.transaction(with: context) { _ in
        for row in 0..<inserts {
          (try context.insert(NumbersObject.self)).fill(row: Int64(row))
        }
        try context.save()
        begun.signal()
        end.wait()
        throw Stop()
      }
    }
    thread.start()
    begun.wait()
  }

  deinit { end.signal() }
}
