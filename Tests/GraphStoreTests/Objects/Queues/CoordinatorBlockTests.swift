import Foundation
import Synchronization
import Testing

@testable import GraphStore

/// What threads note, in their order.
private final class Log: Sendable {
  private let entries = Mutex<[String]>([])
  func note(_ entry: String) { entries.withLock { $0.append(entry) } }
  var all: [String] { entries.withLock { $0 } }
}

/// Blocks that have a coordinator to themselves, over every type of store.
@Suite(.everyStore)
struct CoordinatorBlockTests {
  private struct Failure: Error {}

  private let stack: TestStack
  private var coordinator: PersistentStoreCoordinator { stack.coordinator }

  init() throws {
    stack = try TestStack(TestModels.company())
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
  }

  private func context() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
  }

  private static func count(_ context: ManagedObjectContext) throws -> Int {
    try context.performAndWait { try context.count(for: FetchRequest(entityName: "Employee")) }
  }

  private static func insert(_ name: String, _ context: ManagedObjectContext) throws {
    try context.performAndWait {
      try context.insert("Employee", ["name": name])
      try context.save()
    }
  }

  /// Starts a thread; the semaphore is signalled at its end.
  private static func thread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    let end = DispatchSemaphore(value: 0)
    Thread {
      body()
      end.signal()
    }.start()
    return end
  }

  private func isWaiting(_ end: DispatchSemaphore) -> Bool {
    end.wait(timeout: .now() + .milliseconds(50)) == .timedOut
  }

  private func hasEnded(_ end: DispatchSemaphore) -> Bool {
    end.wait(timeout: .now() + .seconds(20)) == .success
  }

  @Test("STO-034, CTX-322: requests of others wait for the block's end, and its own go on")
  func others() throws {
    let (own, other, third, log) = (context(), context(), context(), Log())
    let ends = try coordinator.performAndWait {
      #expect(try Self.count(own) == 1)
      let reader = Self.thread { log.note("read \((try? Self.count(other)) ?? -1)") }
      let writer = Self.thread {
        try? Self.insert("other", third)
        log.note("written")
      }
      #expect(isWaiting(reader) && isWaiting(writer))
      try Self.insert("own", own)
      #expect(try Self.count(own) == 2)
      #expect(log.all.isEmpty)
      return [reader, writer]
    }
    for end in ends { #expect(hasEnded(end)) }
    #expect(Set(log.all).isSubset(of: ["read 2", "read 3", "written"]) && log.all.count == 2)
    #expect(try Self.count(own) == 3)
  }

  @Test(
    "STO-034: the block begins once a transaction in progress has ended, which goes on with all that it needs"
  )
  func waits() throws {
    let (begun, goOn, log) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Log())
    let (writer, reader) = (context(), context())
    let isShared = stack.factory.description != "private SQLite"
    let transaction = Self.thread { [coordinator] in
      do {
        try coordinator.transaction(with: writer) { _ in
          begun.signal()
          goOn.wait()
          try Self.insert("in it", writer)
          // A context that takes no part makes requests of its own.
          if isShared { log.note("beside: \(try Self.count(reader))") }
          try Self.insert("in it too", writer)
        }
        log.note("transaction")
      } catch {
        log.note("\(error)")
      }
    }
    begun.wait()
    let own = context()
    let block = Self.thread { [coordinator] in
      try? coordinator.performAndWait { log.note("block \((try? Self.count(own)) ?? -1)") }
    }
    #expect(isWaiting(block) && log.all.isEmpty)
    goOn.signal()
    #expect(hasEnded(transaction) && hasEnded(block))
    #expect(log.all.filter { $0 != "transaction" } == (isShared ? ["beside: 1"] : []) + ["block 3"])
  }

  @Test("STO-034: blocks run in place at any depth, within blocks of contexts, transactions and requests too")
  func nesting() throws {
    let (own, other) = (context(), context())
    try coordinator.performAndWait {
      let nested = try coordinator.performAndWait { try Self.count(own) }
      let inContext = try other.performAndWait { try coordinator.performAndWait { try Self.count(other) } }
      #expect(nested == 1 && inContext == 1)
    }
    try own.performAndWait {
      try coordinator.transaction(with: own) { _ in
        try own.insert("Employee", ["name": "Bob"])
        try own.save()
        let count = try coordinator.performAndWait {
          try own.count(for: FetchRequest(entityName: "Employee"))
        }
        #expect(count == 2)
      }
      var names: [String] = []
      try own.enumerateFields(FetchRequest(entityName: "Employee"), keyPaths: ["name"]) { _ in
        try coordinator.performAndWait {
          names.append("\(try own.count(for: FetchRequest(entityName: "Employee")))")
        }
      }
      #expect(names == ["2", "2"])
    }
  }

  @Test("STO-034: a block's result and error come back, and either way the next request goes on")
  func outcomes() throws {
    let own = context()
    #expect(try coordinator.performAndWait { 7 } == 7)
    #expect(throws: Failure.self) { try coordinator.performAndWait { throw Failure() } }
    #expect(try Self.count(own) == 1)
  }

  @Test("STO-034: blocks take turns, also those of many threads that nest contexts within them")
  func turns() throws {
    let failures = Log()
    let running = Atomic<Int>(0)
    let coordinator = stack.coordinator
    let contexts = (0..<4).map { _ in context() }
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for _ in 0..<10 {
        do {
          try coordinator.performAndWait {
            if running.add(1, ordering: .sequentiallyConsistent).newValue != 1 { failures.note("beside") }
            let before = try Self.count(contexts[number])
            try Self.insert("\(number)", contexts[number])
            if try Self.count(contexts[number]) != before + 1 { failures.note("between") }
            running.subtract(1, ordering: .sequentiallyConsistent)
          }
          _ = try Self.count(contexts[number])
        } catch {
          failures.note("\(error)")
        }
      }
    }
    #expect(failures.all.isEmpty)
    #expect(try Self.count(contexts[0]) == 41)
  }

  @Test(
    "STO-034, CTX-322: a task gets the block's result; its cancellation is seen by the block and does not skip it"
  )
  func tasks() async throws {
    let (own, coordinator) = (context(), stack.coordinator)
    let found = try await coordinator.perform { try Self.count(own) }
    #expect(found == 1)
    await #expect(throws: Failure.self) { try await coordinator.perform { throw Failure() } }
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      try await coordinator.perform {
        gate.wait()
        return Task.isCancelled
      }
    }
    task.cancel()
    gate.signal()
    #expect(try await task.value)
  }
}

