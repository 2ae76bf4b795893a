import Foundation
import GraphStoreModel
import Synchronization
import Testing

@testable import GraphStore

/// What a context that merges the commits of others makes of histories that do not tell it all.
@Suite("Following histories")
struct FollowedHistoryTests {
  private let tracked: TrackedStore
  private let coordinator: PersistentStoreCoordinator
  private let context: ManagedObjectContext

  init() throws {
    tracked = try TrackedStore(TestModels.company())
    coordinator = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
    context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
  }

  private struct Held: @unchecked Sendable {
    let objects: [ManagedObject]
  }

  /// The employees that the context holds, by name, with their values.
  private func hold() throws -> Held {
    try context.performAndWait {
      let objects = try context.all("Employee", sort: ["name"])
      for object in objects { _ = try object.string("name") }
      return Held(objects: objects)
    }
  }

  @Test("CTX-405, CTX-497: a record that was deleted and brought back under its key is there after a merge")
  func broughtBack() throws {
    defer { coordinator.close() }
    try tracked.context.setUndoManager(GraphUndoManager())
    let ada = try tracked.context.insert("Employee", ["name": "Ada"])
    try tracked.context.save()
    let token = try tracked.coordinator.currentPersistentHistoryToken()
    let held = try hold()
    try tracked.context.delete(ada)
    try tracked.context.save()
    try tracked.context.undo()
    try ada.setValue("back", forKey: "name")
    try tracked.context.save()
    let transactions = try tracked.history(after: token)
    #expect(transactions.flatMap { ($0.changes ?? []).map { "\($0.changeType)" } } == ["delete", "insert"])
    #expect(SavedChanges(transactions, in: transactions[0].header.scope).updated.count == 1)
    try context.performAndWait {
      try context.mergeChanges(fromHistory: transactions)
      #expect(try !held.objects[0].isDeleted && held.objects[0].string("name") == "back")
    }
    // One that nobody had seen before is new, and one that went for good is deleted.
    try tracked.context.delete(ada)
    try tracked.context.save()
    let all = try tracked.history()
    let changes = SavedChanges(all, in: all[0].header.scope)
    #expect(changes.inserted.isEmpty && changes.updated.isEmpty)
  }

  @Test("CTX-497: a record that others have deleted, and this coordinator has written again, stays")
  func writtenAgain() throws {
    defer { coordinator.close() }
    let ada = try tracked.context.insert("Employee", ["name": "Ada"])
    try tracked.context.insert("Employee", ["name": "Bob"])
    try tracked.context.save()
    let held = try hold()
    context.automaticallyMergesRemoteChanges = true
    let bob = try tracked.context.all("Employee", "name == 'Bob'")[0]
    try context.performAndWait {
      // It has its queue to itself until it has saved.
      try tracked.context.delete(ada)
      try tracked.context.save()
      context.mergePolicy = .overwrite
      try held.objects[0].setValue("kept", forKey: "name")
      try context.save()
      try bob.setValue("changed", forKey: "name")
      try tracked.context.save()
    }
    try expectSoon { try context.performAndWait { try held.objects[1].string("name") == "changed" } }
    let (isDeleted, name) = try context.performAndWait {
      (held.objects[0].isDeleted, try held.objects[0].string("name"))
    }
    #expect(!isDeleted && name == "kept")
  }

  @Test("CTX-497: where the history of one store has expired, nothing of another store is missed")
  func twoStores() throws {
    let second = tracked.stack.folder.appending(path: "second.db").path
    let both = PersistentStoreCoordinator(model: tracked.coordinator.managedObjectModel)
    defer { both.close() }
    var options = StoreOptions()
    options.historyTracking = true
    let other = try PersistentStoreCoordinator.create(
      storeAt: second, model: tracked.coordinator.managedObjectModel, options: options)
    defer { other.close() }
    let there = ManagedObjectContext(coordinator: other)
    let (first, last) = (
      try tracked.context.insert("Employee", ["name": "a"]), try there.insert("Employee", ["name": "b"])
    )
    try tracked.context.save()
    try there.save()
    _ = try both.addStore(at: tracked.stack.path)
    _ = try both.addStore(at: second)
    let follower = ManagedObjectContext(coordinator: both, concurrencyType: .privateQueue)
    let held = try follower.performAndWait {
      let objects = try follower.all("Employee", sort: ["name"])
      #expect(try objects.map { try $0.string("name") } == ["a", "b"])
      return Held(objects: objects)
    }
    follower.automaticallyMergesRemoteChanges = true
    try follower.performAndWait {
      // It holds its queue until all of it has happened.
      try first.setValue("a2", forKey: "name")
      try tracked.context.save()
      _ = try tracked.context.execute(.deleteHistory(before: Date().addingTimeInterval(60)))
      try last.setValue("b2", forKey: "name")
      try there.save()
    }
    try expectSoon {
      try follower.performAndWait { try held.objects.map { try $0.string("name") } == ["a2", "b2"] }
    }
  }

