import GRDB
import GraphStore

extension Workload {
  /// Reads by several contexts at once: they read beside each other, and share the row cache.
  static func k1(_ files: WorkFiles, _ project: ProjectStore, threads: Int) -> Workload {
    Workload(
      id: "K1.\(threads)", title: "F1 by \(threads) contexts on \(threads) threads at once",
      goal: "≤ 1.3 × floor",
      expected: { Numbers.answer(rows: Numbers.fetched) },
      contenders: {
        let path = try Numbers.template(files, rows: Numbers.fetched)
        let coordinator = try ProjectStore.open(try project.numbers(rows: Numbers.fetched))
        let floors = try (0..<threads).map { _ in Unchecked(try FloorStore(path)) }
        let pool = try DatabasePool(path: path)
        return [
          ParallelContender("GraphStore", .project, threads: threads) { _ in
            try read(with: ManagedObjectContext(coordinator: coordinator))
          },
          ParallelContender("floor: C, a connection each", .floor, threads: threads) { index in
            try floors[index].value.fetchNumbers()
          },
          ParallelContender("GRDB: pool, positional struct", .peer, threads: threads) { _ in
            try pool.read { try GRDBFetch<PositionalNumbers>.answer($0) }
          },
        ]
      })
  }
}

/// Reads as F1 does: the context outlives its objects.
@inline(never)
private func read(with context: ManagedObjectContext) throws -> Answer {
  NumbersObject.answer(try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
}

/// What one thread at a time uses.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
