import Foundation
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// Query generations and stores: which keep states, and what becomes of these when stores come, go and move.
@Suite("Query generations and stores")
struct QueryGenerationStoreTests {
  private let stack: TestStack
  private let pinned: ManagedObjectContext
  private var coordinator: PersistentStoreCoordinator { stack.coordinator }

  init() throws {
    stack = try TestStack(TestModels.company())
    pinned = stack.newContext()
    for name in ["Ada", "Grace"] { try stack.context.insert("Employee", ["name": name]) }
    try stack.context.save()
  }

  private func count(_ context: ManagedObjectContext) throws -> Int {
    try context.count(for: FetchRequest(entityName: "Employee"))
  }

  private func insert(_ name: String) throws {
    try stack.context.insert("Employee", ["name": name])
    try stack.context.save()
  }

  private var pool: SQLiteConnectionPool { get throws { try #require(stack.pool) } }

  @Test("CTX-346: without a SQLite file with a write-ahead log the token stays nil, and the context unpinned")
  func others() throws {
    for factory in [StoreFactory.memory, .privateSQLite] {
      let stack = try TestStack(TestModels.company(), factory: factory)
      let context = stack.newContext()
      try context.setQueryGenerationFrom(.current)
      #expect(context.queryGenerationToken == nil)
      #expect(try count(context) == 0 && context.queryGenerationToken == nil)
      try stack.context.insert("Employee", ["name": "Ada"])
      try stack.context.save()
      #expect(try count(context) == 1)
    }
    // The last connection has to be closed before the journal can be another one.
    coordinator.close()
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    #expect(try raw.string("PRAGMA journal_mode = DELETE") == "delete")
    raw.close()
    let journal = try PersistentStoreCoordinator.open(storeAt: stack.path)
    defer { journal.close() }
    let context = ManagedObjectContext(coordinator: journal)
    try context.setQueryGenerationFrom(.current)
    #expect(context.queryGenerationToken == nil && journal.persistentStores[0].writeAheadLog == nil)
    #expect(try count(context) == 2)
  }

  @Test("CTX-348: one pin covers all stores; one added later is invisible until the pin moves")
  func added() throws {
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    let second = try coordinator.addStore(at: stack.folder.appending(path: "second.db").path)
    let zoe = try stack.context.insert("Employee", ["name": "Zoe"])
    try stack.context.assign(zoe, to: second)
    try stack.context.save()
    #expect(try count(pinned) == 2 && pinned.all("Employee").count == 2)
    #expect(throws: GraphStoreError.self) { try pinned.existingObject(with: zoe.objectID) }
    #expect(try count(stack.newContext()) == 3)
    pinned.movePin()
    #expect(try count(pinned) == 3)
    // Both stores from here on.
    try zoe.setValue("Zelda", forKey: "name")
    try stack.context.save()
    try insert("Yves")
    #expect(try count(pinned) == 3 && pinned.all("Employee", "name == 'Zoe'").count == 1)
    // New objects can be saved to a store that is not visible yet.
    let third = try coordinator.addStore(at: stack.folder.appending(path: "third.db").path)
    let own = try pinned.insert("Employee", ["name": "Own"])
    try pinned.assign(own, to: third)
    try pinned.save()
    #expect(try count(pinned) == 5)
  }

  @Test("CTX-348: a store that is removed drops out, and does not wait for the state")
  func removed() throws {
    let second = try coordinator.addStore(at: stack.folder.appending(path: "second.db").path)
    let zoe = try stack.context.insert("Employee", ["name": "Zoe"])
    try stack.context.assign(zoe, to: second)
    try stack.context.save()
    try pinned.setQueryGenerationFrom(.current)
    let objects = try pinned.all("Employee", sort: ["name"])
    let token = pinned.queryGenerationToken
    try coordinator.remove(second)
    try insert("Yves")
    #expect(try count(pinned) == 2 && pinned.queryGenerationToken == token)
    #expect(try objects[0].string("name") == "Ada")
    // Nothing of this process has the file open.
    let moved = stack.folder.appending(path: "elsewhere.db").path
    try FileManager.default.moveItem(atPath: stack.folder.appending(path: "second.db").path, toPath: moved)
    try coordinator.addStore(at: moved)
    #expect(try count(pinned) == 2)
    pinned.reset()
    #expect(try count(pinned) == 4)
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(try count(pinned) == 1)
  }

  @Test("CTX-345: a coordinator that is closed ends its states")
  func closed() throws {
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    let pool = try pool
    coordinator.close()
    #expect(pool.pinnedCount == 0 && pool.connectionCount == 0)
    #expect { try count(pinned) } throws: { GraphStoreError.code(.noStore) ~= $0 }
  }

  @Test("CTX-345, STO-034, STO-332: a block has the coordinator to itself beside a state that is kept")
  func exclusive() throws {
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    try insert("Zoe")
    try coordinator.performAndWait {
      #expect(try count(pinned) == 2)
      let other = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
      try other.performAndWait {
        try other.setQueryGenerationFrom(pinned.generationToken)
        #expect(try count(other) == 2)
        try other.setQueryGenerationFrom(.current)
        #expect(try count(other) == 3)
      }
    }
    // A request of a pinned context waits for the block, as all do.
    let other = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    try other.performAndWait { try other.setQueryGenerationFrom(pinned.generationToken) }
    let isRead = Atomic(false)
    let end = DispatchSemaphore(value: 0)
    try coordinator.performAndWait {
      Thread {
        let found = try? other.performAndWait { try other.count(for: FetchRequest(entityName: "Employee")) }
        isRead.store(found == 2, ordering: .relaxed)
        end.signal()
      }.start()
      #expect(end.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    }
    #expect(end.wait(timeout: .now() + .seconds(20)) == .success && isRead.load(ordering: .relaxed))
  }

  @Test("CTX-345: where the file of a store is moved, the pins of its contexts move too")
  func moved() throws {
    try pinned.setQueryGenerationFrom(.current)
    let faults = try pinned.all("Employee", sort: ["name"])
    let token = pinned.queryGenerationToken
    try insert("Zoe")
    let place = stack.folder.appending(path: "moved.db")
    let copy = try SQLiteConnection(path: stack.path, mode: .readWrite)
    try copy.execute("VACUUM INTO '\(place.path)'")
    copy.close()
    try coordinator.setURL(place, for: coordinator.persistentStores[0])
    #expect(try count(pinned) == 3 && pinned.queryGenerationToken != token)
    #expect(try faults[0].string("name") == "Ada")
  }

  @Test("CTX-345, STO-332: one state more than may be kept throws, and can be read once another has ended")
  func limit() throws {
    #expect(StoreOptions().queryGenerationMaxCount == 8)
    var contexts: [ManagedObjectContext] = []
    for number in 0..<8 {
      let context = stack.newContext()
      try context.setQueryGenerationFrom(.current)
      #expect(try count(context) == 2 + number)
      contexts.append(context)
      try insert("Zoe")
    }
    #expect(try pool.pinnedCount == 8)
    try pinned.setQueryGenerationFrom(.current)
    #expect { try count(pinned) } throws: { error in
      GraphStoreError.code(.queryGenerationUnavailable) ~= error
        && (error as? GraphStoreError)?.remedy.contains("queryGenerationMaxCount") == true
    }
    #expect(pinned.queryGenerationToken == .current)
    // Unpinned contexts, and others at one of the states, are not concerned.
    #expect(try count(stack.newContext()) == 10)
    try pinned.setQueryGenerationFrom(contexts[3].queryGenerationToken)
    #expect(try count(pinned) == 5)
    try contexts[0].setQueryGenerationFrom(nil)
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 10)
  }

  @Test("STO-042, STO-043: the number of states is an option")
  func option() throws {
    let options = try StoreOptions(["queryGenerationMaxCount": .int(1)])
    #expect(options.queryGenerationMaxCount == 1)
    for value in [Value.int(0), .int(1001), .string("2")] {
      #expect { try StoreOptions(["queryGenerationMaxCount": value]) } throws: {
        GraphStoreError.code(.storeOption) ~= $0
      }
    }
    let path = stack.folder.appending(path: "one.db").path
    let coordinator = PersistentStoreCoordinator(model: self.coordinator.managedObjectModel)
    defer { coordinator.close() }
    try coordinator.addStore(at: path, options: options)
    let contexts = (0..<2).map { _ in ManagedObjectContext(coordinator: coordinator) }
    for context in contexts { try context.setQueryGenerationFrom(.current) }
    #expect(try count(contexts[0]) == 0 && count(contexts[1]) == 0)
    try contexts[0].insert("Employee", ["name": "Ada"])
    try contexts[0].save()
    #expect(throws: GraphStoreError.self) { try count(contexts[0]) }
    #expect(try count(contexts[1]) == 0)
  }

