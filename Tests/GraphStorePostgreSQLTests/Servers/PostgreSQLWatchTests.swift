#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import Synchronization
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("What others commit to a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLWatchTests {
  private let stores = TestStores()

  private func coordinator(_ change: (inout StoreOptions) -> Void = { _ in }) throws
    -> PersistentStoreCoordinator
  {
    var options = TestStores.options
    change(&options)
    return try stores.coordinator(FamilyModel.model, options: options)
  }

  /// Saves a tag by a coordinator of its own, as another process does.
  private func insert(_ name: String, by coordinator: PersistentStoreCoordinator? = nil) throws {
    let context = ManagedObjectContext(coordinator: try coordinator ?? self.coordinator())
    try context.insert(entityNamed: "Tag").setValue(name, forKey: "name")
    try context.save()
  }

  /// Waits for a condition, as long as something may take that has to be quick.
  private func expectSoon(
    _ condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) rethrows {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      if try condition() { return }
      Thread.sleep(forTimeInterval: 0.005)
    }
    Issue.record("it did not happen", sourceLocation: sourceLocation)
  }

  private final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .sequentiallyConsistent) }
    func rise() { number.add(1, ordering: .sequentiallyConsistent) }
  }

  @Test("CTX-407, CTX-408, CTX-409, STO-211: a commit of anybody is announced, with store, address and token")
  func announced() throws {
    let watching = try coordinator { ($0.historyTracking, $0.remoteChangeNotifications) = (true, true) }
    defer { watching.close() }
    let last = Mutex<RemoteStoreChange?>(nil)
    let count = Count()
    let observer = NotificationCenter.default.addObserver(
      forName: PersistentStoreCoordinator.remoteChangeNotification, object: watching, queue: nil
    ) { notification in
      last.withLock { $0 = RemoteStoreChange(notification) }
      count.rise()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try insert("a")
    expectSoon { count.value > 0 }
    let announced = last.withLock { $0 }
    let change = try #require(announced)
    #expect(change.storeIdentifier.uuidString == watching.storeIdentifier)
    #expect(change.url == watching.persistentStores[0].url)
    let token = try watching.currentPersistentHistoryToken()
    #expect(change.historyToken == token)
    let before = count.value
    try insert("b", by: watching)
    expectSoon { count.value > before }
  }

  @Test(
    "CTX-411, STO-422: where nobody waits for commits nobody is told of them, and nothing is asked while one waits"
  )
  func silent() throws {
    let writer = try coordinator()
    let statements = Mutex<[String]>([])
    let writing = try writer.postgreSQLStore
    writing.pool.onStatement = { sql in statements.withLock { $0.append(sql) } }
    try insert("a", by: writer)
    func told() -> Int { statements.withLock { $0.count { $0.hasPrefix("NOTIFY") } } }
    #expect(told() == 0)
    let count = Count()
    let watch = try PostgreSQLStoreWatch(try coordinator().postgreSQLStore) { count.rise() }
    #expect(watch.isListening)
    try insert("b", by: writer)
    expectSoon { count.value == 1 }
    #expect(told() == 1)
    watch.end()
    try expectSoon {
      try insert("c", by: writer)
      let before = told()
      try insert("d", by: writer)
      return told() == before
    }
    #expect(count.value == 1)
  }

  @Test(
    "CTX-409, STO-422: where nothing is told, as behind a pooler of transactions, it looks",
    arguments: [true, false])
  func looking(_ isTracked: Bool) throws {
    let writer = try coordinator { if isTracked { $0.historyTracking = true } }
    let count = Count()
    let watch = try PostgreSQLStoreWatch(try writer.postgreSQLStore, mayListen: false) { count.rise() }
    defer { watch.end() }
    #expect(!watch.isListening)
    try insert("a", by: writer)
    expectSoon { count.value > 0 }
  }

  @Test(
    "CTX-409, STO-422: a watch whose connection is lost gets another one, and tells of what may have been missed"
  )
  func lost() throws {
    let writer = try coordinator()
    let store = try writer.postgreSQLStore
    let count = Count()
    let watch = try PostgreSQLStoreWatch(store) { count.rise() }
    defer { watch.end() }
    try stores.run(
      "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
        + "AND application_name = '\(store.address.schema)'")
    expectSoon { count.value > 0 }
    let before = count.value
    try insert("a", by: writer)
    expectSoon { count.value > before }
    #expect(watch.isListening)
  }

  private struct Held: @unchecked Sendable {
    let objects: [ManagedObject]
  }

  @Test(
    "CTX-497, STO-211: a context merges what others commit, of a store with a history and of one without",
    arguments: [true, false])
  func merging(_ isTracked: Bool) throws {
    let writer = try coordinator { if isTracked { $0.historyTracking = true } }
    for name in ["a", "b"] { try insert(name, by: writer) }
    let following = ManagedObjectContext(coordinator: try coordinator(), concurrencyType: .privateQueue)
    defer { following.coordinator.close() }
    following.automaticallyMergesRemoteChanges = true
    let held = try following.performAndWait {
      var request = FetchRequest<ManagedObject>(entityName: "Tag")
      request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
      let objects = try following.fetch(request)
      let names = try objects.map { try $0.value(forKey: "name") as? String }
      #expect(names == ["a", "b"])
      return Held(objects: objects)
    }
    let other = ManagedObjectContext(coordinator: writer)
    let tags = try other.fetch(FetchRequest<ManagedObject>(entityName: "Tag"))
    for tag in tags {
      if try tag.value(forKey: "name") as? String == "a" {
        try tag.setValue("changed", forKey: "name")
      } else {
        try other.delete(tag)
      }
    }
    try other.save()
    try expectSoon {
      try following.performAndWait {
        let isDeleted = held.objects[1].isDeleted || held.objects[1].managedObjectContext == nil
        return try held.objects[0].value(forKey: "name") as? String == "changed" && isDeleted
      }
    }
    // Of what it writes itself nothing is merged.
    try following.performAndWait {
      try held.objects[0].setValue("own", forKey: "name")
      try following.save()
      try held.objects[0].setValue("unsaved", forKey: "name")
    }
    try insert("c", by: writer)
    try expectSoon {
      try following.performAndWait {
        try following.count(for: FetchRequest<ManagedObject>(entityName: "Tag")) == 2
      }
    }
    let name = try following.performAndWait { try held.objects[0].value(forKey: "name") as? String }
    #expect(name == "unsaved")
  }
}

