import Dispatch
import Foundation
import GraphStoreTestSupport
import Synchronization
import Testing

@testable import GraphStore

@Suite("Waiting for incremental stores")
struct IncrementalWaitingTests {
  private static let latency = Duration.milliseconds(300)

  /// A filled shelf that takes its time for each answer, and a private context.
  private func slow(_ options: StoreOptions = StoreOptions()) throws -> (ShelfStack, ManagedObjectContext) {
    let stack = try ShelfStack(TestModels.company(), .init(), options: options).fill()
    stack.shelf.change { $0.onCall = { _ in try await Task.sleep(for: Self.latency) } }
    return (stack, ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue))
  }

  /// Has the shelf answer only after a block on the queue of a context has run since it was asked.
  private func answer(_ shelf: ShelfStore, behindBlockOf context: ManagedObjectContext) {
    shelf.change {
      $0.onCall = { _ in
        try await Task.sleep(for: Self.latency)
        await context.perform {}
      }
    }
  }

  @Test("while an asynchronous fetch waits for the store, the queue of its context is free")
  func asynchronousFetch() async throws {
    let (stack, context) = try slow(StoreOptions(timeout: .seconds(30)))
    answer(stack.shelf, behindBlockOf: context)
    let start = ContinuousClock.now
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      context.enqueue {
        do {
          try context.execute(
            AsynchronousFetchRequest(fetchRequest: FetchRequest<ManagedObject>(entityName: "Employee")) {
              #expect($0.finalResult?.count == 9)
              ended.resume()
            })
        } catch {
          ended.resume(throwing: error)
        }
      }
    }
    #expect(ContinuousClock.now - start >= Self.latency)
    #expect(stack.shelf.calls == [.fetch(entity: "Employee", output: .nodes, parts: [])])
  }

  @Test("while a block of a background context waits for the store, the queue of another context is free")
  func backgroundBlock() async throws {
    let (stack, context) = try slow(StoreOptions(timeout: .seconds(30)))
    answer(stack.shelf, behindBlockOf: context)
    let background = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    let count = try await background.perform {
      try background.count(for: FetchRequest(entityName: "Employee"))
    }
    #expect(count == 9)
  }

  @Test("threads of tasks that all wait for the store do not keep it from answering")
  func noDeadlock() async throws {
    let stack = try ShelfStack(TestModels.company(), .init(), options: StoreOptions(timeout: .seconds(30)))
      .fill()
    stack.shelf.change { $0.onCall = { _ in try await Task.sleep(for: .milliseconds(20)) } }
    let (shelf, coordinator) = (stack.shelf, stack.coordinator)
    let count = ProcessInfo.processInfo.activeProcessorCount * 4
    let found = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count {
        group.addTask {
          // Holds up the thread of the task, as blocks on a main-queue context do.
          let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
          return try context.performAndWait { try context.count(for: FetchRequest(entityName: "Employee")) }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(found == count * 9 && shelf.calls.count == count)
    withExtendedLifetime(stack) {}
  }

  // STO-046
  @Test("a store that does not answer in time is given up, and its call is cancelled")
  func timeout() throws {
    let (stack, _) = try slow(StoreOptions(timeout: .milliseconds(60)))
    #expect(
      try expectFailure(.storeTimeout) {
        _ = try stack.context.count(for: FetchRequest(entityName: "Employee"))
      }.number == 134090)
    stack.shelf.change { $0.onCall = { _ in } }
    #expect(try stack.context.count(for: FetchRequest(entityName: "Employee")) == 9)
  }

  @Test("a save that takes too long is cancelled, and what has become of it is asked for")
  func saveTimeout() throws {
    let stack = try ShelfStack(TestModels.company(), .init(), options: StoreOptions(timeout: .seconds(3)))
      .fill()
    let employee = try stack.context.all("Employee")[0]
    try employee.setValue(1, forKey: "salary")
    // The shelf ends when it is cancelled.
    stack.shelf.change { $0.onCall = { if $0 == .save { try await Task.sleep(for: .seconds(60)) } } }
    let error = try expectFailure(.storeSaveFailed) { try stack.context.save() }
    #expect(error.underlying is CancellationError && stack.context.hasChanges)
    // One that cannot be cancelled any more says that it is done.
    stack.shelf.change { $0.onCall = { if $0 == .save { await Self.sleep(milliseconds: 3_200) } } }
    try stack.context.save()
    #expect(!stack.context.hasChanges && stack.shelf.savedChanges.count == 2)
  }

  /// Sleeps on, whether or not the task is cancelled.
  private static func sleep(milliseconds: Int) async {
    await withCheckedContinuation { ended in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { ended.resume() }
    }
  }

  @Test("a fetch in a task that is cancelled ends at once")
  func cancellation() async throws {
    let (stack, context) = try slow(StoreOptions(timeout: .seconds(900)))
    stack.shelf.change { $0.onCall = { _ in try await Task.sleep(for: .seconds(900)) } }
    let task = Task {
      try await context.perform { try context.count(for: FetchRequest(entityName: "Employee")) }
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    let error = await #expect(throws: GraphStoreError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  // STO-015
  @Test("a store is removed when requests have ended, is closed then, and is not asked any more")
  func removing() throws {
    let stack = try ShelfStack().fill()
    let object = try stack.context.all("Employee")[0]
    try stack.coordinator.remove(stack.store)
    expectSoon { stack.shelf.calls.last == .close }
    let calls = stack.shelf.calls.count
    _ = try expectFailure(.objectInvalidated) { _ = try object.string("name") }
    _ = try expectFailure(.noStore) { _ = try stack.context.all("Employee") }
    #expect(stack.shelf.calls.count == calls)
  }
}
