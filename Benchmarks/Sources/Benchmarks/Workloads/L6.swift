import Dispatch
import GraphStore

/// Fetches beside the work of a context: how long its queue keeps others waiting, and how soon they end.
extension Workload {
  private static let scanned: Int64 = 1_000_000

  /// The longest time that a block waits for the queue while objects are fetched.
  static func l6Waiting(_ project: ProjectStore) -> Workload {
    Workload(
      id: "L6.1", title: "longest wait for a context while it fetches \(Numbers.fetched) objects",
      goal: "≤ 2 ms", expected: { Answer(count: Numbers.fetched) },
      contenders: {
        let path = try project.numbers(rows: Numbers.fetched)
        return [
          try FetchBeside(path, "asynchronous fetch", .project, predicate: nil) { fetch in
            try fetch.waitForTurns()
          },
          try FetchBeside(path, "fetch on the queue", .peer, predicate: nil) { fetch in
            try fetch.fetchOnQueue()
          },
        ]
      })
  }

  /// The time from the cancellation of a fetch to its end, while its statement looks at every row.
  static func l6Cancelling(_ project: ProjectStore) -> Workload {
    let rows = Scale.rows(scanned)
    return Workload(
      id: "L6.2", title: "end a cancelled fetch that scans \(rows) rows", goal: "≤ 50 ms",
      isLong: true, expected: { Answer(count: 0) },
      contenders: {
        [
          try FetchBeside(
            project.numbers(rows: rows), "cancelled", .project, predicate: "i0 + i1 == 3 AND i2 + i3 == 3"
          ) { fetch in try fetch.cancelAndWait() }
        ]
      })
  }
}

/// An asynchronous fetch of a context with a queue of its own, and what the thread that has begun it waits
/// for.
private final class FetchBeside: Contender, @unchecked Sendable {
  let name: String
  let side: Side
  private(set) var amount: Double?
  private let context: ManagedObjectContext
  private let request: FetchRequest<ManagedObject>
  private let body: (FetchBeside) throws -> Void
  private let ended = DispatchSemaphore(value: 0)
  private var result: AsynchronousFetchResult<ManagedObject>?
  private var held: [ManagedObject] = []

  init(
    _ path: String, _ name: String, _ side: Side, predicate: String?,
    _ body: @escaping (FetchBeside) throws -> Void
  ) throws {
    self.name = name
    self.side = side
    self.body = body
    context = ManagedObjectContext(
      coordinator: try ProjectStore.open(path), concurrencyType: .privateQueue)
    request = FetchRequest(
      entityName: "Numbers", predicate: try predicate.map { try QueryPredicate(parsing: $0) })
  }

  func prepare() throws {
    context.performAndWait {
      (held, result) = ([], nil)
      context.reset()
    }
  }

  func work() throws { try body(self) }

  func answer() throws -> Answer { Answer(count: Int64(context.performAndWait { held.count })) }

  private func begin() throws {
    try context.performAndWait {
      result = try context.execute(
        AsynchronousFetchRequest(fetchRequest: request) { [self] result in
          held = result.finalResult ?? []
          ended.signal()
        })
    }
  }

  /// Asks for the queue again and again until the objects are there.
  func waitForTurns() throws {
    let clock = ContinuousClock()
    var longest = Duration.zero
    try begin()
    while ended.wait(timeout: .now()) == .timedOut {
      longest = max(longest, clock.measure { context.performAndWait {} })
    }
    amount = longest / .seconds(1)
  }

  /// What a block would wait for if it came right behind the fetch.
  func fetchOnQueue() throws {
    let duration = try ContinuousClock().measure {
      try context.performAndWait { held = try context.fetch(request) }
    }
    amount = duration / .seconds(1)
  }

  /// Cancels the fetch in the middle of its statement.
  func cancelAndWait() throws {
    try begin()
    _ = ended.wait(timeout: .now() + .milliseconds(20))
    let duration = ContinuousClock().measure {
      result?.cancel()
      ended.wait()
    }
    guard result?.operationError != nil else {
      throw BenchmarkError("L6.2: the fetch ended before it was cancelled")
    }
    amount = duration / .seconds(1)
  }
}