  @Test("CTX-345, STO-332: a state has a connection beside those that readers share, and no statement more")
  func connections() throws {
    var options = StoreOptions()
    options.connectionPoolMaxSize = 1
    let path = stack.folder.appending(path: "one.db").path
    let coordinator = PersistentStoreCoordinator(model: self.coordinator.managedObjectModel)
    defer { coordinator.close() }
    try coordinator.addStore(at: path, options: options)
    let context = ManagedObjectContext(coordinator: coordinator)
    let other = ManagedObjectContext(coordinator: coordinator)
    try other.insert("Employee", ["name": "Ada"])
    try other.save()
    let before = coordinator.statementCount
    try context.setQueryGenerationFrom(.current)
    let object = try #require(context.all("Employee").first)
    #expect(try object.string("name") == "Ada")
    #expect(coordinator.statementCount == before + 1)
    try other.insert("Employee", ["name": "Grace"])
    try other.save()
    #expect(try count(context) == 1 && count(other) == 2)
    let counted = coordinator.statementCount
    try context.setQueryGenerationFrom(nil)
    #expect(coordinator.statementCount == counted)
  }

  @Test("CTX-345: a state that is kept for long keeps nothing in memory of the saves meanwhile")
  func flatMemory() throws {
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    for number in 0..<1000 {
      let object = try stack.context.insert("Employee", ["name": "\(number)"])
      try stack.context.save()
      try stack.context.delete(object)
      try stack.context.save()
    }
    let cache = coordinator.mounts[0].store.rowCache
    #expect(cache.lock.withLock { cache.snapshots.withdrawalCount } == 0)
    #expect(try count(pinned) == 2)
    try cache.checkInvariants()
  }

