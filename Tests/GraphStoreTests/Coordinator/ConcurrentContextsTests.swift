import Foundation
import GraphStoreTestSupport
import Synchronization
import Testing

@testable import GraphStore

/// Contexts of several threads over one store, by one coordinator and by several.
struct ConcurrentContextsTests {
  private static let accounts = 12
  private static let total: Int64 = 12 * 100

  private static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Account", attributes: [AttributeDefinition("number", .int64), AttributeDefinition("balance", .int64)]),
    EntityDefinition("Note", attributes: [AttributeDefinition("text", .string)]),
  ])

  /// The sum of all balances, as one fetch of a new context sees it.
  private func sum(_ coordinator: PersistentStoreCoordinator) throws -> Int64 {
    let context = ManagedObjectContext(coordinator: coordinator)
    // Faults that fire later may have values of later saves.
    var request = FetchRequest(entityName: "Account")
    request.returnsObjectsAsFaults = false
    return try context.fetch(request).reduce(0) { try $0 + ($1.value(forKey: "balance") as? Int64 ?? 0) }
  }

  /// Moves money, inserts and deletes notes, and looks at the sum.
  private func work(_ coordinator: PersistentStoreCoordinator, _ random: inout SeededGenerator) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: #expect(try sum(coordinator) == Self.total)
    case 1:
      try context.insert("Note", ["text": "x"])
      try context.save()
    case 2:
      guard let note = try context.all("Note").randomElement(using: &random) else { return }
      try context.delete(note)
      try context.save()
    default:
      let accounts = try context.all("Account")
      let (from, to) = (accounts.randomElement(using: &random)!, accounts.randomElement(using: &random)!)
      guard from !== to, let source = try from.value(forKey: "balance") as? Int64,
        let target = try to.value(forKey: "balance") as? Int64
      else { return }
      try from.setValue(source - 7, forKey: "balance")
      try to.setValue(target + 7, forKey: "balance")
      try context.save()
    }
  }

  @Test(
    "CTX-323, CTX-324, STO-027: no update is lost and no fetch sees half a save, whoever reads and writes beside it",
    arguments: [1, 3])
  func transfers(coordinators: Int) throws {
    let stack = try TestStack(Self.model)
    for number in 0..<Self.accounts {
      try stack.context.insert("Account", ["number": number, "balance": 100])
    }
    try stack.context.save()
    let all = try [stack.coordinator] + (1..<coordinators).map { _ in try .open(storeAt: stack.path) }
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      var random = SeededGenerator(seed: UInt64(thread + 1))
      for _ in 0..<60 {
        do { try work(all[thread % coordinators], &random) } catch let error as GraphStoreError {
          // Somebody else was faster; what was wanted is given up.
          let expected: [GraphStoreError.Code] = [.mergeConflict, .inaccessibleObject, .objectNotFound]
          if !expected.contains(error.code) {
            failures.withLock { $0.append("\(error.code): \(error.message)") }
          }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
    }
    #expect(failures.withLock(\.self) == [])
    for coordinator in all { #expect(try sum(coordinator) == Self.total) }
    for coordinator in all.dropFirst() { coordinator.close() }
    #expect(try StoreCheck.run(path: stack.path).allSatisfy(\.isOK))
  }

  @Test("STO-036: closing a store while others fetch gives results or no-store, nothing else")
  func closing() throws {
    let stack = try TestStack(Self.model)
    for number in 0..<200 { try stack.context.insert("Account", ["number": number, "balance": 1]) }
    try stack.context.save()
    let coordinator = stack.coordinator
    let begun = DispatchSemaphore(value: 0)
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for _ in 0..<3 {
      let thread = Thread {
        let context = ManagedObjectContext(coordinator: coordinator)
        begun.signal()
        while true {
          do {
            let objects = try context.all("Account")
            if objects.count != 200 { failures.withLock { $0.append("\(objects.count) objects") } }
            context.reset()
          } catch {
            if !(GraphStoreError.code(.noStore) ~= error) { failures.withLock { $0.append("\(error)") } }
            break
          }
        }
        group.leave()
      }
      group.enter()
      thread.start()
    }
    for _ in 0..<3 { begun.wait() }
    coordinator.close()
    #expect(group.wait(timeout: .now() + .seconds(60)) == .success)
    #expect(failures.withLock(\.self) == [])
  }
}
