import Foundation
import Synchronization
import Testing

@testable import GraphStore

@Suite("Queues of contexts")
struct QueueTests {
  /// What blocks note, in their order.
  private final class Log: Sendable {
    private let entries = Mutex<[Int]>([])
    func note(_ entry: Int) { entries.withLock { $0.append(entry) } }
    var all: [Int] { entries.withLock { $0 } }
  }

  private struct Failure: Error, Equatable {}

  private let stack: TestStack
  private let context: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company(employees: .cascade))
    context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    context.name = "QueueTests"
  }

  private func mainContext() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .mainQueue)
  }

  // MARK: Kinds and defaults

  @Test("CTX-012: a context is of a private queue unless it is said to be of the main queue")
  func kinds() {
    #expect(mainContext().concurrencyType == .mainQueue)
    #expect(context.concurrencyType == .privateQueue)
  }

  @Test(
    "CTX-018, CTX-021, CTX-022: faults of gone records are deleted, there is no name, and nothing in userInfo"
  )
  func defaults() {
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    #expect(context.name == nil)
    #expect(context.shouldDeleteInaccessibleFaults)
    context.performAndWait { #expect(context.userInfo.isEmpty) }
  }

  @Test("CTX-022: userInfo holds what is put in, over save, rollback and reset")
  func userInfo() throws {
    final class Thing {}
    weak var held: Thing?
    try context.performAndWait {
      let thing = Thing()
      held = thing
      context.userInfo["isEditor"] = true
      context.userInfo["thing"] = thing
      try context.insert("Employee", ["name": "Ada"])
      try context.save()
      context.rollback()
      context.reset()
      #expect(context.userInfo["isEditor"] as? Bool == true && context.userInfo.count == 2)
    }
    #expect(held != nil)
    context.performAndWait { context.userInfo["thing"] = nil }
    #expect(held == nil)
  }

  @Test("CTX-009: making and dropping contexts of both kinds opens no connection and runs no statement")
  func cheap() throws {
    let pool = try #require(stack.pool)
    let (connections, statements) = (pool.connectionCount, pool.statementCounts)
    for number in 0..<10_000 {
      _ = ManagedObjectContext(
        coordinator: stack.coordinator, concurrencyType: number % 2 == 0 ? .privateQueue : .mainQueue)
    }
    #expect(pool.connectionCount == connections && pool.statementCounts == statements)
  }

  // MARK: perform

  @Test("CTX-313: enqueue returns at once, also on the queue, and blocks run in the order given")
  func append() {
    let log = Log()
    let gate = DispatchSemaphore(value: 0)
    context.enqueue { gate.wait() }
    context.enqueue { [context] in
      context.enqueue { log.note(3) }
      log.note(1)
    }
    context.enqueue { log.note(2) }
    #expect(log.all == [])
    gate.signal()
    context.performAndWait { log.note(9) }
    context.performAndWait {}
    #expect(log.all.filter { $0 != 9 } == [1, 2, 3])
  }

  @Test("CTX-314: a task gets the block's result, and its error with its type")
  func results() async throws {
    let ids = try await context.perform { [context] in
      let object = try context.insert("Employee", ["name": "Ada"])
      try context.save()
      return [object.objectID]
    }
    #expect(ids.map(\.shortForm) == ["Employee/p1"])
    let count: Int = await context.perform { 3 }
    #expect(count == 3)
    do throws(Failure) {
      try await context.perform { () throws(Failure) in throw Failure() }
      Issue.record("It does not throw.")
    } catch {
      #expect(error == Failure())
    }
  }

  @MainActor
  @Test("CTX-314: on the queue an immediate block runs in place, an enqueued one in its turn")
  func schedulesOnMainQueue() async {
    let context = mainContext()
    let log = Log()
    context.enqueue { log.note(1) }
    await context.perform { log.note(2) }
    #expect(log.all == [2])
    await context.perform(schedule: .enqueued) { log.note(3) }
    #expect(log.all == [2, 1, 3])
  }

  @Test("CTX-314: a task that starts inside of a block is on the queue")
  func schedulesOnPrivateQueue() async {
    let log = Log()
    let gate = DispatchSemaphore(value: 0)
    context.enqueue { gate.wait() }
    context.enqueue { [context] in
      context.enqueue { log.note(1) }
      Task.immediate {
        await context.perform { log.note(2) }
        log.note(3)
      }
      Task.immediate { await context.perform(schedule: .enqueued) { log.note(4) } }
    }
    gate.signal()
    await context.perform(schedule: .enqueued) {}
    await context.perform(schedule: .enqueued) {}
    #expect(log.all == [2, 3, 1, 4])
  }

  @Test("CTX-321: cancelling the task that awaits does not skip the block, which sees the cancellation")
  func cancellation() async {
    let gate = DispatchSemaphore(value: 0)
    context.enqueue { gate.wait() }
    let task = Task { [context] in await context.perform { Task.isCancelled } }
    task.cancel()
    gate.signal()
    #expect(await task.value)
  }

  @Test("CTX-320: a context lives until the blocks given to it have run")
  func lifetime() async {
    let gate = DispatchSemaphore(value: 0)
    let log = Log()
    weak var former: ManagedObjectContext?
    let waiting: Task<Void, Never>
    do {
      let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
      former = context
      context.enqueue { gate.wait() }
      context.enqueue { log.note(1) }
      waiting = Task { await context.perform { log.note(2) } }
    }
    #expect(former != nil)
    gate.signal()
    await waiting.value
    #expect(log.all == [1, 2])
    for _ in 0..<1000 where former != nil { try? await Task.sleep(for: .milliseconds(2)) }
    #expect(former == nil)
  }

  // MARK: performAndWait

  @Test("CTX-315: performAndWait gives result and error, and runs in place on its own queue at any depth")
  func waiting() {
    #expect(context.performAndWait { context.performAndWait { context.performAndWait { 7 } } } == 7)
    do throws(Failure) {
      try context.performAndWait { () throws(Failure) in
        try context.performAndWait { () throws(Failure) in throw Failure() }
      }
    } catch {
      #expect(error == Failure())
    }
  }

  @Test("CTX-315, DGN-097: a block is on the queues of all blocks that wait for it")
  func nesting() throws {
    let other = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    let name = try context.performAndWait {
      let object = try context.insert("Employee", ["name": "Ada"])
      return try other.performAndWait {
        #expect(try object.string("name") == "Ada")
        return try context.performAndWait { try object.string("name") }
      }
    }
    #expect(name == "Ada")
  }

  @Test(
    "CTX-315, CTX-325: a main-queue context waits for the main queue to be served, with the caller's queue in hand"
  )
  func fromElsewhere() async throws {
    let main = mainContext()
    let context = context
    let name = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let name = context.performAndWait { () -> String? in
          let object = try? context.insert("Employee", ["name": "Ada"])
          return main.performAndWait {
            MainActor.assumeIsolated {}
            return context.performAndWait { try? object?.string("name") }
          }
        }
        continuation.resume(returning: name)
      }
    }
    #expect(name == "Ada")
  }

  @Test("CTX-312, DGN-097: work that moves to a larger stack stays on the queue")
  func largeStack() throws {
    let text = (0..<200).reduce("name == \"Ada\"") { text, _ in "NOT (\(text))" }
    try context.performAndWait {
      let object = try context.insert("Employee", ["name": "Ada"])
      #expect(try QueryPredicate(parsing: text).evaluate(with: object))
    }
    let object = try stack.context.insert("Employee", ["name": "Ada"])
    #expect(try QueryPredicate(parsing: text).evaluate(with: object))
  }

  @MainActor
  @Test(
    "CTX-334, DGN-097: main-actor code is on the queue of a main-queue context, also on a larger stack and in blocks of others"
  )
  func mainActor() async throws {
    let context = mainContext()
    let object = try context.insert("Employee", ["name": "Ada"])
    let text = (0..<200).reduce("name == \"Ada\"") { text, _ in "NOT (\(text))" }
    #expect(try QueryPredicate(parsing: text).evaluate(with: object))
    #expect(try self.context.performAndWait { try object.string("name") } == "Ada")
    await Task.yield()
    #expect(try object.string("name") == "Ada")
  }

  // MARK: Pending changes

  private func department() throws -> ManagedObject {
    let department = try context.insert("Department", ["name": "D"])
    try context.insert("Employee", ["name": "E", "department": department])
    try context.save()
    return department
  }

  private var pending: Int { context.performAndWait { context.deletedObjects.count } }

  @Test(
    "CTX-316: pending changes are processed at the end of an appended block and of the outermost that waits")
  func processing() async throws {
    let id = try context.performAndWait { try department().objectID }
    try context.performAndWait {
      try context.performAndWait { try context.delete(try context.object(with: id)) }
      #expect(context.deletedObjects.count == 1)
    }
    #expect(pending == 2)
    context.performAndWait { context.rollback() }
    context.enqueue { [context] in try? context.delete(context.object(with: id)) }
    #expect(pending == 2)
    context.performAndWait { context.rollback() }
    try await context.perform { [context] in try context.delete(try context.object(with: id)) }
    #expect(pending == 2)
  }

  @MainActor
  @Test("CTX-316: on the main queue the outermost block that waits ends with processing too")
  func processingOnMainQueue() throws {
    let context = mainContext()
    let department = try context.insert("Department", ["name": "D"])
    try context.insert("Employee", ["name": "E", "department": department])
    try context.save()
    try context.performAndWait { try context.delete(department) }
    #expect(context.deletedObjects.count == 2)
  }

  @Test("CTX-316: a block that throws is followed by processing, and its error comes first")
  func processingAfterFailure() async throws {
    let id = try context.performAndWait { try department().objectID }
    #expect(throws: Failure.self) {
      try context.performAndWait {
        try context.delete(try context.object(with: id))
        throw Failure()
      }
    }
    #expect(pending == 2)
  }

  @Test("CTX-316: what processing throws is thrown where it can be, and by the next save else")
  func failureOfProcessing() async throws {
    let id = try context.performAndWait { try department().objectID }
    nonisolated(unsafe) var held: ManagedObject?
    try context.performAndWait {
      context.reset()
      held = try context.existingObject(with: id)
    }
    stack.coordinator.close()
    let object = try #require(held)
    #expect {
      try context.performAndWait { try context.delete(object) }
    } throws: {
      GraphStoreError.code(.noStore) ~= $0
    }
    #expect(context.saving.deferredErrors.isEmpty)
    context.performAndWait {}
    #expect(context.saving.deferredErrors.map { ($0 as? GraphStoreError)?.code } == [.noStore])
    await context.perform {}
    #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
    #expect(context.saving.deferredErrors.count == 3)
  }
}
