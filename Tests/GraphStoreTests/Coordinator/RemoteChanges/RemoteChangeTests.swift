import Foundation
import GraphStoreModel
import Synchronization
import Testing

@testable import GraphStore

/// What is told, and merged, of commits by others.
@Suite("Remote changes")
struct RemoteChangeTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.company(), factory: .sqlite) }

  private func open(_ change: (inout StoreOptions) -> Void) throws -> PersistentStoreCoordinator {
    var options = StoreOptions()
    change(&options)
    return try PersistentStoreCoordinator.open(storeAt: stack.path, options: options)
  }

  /// Announcements, as they come.
  private final class Received: Sendable {
    let changes = Mutex<[RemoteStoreChange]>([])
    var count: Int { changes.withLock(\.count) }
  }

  private func observe(_ coordinator: PersistentStoreCoordinator) -> (Received, any NSObjectProtocol) {
    let received = Received()
    let token = NotificationCenter.default.addObserver(
      forName: PersistentStoreCoordinator.remoteChangeNotification, object: coordinator, queue: nil
    ) { notification in
      if let change = RemoteStoreChange(notification) { received.changes.withLock { $0.append(change) } }
    }
    return (received, token)
  }

  @Test(
    "CTX-407, CTX-408, CTX-075, CTX-409, CTX-410, STO-211: a commit of anybody is announced, with store, location and token"
  )
  func announced() throws {
    let coordinator = try open { ($0.historyTracking, $0.remoteChangeNotifications) = (true, true) }
    defer { coordinator.close() }
    let (received, token) = observe(coordinator)
    defer { NotificationCenter.default.removeObserver(token) }
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    expectSoon { received.count > 0 }
    let last = received.changes.withLock { $0.last }
    let change = try #require(last)
    #expect(change.storeIdentifier.uuidString == coordinator.storeIdentifier)
    #expect(change.url == coordinator.persistentStores[0].url)
    #expect(try change.historyToken == coordinator.currentPersistentHistoryToken())
    let own = ManagedObjectContext(coordinator: coordinator)
    let before = received.count
    try own.insert("Employee", ["name": "Bob"])
    try own.save()
    expectSoon { received.count > before }
  }

  @Test("CTX-411, CTX-412: without the option nothing is announced, and nothing is watched")
  func silent() throws {
    let coordinator = try open { $0.remoteChangeNotifications = false }
    defer { coordinator.close() }
    let (received, token) = observe(coordinator)
    defer { NotificationCenter.default.removeObserver(token) }
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    Thread.sleep(forTimeInterval: 0.2)
    #expect(received.count == 0)
    #expect(throws: GraphStoreError.self) {
      try StoreOptions(["remoteChangeNotifications": .bool(true)], type: .inMemory)
    }
  }

  @Test("CTX-407: a store that was moved is watched where it is now")
  func moved() throws {
    let coordinator = try open { $0.remoteChangeNotifications = true }
    defer { coordinator.close() }
    let (received, token) = observe(coordinator)
    defer { NotificationCenter.default.removeObserver(token) }
    let path = stack.folder.appending(path: "moved.db")
    stack.coordinator.close()
    try coordinator.performAndWait {
      for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: stack.path + ending) {
        try FileManager.default.moveItem(atPath: stack.path + ending, toPath: path.path + ending)
      }
      try coordinator.setURL(path, for: coordinator.persistentStores[0])
    }
    let other = try PersistentStoreCoordinator.open(storeAt: path.path)
    defer { other.close() }
    let context = ManagedObjectContext(coordinator: other)
    try context.insert("Employee", ["name": "Ada"])
    try context.save()
    expectSoon { received.changes.withLock { $0.last?.url.lastPathComponent } == "moved.db" }
  }

  @Test("CTX-410: a sequence of announcements ends no sooner than its reader")
  func sequence() async throws {
    let coordinator = try open { $0.remoteChangeNotifications = true }
    let changes = coordinator.remoteChanges
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    var iterator = changes.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.url == coordinator.persistentStores[0].url && first?.historyToken == nil)
    coordinator.close()
  }

  @Test("CTX-497, CTX-425: a context that merges what others write has it, and keeps unsaved changes")
  func merging() throws {
    let theirs = try stack.context.insert("Employee", ["name": "Ada", "salary": 1])
    let gone = try stack.context.insert("Employee", ["name": "Bob"])
    try stack.context.save()
    let coordinator = try open { $0.historyTracking = true }
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let (mine, lost) = try context.performAndWait {
      let all = try context.all("Employee", sort: ["name"])
      try all[0].setValue("mine", forKey: "name")
      #expect(try all[1].string("name") == "Bob")
      return (SendableObject(all[0]), SendableObject(all[1]))
    }
    context.automaticallyMergesRemoteChanges = true
    #expect(context.automaticallyMergesRemoteChanges)
    try theirs.setValue(7, forKey: "salary")
    try stack.context.delete(gone)
    try stack.context.save()
    try expectSoon {
      try context.performAndWait {
        try mine.object.value(forKey: "salary") as? Int64 == 7 && lost.object.isDeleted
      }
    }
    try context.performAndWait {
      #expect(try mine.object.string("name") == "mine" && mine.object.changedKeys == ["name"])
      try context.save()
    }
    context.automaticallyMergesRemoteChanges = false
    #expect(!ManagedObjectContext(childOf: context).automaticallyMergesRemoteChanges)
  }

  @Test(
    "CTX-497, CTX-425: a store without history is taken in as a whole, with deletions",
    arguments: [false, true])
  func withoutHistory(isPinned: Bool) throws {
    let theirs = try stack.context.insert("Employee", ["name": "Ada", "salary": 1])
    let gone = try stack.context.insert("Employee", ["name": "Bob"])
    try stack.context.insert("Department", ["name": "D", "employees": Set([theirs, gone])])
    try stack.context.save()
    let coordinator = try open { _ in }
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let (mine, lost, place) = try context.performAndWait {
      if isPinned { try context.setQueryGenerationFrom(.current) }
      let objects = try context.all("Employee", sort: ["name"])
      let department = try context.all("Department")[0]
      #expect(try objects[0].string("name") == "Ada" && department.names("employees") == ["Ada", "Bob"])
      try department.setValue("mine", forKey: "name")
      return (SendableObject(objects[0]), SendableObject(objects[1]), SendableObject(department))
    }
    context.automaticallyMergesRemoteChanges = true
    try theirs.setValue("changed", forKey: "name")
    try stack.context.delete(gone)
    try stack.context.save()
    try expectSoon { try context.performAndWait { try mine.object.string("name") == "changed" } }
    try context.performAndWait {
      #expect(lost.object.isDeleted && !context.registeredObjects.contains(lost.object))
      #expect(try place.object.names("employees") == ["changed"] && place.object.string("name") == "mine")
      try context.save()
    }
    #expect(try stack.otherProcess().all("Department")[0].string("name") == "mine")
  }

  @Test("CTX-428, CTX-407: a file that is replaced under a watch is announced, and then read no more")
  func replaced() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    stack.coordinator.close()
    let coordinator = try open { $0.remoteChangeNotifications = true }
    defer { coordinator.close() }
    let (received, token) = observe(coordinator)
    defer { NotificationCenter.default.removeObserver(token) }
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.all("Employee").count == 1)
    let other = stack.folder.appending(path: "other.db").path
    try FileManager.default.copyItem(atPath: stack.path, toPath: other)
    #expect(received.count == 0)
    #expect(rename(other, stack.path) == 0)
    expectSoon { received.count == 1 }
    #expect { try context.all("Employee") } throws: { GraphStoreError.code(.storeReplaced) ~= $0 }
  }

  @Test("CTX-497, CTX-399: what was removed before it was merged is taken in as a whole")
  func expired() throws {
    let theirs = try stack.context.insert("Employee", ["name": "Ada", "salary": 1])
    try stack.context.save()
    let coordinator = try open { $0.historyTracking = true }
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let mine = try context.performAndWait { SendableObject(try context.all("Employee")[0]) }
    let known = try context.performAndWait { try mine.object.string("name") }
    #expect(known == "Ada")
    context.automaticallyMergesRemoteChanges = true
    context.performAndWait {
      // It holds its queue until both have happened.
      try? theirs.setValue("changed", forKey: "name")
      try? stack.context.save()
      _ = try? stack.context.execute(.deleteHistory(before: Date().addingTimeInterval(60)))
    }
    try expectSoon { try context.performAndWait { try mine.object.string("name") == "changed" } }
  }

  @Test("CTX-411: a watch at rest does nothing, and counts no statements of the store")
  func atRest() throws {
    let coordinator = try open { _ in }
    defer { coordinator.close() }
    let store = try #require(coordinator.firstStore)
    let seen = Mutex(0)
    let sqlite = try #require(store as? SQLiteStore)
    let watch = SQLiteStoreWatch(try sqlite.pool.openConnection(), path: stack.path, pauses: [0, 10, 50]) {
      _ in
      seen.withLock { $0 += 1 }
    }
    defer { watch.end() }
    #expect(SQLiteStoreWatch.pausesAfterWrite.reduce(0, +) > 10_000)
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    expectSoon { seen.withLock { $0 } > 0 }
    // The looks after a write come to an end.
    Thread.sleep(forTimeInterval: 0.5)
    let looks = watch.lookCount.load(ordering: .relaxed)
    let statements = coordinator.statementCount
    Thread.sleep(forTimeInterval: 0.5)
    #expect(watch.lookCount.load(ordering: .relaxed) == looks && coordinator.statementCount == statements)
  }

  /// An object that a test hands to the queue of its context.
  private struct SendableObject: @unchecked Sendable {
    let object: ManagedObject

    init(_ object: ManagedObject) { self.object = object }
  }
}