@Suite("States of a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLGenerationTests {
  private let stores = TestStores()

  private func context(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> ManagedObjectContext {
    var options = TestStores.options
    change(&options)
    return ManagedObjectContext(coordinator: try stores.coordinator(FamilyModel.model, options: options))
  }

  private func insert(_ name: String, in context: ManagedObjectContext) throws {
    try context.insert(entityNamed: "Tag").setValue(name, forKey: "name")
    try context.save()
  }

  private func count(_ context: ManagedObjectContext) throws -> Int {
    try context.count(for: FetchRequest<ManagedObject>(entityName: "Tag"))
  }

  @Test("CTX-337, CTX-338, CTX-340, CTX-342, CTX-346, CTX-354: a pinned context sees the store as it was")
  func pinned() throws {
    let writer = try context()
    try insert("a", in: writer)
    let reader = try context()
    try reader.setQueryGenerationFrom(.current)
    _ = try count(reader)
    // Nobody waits for a state that is kept.
    try writer.coordinator.enableHistoryTracking(of: writer.coordinator.persistentStores[0])
    let tag = try #require(try reader.fetch(FetchRequest<ManagedObject>(entityName: "Tag")).first)
    #expect(reader.queryGenerationToken != nil && reader.queryGenerationToken != .current)
    try writer.fetch(FetchRequest<ManagedObject>(entityName: "Tag")).first?.setValue("b", forKey: "name")
    try writer.save()
    try insert("c", in: writer)
    try reader.refresh(tag, mergeChanges: false)
    #expect(try tag.value(forKey: "name") as? String == "a")
    #expect(try count(reader) == 1)
    let sibling = ManagedObjectContext(coordinator: reader.coordinator)
    try sibling.setQueryGenerationFrom(reader.queryGenerationToken)
    #expect(try count(sibling) == 1)
    try reader.setQueryGenerationFrom(nil)
    #expect(try count(reader) == 2)
    try sibling.setQueryGenerationFrom(nil)
    #expect(try reader.coordinator.postgreSQLStore.pool.pinnedCount == 0)
  }

  @Test(
    "CTX-345, STO-423: contexts that are pinned while nothing is committed share a state",
    arguments: [true, false])
  func shared(_ isTracked: Bool) throws {
    let writer = try context { if isTracked { $0.historyTracking = true } }
    try insert("a", in: writer)
    let coordinator = try context().coordinator
    let contexts = (0..<3).map { _ in ManagedObjectContext(coordinator: coordinator) }
    for context in contexts {
      try context.setQueryGenerationFrom(.current)
      _ = try count(context)
    }
    // Where no history is kept, a transaction of anybody's may have come between.
    let pinned = try coordinator.postgreSQLStore.pool.pinnedCount
    #expect(isTracked ? pinned == 1 : (1...3).contains(pinned))
    try insert("b", in: writer)
    try contexts[0].setQueryGenerationFrom(.current)
    #expect(try count(contexts[0]) == 2)
    #expect(try count(contexts[1]) == 1)
  }

  @Test(
    "CTX-343, STO-423: there are as many states as the option allows, and one whose connection is lost is no more"
  )
  func unavailable() throws {
    let writer = try context()
    try insert("a", in: writer)
    let first = try context { $0.queryGenerationMaxCount = 1 }
    try first.setQueryGenerationFrom(.current)
    #expect(try count(first) == 1)
    try insert("b", in: writer)
    let second = ManagedObjectContext(coordinator: first.coordinator)
    try second.setQueryGenerationFrom(.current)
    #expect(code { try count(second) } == .queryGenerationUnavailable)
    let store = try first.coordinator.postgreSQLStore
    try stores.run(
      "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
        + "AND application_name = '\(store.address.schema)'")
    #expect(code { try count(first) } != nil)
    #expect(code { try count(first) } == .queryGenerationUnavailable)
    try first.setQueryGenerationFrom(.current)
    #expect(try count(first) == 2)
  }
}
#endif