  @Test("CTX-497: what was committed before another process began a history is merged too")
  func begunLater() throws {
    let stack = try TestStack(TestModels.company(), factory: .sqlite)
    let ada = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let coordinator = try PersistentStoreCoordinator.open(storeAt: stack.path)
    defer { coordinator.close() }
    let follower = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let held = try follower.performAndWait {
      let objects = try follower.all("Employee")
      #expect(try objects[0].string("name") == "Ada")
      return Held(objects: objects)
    }
    follower.automaticallyMergesRemoteChanges = true
    // Its first look has found that there is no history.
    follower.performAndWait {}
    try follower.performAndWait {
      try ada.setValue("changed", forKey: "name")
      try stack.context.save()
      try stack.coordinator.enableHistoryTracking(of: stack.coordinator.persistentStores[0])
    }
    try expectSoon { try follower.performAndWait { try held.objects[0].string("name") == "changed" } }
    // From there on the history tells.
    try ada.setValue("again", forKey: "name")
    try stack.context.save()
    try expectSoon { try follower.performAndWait { try held.objects[0].string("name") == "again" } }
  }

  @Test(
    "CTX-497: what contexts of the same coordinator save is merged by nobody who merges the commits of others"
  )
  func ownSaves() throws {
    defer { coordinator.close() }
    let merges = RecordedMerges(context)
    defer { merges.end() }
    context.automaticallyMergesRemoteChanges = true
    let writer = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<150 {
      try writer.insert("Employee", ["name": "\(number)"])
      try writer.save()
    }
    // A commit by another coordinator comes after all of them.
    try tracked.context.insert("Department", ["name": "last"])
    try tracked.context.save()
    expectSoon { !merges.all.isEmpty }
    #expect(merges.all.count == 1 && merges.inserted.map(\.entity.name) == ["Department"])
  }

  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  @Test("CTX-318, CTX-497: it is begun and ended on any thread, while others commit")
  func toggling() async throws {
    defer { coordinator.close() }
    let end = End()
    let (context, path) = (context, tracked.stack.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          while !end.isReached.load(ordering: .relaxed) {
            context.automaticallyMergesRemoteChanges.toggle()
            await Task.yield()
          }
        }
      }
      group.addTask {
        defer { end.isReached.store(true, ordering: .relaxed) }
        let other = try PersistentStoreCoordinator.open(storeAt: path)
        defer { other.close() }
        let writer = ManagedObjectContext(coordinator: other, concurrencyType: .privateQueue)
        for number in 0..<100 {
          try await writer.perform {
            try writer.insert("Employee", ["name": "\(number)"])
            try writer.save()
          }
        }
      }
      try await group.waitForAll()
    }
    context.automaticallyMergesRemoteChanges = false
    #expect(!coordinator.watches.hasFollowers)
  }

  @Test("CTX-428, CTX-407: a folder that is moved away under a watch at rest is noticed")
  func movedFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "graphstore-\(UUID().uuidString)")
    let moved = folder.path + "-moved"
    defer { for path in [folder.path, moved] { try? FileManager.default.removeItem(atPath: path) } }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "s.db").path
    let coordinator = try PersistentStoreCoordinator.create(
      storeAt: path, model: tracked.coordinator.managedObjectModel)
    defer { coordinator.close() }
    let store = try #require(coordinator.firstStore as? SQLiteStore)
    let replacements = Atomic(0)
    let watch = SQLiteStoreWatch(try store.pool.openConnection(), path: path, pauses: [0]) { change in
      if case .replacement = change { replacements.add(1, ordering: .relaxed) }
    }
    defer { watch.end() }
    expectSoon { watch.lookCount.load(ordering: .relaxed) > 1 }
    Thread.sleep(forTimeInterval: 0.1)
    try FileManager.default.moveItem(atPath: folder.path, toPath: moved)
    expectSoon { replacements.load(ordering: .relaxed) == 1 }
  }
}