  @Test("CTX-345, STO-333: the log's size is told, with a warning once it has grown large under a state")
  func log() throws {
    let store = coordinator.persistentStores[0]
    try pool.largeLog.store(200_000, ordering: .relaxed)
    let warnings = Mutex<[StoreWarning]>([])
    Diagnostics.onStoreWarning = { warning in
      if warning.message.contains(store.path) { warnings.withLock { $0.append(warning) } }
    }
    defer { Diagnostics.onStoreWarning = nil }
    let text = String(repeating: "x", count: 100_000)
    for _ in 0..<5 { try insert(text) }
    #expect(warnings.withLock(\.isEmpty) && store.writeAheadLog?.generations == 0)
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 7)
    for _ in 0..<5 { try insert(text) }
    let (bytes, generations) = try #require(store.writeAheadLog)
    #expect(bytes > 500_000 && generations == 1)
    #expect(warnings.withLock { $0.map(\.code) } == ["log-large"])
    #expect(warnings.withLock { $0.first?.message.contains("while a context is pinned") } == true)
    // Another state gets a warning of its own.
    pinned.movePin()
    #expect(try count(pinned) == 12)
    try insert(text)
    #expect(warnings.withLock(\.count) == 2)
  }

  @Test("CTX-351: metadata are not subject to pins")
  func metadata() throws {
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    let store = coordinator.persistentStores[0]
    var metadata = try store.metadata()
    metadata["seen"] = .int(1)
    try coordinator.setMetadata(metadata, for: store)
    try insert("Zoe")
    #expect(try store.metadata()["seen"] == .int(1) && count(pinned) == 2)
  }
}
