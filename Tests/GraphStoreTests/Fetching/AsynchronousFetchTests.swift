import Foundation
import Synchronization
import Testing

@testable import GraphStore

@Suite("Asynchronous fetches", .everyStore)
struct AsynchronousFetchTests {
  private let stack: TestStack
  private let context: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    for number in 0..<300 {
      try stack.context.insert("Employee", ["name": "\(1000 + number)", "salary": number % 7])
    }
    try stack.context.save()
    context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
  }

  private func request(_ predicate: String? = nil) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
  }

  /// What is told of one fetch, and taken from it on the context's queue.
  private final class Told: @unchecked Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    var names: [String] = []
    var error: (any Error)?
    var calls = 0
    var wasOnQueue = false
    var result: AsynchronousFetchResult<ManagedObject>?
  }

  /// Runs a fetch to its end.
  private func run(
    _ request: FetchRequest<ManagedObject>, in context: ManagedObjectContext,
    while body: (AsynchronousFetchResult<ManagedObject>) throws -> Void = { _ in }
  ) throws -> Told {
    let told = Told()
    try context.performAndWait {
      let asynchronous = AsynchronousFetchRequest(fetchRequest: request) { result in
        told.calls += 1
        told.wasOnQueue = context.queue.isCurrent
        told.names = (result.finalResult ?? []).map { (try? $0.string("name")) ?? "-" }
        told.error = result.operationError
        #expect((result.finalResult == nil) != (result.operationError == nil))
        told.semaphore.signal()
      }
      let result = try context.execute(asynchronous)
      told.result = result
      #expect(
        result.finalResult == nil && result.operationError == nil && result.progress.completedUnitCount == 0)
      try body(result)
    }
    #expect(told.semaphore.wait(timeout: .now() + 20) == .success)
    return told
  }

  @Test(
    "FET-163, FET-164, FET-169: the completion runs once, on the context's queue, with the objects of a fetch"
  )
  func completion() throws {
    let told = try run(request("salary == 3"), in: context)
    #expect(told.calls == 1 && told.wasOnQueue && told.error == nil)
    #expect(told.names == (0..<300).filter { $0 % 7 == 3 }.map { "\(1000 + $0)" })
    let progress = try #require(told.result?.progress)
    #expect(progress.completedUnitCount == 43 && progress.totalUnitCount == 43)
    told.result?.cancel()
    #expect(told.calls == 1)
  }

  @Test("FET-163: what a fetch refuses is refused at once")
  func refused() throws {
    try context.performAndWait {
      #expect(throws: GraphStoreError.self) {
        try context.execute(AsynchronousFetchRequest(fetchRequest: FetchRequest(entityName: "Nothing")))
      }
      var counting = try request()
      counting.resultType = .count
      #expect(throws: GraphStoreError.self) {
        try context.execute(AsynchronousFetchRequest(fetchRequest: counting))
      }
    }
  }

  @Test("FET-166: every option of a request is allowed", arguments: 0..<7)
  func options(_ option: Int) throws {
    var request = try request("salary < 5")
    switch option {
    case 0: request.fetchBatchSize = 10
    case 1: (request.fetchLimit, request.fetchOffset) = (20, 7)
    case 2: request.returnsObjectsAsFaults = false
    case 3: request.includesPropertyValues = false
    case 4: request.relationshipKeyPathsForPrefetching = ["department"]
    case 5: request.predicate = try QueryPredicate(parsing: "name MATCHES '10[0-9]+'")
    default: request.shouldRefreshRefetchedObjects = true
    }
    let fetched = try context.performAndWait {
      try context.fetch(request).map { try $0.string("name") ?? "-" }
    }
    let told = try run(
      request, in: ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue))
    #expect(told.names == fetched && told.error == nil && !fetched.isEmpty)
  }

  @Test("FET-167: unsaved changes count as they are when the rows arrive")
  func unsavedChanges() throws {
    let told = try run(request("salary == 3"), in: context) { _ in
      for object in try context.fetch(request("name IN {'1003', '1004'}")) {
        try object.setValue(try object.string("name") == "1003" ? 0 : 3, forKey: "salary")
      }
      try context.insert("Employee", ["name": "new", "salary": 3])
    }
    let expected = (0..<300).filter { $0 % 7 == 3 && $0 != 3 || $0 == 4 }.map { "\(1000 + $0)" } + ["new"]
    #expect(told.names == expected)
  }

  /// Takes rows from objects between two portions of a fetch; belongs to the context's queue.
  private final class RowDropper: @unchecked Sendable {
    let ended = DispatchSemaphore(value: 0)
    var result: AsynchronousFetchResult<ManagedObject>?
    private(set) var dropped = 0
    private let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) { self.context = context }

    func drop() {
      guard result?.finalResult == nil, dropped == 0 else { return }
      for object in context.registeredObjects where object.block != nil && dropped < 3 {
        try? context.refresh(object, mergeChanges: false)
        dropped += object.block == nil ? 1 : 0
      }
      context.enqueue { self.drop() }
    }
  }

  @Test("FET-167: objects that let go of their rows while others are made have rows again in the end")
  func droppedRows() throws {
    for number in 300..<1_400 { try stack.context.insert("Employee", ["name": "\(1000 + number)"]) }
    try stack.context.save()
    let dropper = RowDropper(context)
    try context.performAndWait {
      dropper.result = try context.execute(
        AsynchronousFetchRequest(fetchRequest: request()) { _ in dropper.ended.signal() })
      context.enqueue { dropper.drop() }
    }
    #expect(dropper.ended.wait(timeout: .now() + 20) == .success)
    try context.performAndWait {
      let objects = try #require(dropper.result?.finalResult)
      #expect(objects.count == 1_400 && dropper.dropped > 0)
      #expect(objects.allSatisfy { $0.block != nil })
    }
  }

  @Test("FET-168: a child fetches beside its work too, and sees what its parent has not saved")
  func child() throws {
    let parent = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    try parent.performAndWait {
      try parent.insert("Employee", ["name": "parent's", "salary": 9])
      try parent.fetch(request("name == '1000'"))[0].setValue(9, forKey: "salary")
    }
    let child = ManagedObjectContext(parent: parent, concurrencyType: .privateQueue)
    #expect(try run(request("salary == 9"), in: child).names == ["1000", "parent's"])
  }

  @Test("FET-170, FET-173: a fetch that is cancelled, or whose context is reset, has no result")
  func cancelling() throws {
    for way in 0..<3 {
      let told = try run(request(), in: context) { result in
        switch way {
        case 0: result.cancel()
        case 1: result.progress.cancel()
        default: context.reset()
        }
      }
      #expect(told.calls == 1 && told.names.isEmpty, "\(way)")
      #expect((told.error as? GraphStoreError)?.code == .cancelled, "\(way)")
      #expect(context.performAndWait { context.registeredObjects.isEmpty })
    }
  }

  @Test("FET-170: cancelling at any moment gives all objects, or none and the error")
  func cancellingAnywhen() throws {
    for pause in 0..<40 {
      let told = try run(request(), in: context) { result in
        let progress = result.progress
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(pause * 50)) { progress.cancel() }
      }
      #expect(told.calls == 1)
      #expect(told.error == nil ? told.names.count == 300 : told.names.isEmpty)
    }
  }

  @Test("FET-165, FET-170: the async form returns the list, throws what went wrong, and ends with its task")
  @MainActor func awaiting() async throws {
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .mainQueue)
    let objects = try await context.fetchAsynchronously(request("salary == 3"))
    #expect(objects.count == 43 && objects[0].managedObjectContext === context)
    do {
      _ = try await context.fetchAsynchronously(FetchRequest<ManagedObject>(entityName: "Nothing"))
      Issue.record("an entity that there is not was fetched")
    } catch GraphStoreError.code(.unknownEntity) {}
    let request = try request()
    let task = Task { @MainActor in try await context.fetchAsynchronously(request).count }
    task.cancel()
    await #expect { try await task.value } throws: { GraphStoreError.code(.cancelled) ~= $0 }
  }

  @Test("FET-164: a fetch whose context is let go of ends, with an error")
  func released() throws {
    let told = Told()
    var context: ManagedObjectContext? = ManagedObjectContext(
      coordinator: stack.coordinator, concurrencyType: .privateQueue)
    let request = try request()
    try context?.performAndWait {
      // It waits for the queue until the context has gone.
      told.result = try context?.execute(
        AsynchronousFetchRequest(fetchRequest: request) { result in
          (told.error, told.calls) = (result.operationError, told.calls + 1)
          told.names = (result.finalResult ?? []).map { _ in "" }
          told.semaphore.signal()
        })
    }
    context = nil
    #expect(told.semaphore.wait(timeout: .now() + 20) == .success && told.calls == 1)
    #expect((told.error as? GraphStoreError)?.code == .cancelled || told.names.count == 300)
  }
}
