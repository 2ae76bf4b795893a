import Foundation
import GraphStorePredicates
import Synchronization
import Testing

@testable import GraphStore

/// Requests whose task is cancelled.
@Suite("Cancelling the task of a request", .everyStore)
struct TaskCancellationTests {
  private static let count = 400

  /// A condition on each four colleagues of each employee, which takes hours to find false of all if it is
  /// not ended.
  private static func endless(_ condition: String) -> String {
    ["$d", "$c", "$b", "$a"].reduce(condition) { "SUBQUERY(department.employees, \($1), \($0)).@count > 0" }
  }

  private let stack: TestStack
  private let context: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "All"])
    for number in 0..<Self.count {
      try stack.context.insert(
        "Employee", ["name": "E\(number)", "salary": number, "department": department])
    }
    try stack.context.save()
    context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
  }

  private static func request(_ text: String) throws -> FetchRequest<ManagedObject> {
    FetchRequest(entityName: "Employee", predicate: try QueryPredicate(parsing: text))
  }

  @Test("CTX-321, DGN-252: a statement that runs ends when the task is cancelled", .needs(.statements))
  func statement() async throws {
    let pool = try #require(stack.pool)
    let endless = Self.endless(
      "$a.name < $b.name AND $b.name < $c.name AND $c.name < $d.name AND $d.name < $a.name")
    let isInStore = try await context.perform { [context] in
      try context.explain(Self.request(endless)).isInStore
    }
    #expect(isInStore)
    let begun = DispatchSemaphore(value: 0)
    pool.onStatement = { text in if text.hasPrefix("SELECT") { begun.signal() } }
    defer { pool.onStatement = nil }
    let task = Task { [context] in
      try await context.perform { try context.count(for: Self.request(endless)) }
    }
    // A thread of its own: this test would wait for its turn among all others, with the statement at work
    // meanwhile.
    Thread.detachNewThread {
      begun.wait()
      task.cancel()
    }
    let error = await #expect(throws: GraphStoreError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    pool.onStatement = nil
    let all = try await context.perform { [context] in try context.count(for: Self.request("salary >= 0")) }
    #expect(all == Self.count)
  }

  @Test(
    "CTX-321: a fetch that calls functions of the program ends, whether the store runs it or memory does",
    arguments: [true, false])
  func functions(inStore: Bool) async throws {
    let count = 5000
    try context.performAndWait {
      for _ in 0..<count { try context.insert("Employee", ["salary": 7]) }
      try context.save()
      context.reset()
    }
    let calls = Counter()
    let cancel: PredicateFunctions.Body = { target, _ in
      calls.count()
      withUnsafeCurrentTask { $0?.cancel() }
      return target
    }
    context.performAndWait {
      if inStore {
        context.functions.register(
          "cancel", isDeterministic: true, sqlForm: .returning(.integer), cancel)
      } else {
        context.functions.register("cancel", cancel)
      }
    }
    let task = Task { [context] in
      try await context.perform {
        try context.fetch(Self.request("salary == 7 AND FUNCTION(salary, 'cancel') == 7")).count
      }
    }
    let error = await #expect(throws: GraphStoreError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(calls.value > 0 && calls.value < count)
  }

  @Test("CTX-321: the evaluation of one object in memory ends too")
  func evaluation() async throws {
    context.performAndWait {
      context.functions.register("cancel") { target, _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return target
      }
    }
    let endless = Self.endless("FUNCTION($a.salary, 'cancel') + $b.salary + $c.salary + $d.salary == -1")
    let task = Task { [context] in
      try await context.perform { try context.count(for: Self.request(endless)) }
    }
    let error = await #expect(throws: GraphStoreError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("CTX-321: a request that begins in a cancelled task is not run; saves and faults go on")
  func cancelledBefore() async throws {
    let id = try context.performAndWait {
      try context.fetchIdentifiers(FetchRequest(entityName: "Department"))[0]
    }
    let gate = DispatchSemaphore(value: 0)
    context.enqueue { gate.wait() }
    let task = Task { [context] in
      try await context.perform {
        let codes = [
          code { _ = try context.fetch(Self.request("salary == 1")) },
          code { _ = try context.count(for: Self.request("salary == 1")) },
          code { _ = try context.fetchIdentifiers(Self.request("salary == 1")) },
          code { try context.enumerateFields(Self.request("salary == 1"), keyPaths: ["name"]) { _ in } },
        ]
        let department = try context.object(with: id)
        try context.insert("Employee", ["name": try department.string("name") ?? "", "salary": -1])
        try context.save()
        return codes
      }
    }
    task.cancel()
    gate.signal()
    #expect(try await task.value == Array(repeating: .cancelled, count: 4))
    let names = try context.performAndWait {
      try context.all("Employee", "salary == -1").map { try $0.string("name") }
    }
    #expect(names == ["All"])
  }

  private final class Counter: Sendable {
    private let calls = Atomic(0)
    func count() { calls.add(1, ordering: .relaxed) }
    var value: Int { calls.load(ordering: .relaxed) }
  }
}