/// What blocks of a coordinator do with its stores, and what they wait for in vain.
@Suite("Blocks of a coordinator and its stores")
struct CoordinatorBlockStoreTests {
  private let folder: LayoutFolder
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    folder = try LayoutFolder()
    coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
  }

  private func addStores(timeout: Duration) throws {
    for name in ["a", "b"] {
      try coordinator.addStore(at: folder.file(name), options: StoreOptions(timeout: timeout))
    }
  }

  private static func count(_ context: ManagedObjectContext) throws -> Int {
    try context.performAndWait { try context.count(for: FetchRequest(entityName: "Employee")) }
  }

  private static func isWaiting(_ body: @escaping @Sendable () -> Void) -> (Bool, DispatchSemaphore) {
    let end = DispatchSemaphore(value: 0)
    Thread {
      body()
      end.signal()
    }.start()
    return (end.wait(timeout: .now() + .milliseconds(50)) == .timedOut, end)
  }

  @Test(
    "STO-034: who waits for a block, and a block that waits for a transaction, throw store-timeout in the end"
  )
  func timeouts() throws {
    try addStores(timeout: .milliseconds(200))
    defer { coordinator.close() }
    let log = Log()
    let other = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let coordinator = coordinator
    @Sendable func note(_ body: () throws -> Void) { log.note(code(body)?.rawValue ?? "") }
    try coordinator.performAndWait {
      let request = Self.isWaiting { note { _ = try Self.count(other) } }
      let block = Self.isWaiting { note { try coordinator.performAndWait {} } }
      #expect(request.0 && block.0)
      request.1.wait()
      block.1.wait()
    }
    #expect(log.all == ["store-timeout", "store-timeout"])
    #expect(try Self.count(other) == 0)
    let transaction = try coordinator.beginTransaction()
    #expect(code { try coordinator.performAndWait { _ = Issue.record("It has run.") } } == .storeTimeout)
    try transaction.rollback()
    #expect(try coordinator.performAndWait { try Self.count(other) } == 0)
  }

  @Test(
    "STO-034, CTX-322: stores are changed in a block: a new one is the block's too, and others' changes wait")
  func stores() throws {
    let coordinator = coordinator
    try addStores(timeout: .seconds(20))
    defer { coordinator.close() }
    let own = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let other = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let (third, fourth) = (folder.file("c"), folder.file("d"))
    let options = StoreOptions(timeout: .seconds(20))
    let ends = try coordinator.performAndWait {
      let added = try coordinator.addStore(at: third, options: options)
      try coordinator.remove(coordinator.persistentStores[0])
      try coordinator.remove(coordinator.persistentStores[0])
      try own.performAndWait {
        let object = try own.insert("Employee", ["name": "Ada"])
        try own.assign(object, to: added)
        try own.save()
      }
      let reader = Self.isWaiting { _ = try? Self.count(other) }
      let adder = Self.isWaiting {
        #expect(throws: Never.self) { try coordinator.addStore(at: fourth, options: options) }
      }
      let remover = Self.isWaiting { #expect(throws: Never.self) { try coordinator.remove(added) } }
      #expect(reader.0 && adder.0 && remover.0)
      #expect(coordinator.persistentStores == [added])
      #expect(try Self.count(own) == 1)
      return [reader.1, adder.1, remover.1]
    }
    for end in ends { #expect(end.wait(timeout: .now() + .seconds(20)) == .success) }
    #expect(coordinator.persistentStores.map(\.path) == [fourth])
  }

  @Test("STO-034: a fetch of several stores that is in progress goes on in all of them before a block begins")
  func severalStores() throws {
    let coordinator = coordinator
    try addStores(timeout: .seconds(60))
    defer { coordinator.close() }
    let failures = Log()
    let contexts = (0..<3).map { _ in
      ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    }
    DispatchQueue.concurrentPerform(iterations: 3) { number in
      let context = contexts[number]
      for _ in 0..<30 {
        do {
          if number == 0 {
            try coordinator.performAndWait { _ = try Self.count(context) }
          } else {
            try context.performAndWait {
              for store in coordinator.persistentStores {
                try context.assign(try context.insert("Employee", ["name": "x"]), to: store)
              }
              try context.save()
              _ = try context.all("Employee", sort: ["name"])
            }
          }
        } catch {
          failures.note("\(error)")
        }
      }
    }
    #expect(failures.all.isEmpty)
    #expect(try Self.count(contexts[0]) == 120)
  }
}
