import Foundation
import Testing

@testable import GraphStore

@Suite("Merging by itself", .everyStore)
struct AutomaticMergingTests {
  private let stack: TestStack
  private let here: ManagedObjectContext
  private var there: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    here = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
  }

  private func finish() { stack.coordinator.finishPendingWork() }

  /// The names of the employees that the context knows, with their values read.
  private func names(_ ids: [ManagedObjectID]) throws -> [String?] {
    try here.performAndWait { try ids.map { try here.object(with: $0).string("name") } }
  }

  @Test("CTX-019, CTX-277: it is off at first, also for the context of a container")
  func defaults() throws {
    #expect(!here.automaticallyMergesChangesFromParent)
    let container = PersistentContainer(name: "x", model: try ManagedObjectModel(TestModels.company()))
    #expect(!container.viewContext.automaticallyMergesChangesFromParent)
    #expect(!container.newBackgroundContext().automaticallyMergesChangesFromParent)
    #expect(!stack.coordinator.saveRelay.hasListeners())
  }

  @Test("CTX-276, CTX-277, CTX-270: saves of siblings are merged while it is on, after they have returned")
  func following() throws {
    let ada = try there.insert("Employee", ["name": "0"])
    try there.save()
    let id = ada.objectID
    // Held, so that values stay.
    nonisolated(unsafe) var held: ManagedObject?
    try here.performAndWait { held = try here.existingObject(with: id) }
    func read() throws -> String? { try here.performAndWait { try held?.string("name") } }
    func set(_ name: String) throws {
      try ada.setValue(name, forKey: "name")
      try there.save()
      finish()
    }
    try set("1")
    #expect(try read() == "0")
    here.automaticallyMergesChangesFromParent = true
    #expect(try read() == "0")
    try here.performAndWait {
      try ada.setValue("2", forKey: "name")
      try there.save()
      // The merge waits for the queue.
      #expect(try held?.string("name") == "0")
    }
    finish()
    #expect(try read() == "2")
    here.automaticallyMergesChangesFromParent = false
    try set("3")
    #expect(try read() == "2")
    #expect(!stack.coordinator.saveRelay.hasListeners())
    here.performAndWait { held = nil }
  }

  @Test(
    "CTX-276: its own saves and those of other coordinators are not merged, and nothing is made for nobody")
  func others() throws {
    here.automaticallyMergesChangesFromParent = true
    let merges = RecordedMerges(here)
    try here.performAndWait {
      try here.insert("Employee", ["name": "own"])
      #expect(stack.coordinator.saveRelay.reservePlace(for: here) == nil)
      try here.save()
    }
    finish()
    #expect(merges.all.isEmpty)
    let other = try stack.otherProcess()
    try other.insert("Employee", ["name": "x"])
    try other.save()
    finish()
    #expect(merges.all.isEmpty)
    try there.insert("Employee", ["name": "y"])
    try there.save()
    finish()
    #expect(merges.all.count == 1)
    merges.end()
  }

  @Test("CTX-276: unsaved changes stay, and errors of a merge are thrown by the next save")
  func pending() throws {
    let ada = try there.insert("Employee", ["name": "a", "salary": 1])
    try there.save()
    let id = ada.objectID
    here.automaticallyMergesChangesFromParent = true
    try here.performAndWait { try here.existingObject(with: id).setValue(9, forKey: "salary") }
    try ada.setValue("b", forKey: "name")
    try there.save()
    finish()
    try here.performAndWait {
      let mine = try here.existingObject(with: id)
      #expect(try mine.string("name") == "b" && mine.value(forKey: "salary") as? Int64 == 9)
      try here.save()
    }
  }

  @Test("CTX-276, CTX-077: of a transaction the saves are merged when it is committed, in their order")
  func transactions() throws {
    here.automaticallyMergesChangesFromParent = true
    let merges = RecordedMerges(here)
    let second = stack.newContext()
    struct Stop: Error {}
    try? stack.coordinator.transaction(with: there, second) { _ in
      try there.insert("Employee", ["name": "taken back"])
      try there.save()
      throw Stop()
    }
    finish()
    #expect(merges.all.isEmpty)
    var ids: [ManagedObjectID] = []
    try stack.coordinator.transaction(with: there, second) { transaction in
      let ada = try there.insert("Employee", ["name": "a"])
      try there.save()
      ids.append(ada.objectID)
      try? transaction.savepoint {
        try second.insert("Employee", ["name": "s"])
        try second.save()
        throw Stop()
      }
      let bob = try there.insert("Employee", ["name": "b"])
      try there.save()
      ids.append(bob.objectID)
      try second.delete(try second.existingObject(with: ids[0]))
      try second.save()
      #expect(merges.all.isEmpty)
    }
    finish()
    // The first was inserted and deleted: nobody holds it when its deletion is merged.
    #expect(merges.inserted == ids && merges.deleted.isEmpty)
    #expect(here.performAndWait { here.registeredCount } == 0)
    merges.end()
  }

  @Test("CTX-276: a report waits for those of earlier saves, and for none that was given up")
  func order() throws {
    here.automaticallyMergesChangesFromParent = true
    let relay = stack.coordinator.saveRelay
    let merges = RecordedMerges(here)
    func changes() throws -> SavedChanges {
      try there.insert("Employee", [:])
      return try there.saveTakingChanges()
    }
    here.automaticallyMergesChangesFromParent = false
    let saves = try (0..<3).map { _ in try changes() }
    here.automaticallyMergesChangesFromParent = true
    let first = relay.reservePlace(for: there)
    var dropped = relay.reservePlace(for: there)
    let last = relay.reservePlace(for: there)
    relay.post([saves[2]], at: try #require(last))
    finish()
    #expect(merges.all.isEmpty)
    relay.post([saves[0]], at: try #require(first))
    finish()
    #expect(merges.inserted == Array(saves[0].inserted))
    #expect(dropped != nil)
    dropped = nil
    finish()
    #expect(merges.inserted == Array(saves[0].inserted) + Array(saves[2].inserted))
    merges.end()
  }

  @Test("CTX-276: a context that is released is not passed anything")
  func released() throws {
    var short: ManagedObjectContext? = ManagedObjectContext(
      coordinator: stack.coordinator, concurrencyType: .privateQueue)
    short?.automaticallyMergesChangesFromParent = true
    #expect(stack.coordinator.saveRelay.hasListeners())
    short = nil
    #expect(!stack.coordinator.saveRelay.hasListeners())
    try there.insert("Employee", [:])
    try there.save()
  }

  @Test("CTX-276: saves by several threads all arrive, and leave the context with what is stored")
  func threads() async throws {
    here.automaticallyMergesChangesFromParent = true
    let ids = try await here.perform { [here] in
      let objects = try (0..<4).map { try here.insert("Employee", ["name": "\($0)", "salary": 0]) }
      try here.save()
      here.retainsRegisteredObjects = true
      return objects.map(\.objectID)
    }
    let coordinator = stack.coordinator
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in ids {
        group.addTask {
          let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
          for round in 1...25 {
            try await context.perform {
              try context.existingObject(with: id).setValue(round, forKey: "salary")
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    finish()
    let values = try here.performAndWait {
      try here.checkInvariants()
      return try ids.map { try here.existingObject(with: $0).value(forKey: "salary") as? Int64 }
    }
    #expect(values == [25, 25, 25, 25])
  }
}
