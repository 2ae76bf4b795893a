#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import GraphStoreTestSupport
import Synchronization
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Histories of stores on a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLHistoryTests {
  private let stores = TestStores()

  private func tracked(_ number: Int = 0) throws -> ManagedObjectContext {
    var options = TestStores.options
    options.historyTracking = true
    return ManagedObjectContext(
      coordinator: try stores.coordinator(FamilyModel.model, number, options: options))
  }

  private func history(
    _ context: ManagedObjectContext, after token: PersistentHistoryToken? = nil
  ) throws -> [PersistentHistoryTransaction] {
    try context.execute(.fetchHistory(after: token)).transactions
  }

  private func insert(_ names: String..., in context: ManagedObjectContext) throws {
    for name in names { try context.insert(entityNamed: "Tag").setValue(name, forKey: "name") }
  }

  @Test(
    "CTX-376, CTX-382, CTX-383, CTX-385, CTX-386: random saves leave the history that they leave in a SQLite store",
    arguments: TestSeed.sequence(4))
  func sameAsSQLite(_ seed: TestSeed) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).db")
    defer {
      for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
    }
    var options = StoreOptions()
    options.historyTracking = true
    let sqlite = try PersistentStoreCoordinator.create(
      storeAt: file.path, model: FamilyModel.model, options: options)
    defer { sqlite.close() }
    let contexts = [try tracked(), ManagedObjectContext(coordinator: sqlite)]
    var families = contexts.map { RandomFamilies($0, seed.generator) }
    for step in 0..<30 {
      for index in families.indices { try families[index].change() }
      let (server, oracle) = (try history(contexts[0]), try history(contexts[1]))
      try #require(
        server.map(\.transactionNumber) == oracle.map(\.transactionNumber), "\(seed) step \(step)")
      try #require(server.last?.lines == oracle.last?.lines, "\(seed) step \(step)")
    }
    let (server, oracle) = (try history(contexts[0]), try history(contexts[1]))
    #expect(server.map(\.lines) == oracle.map(\.lines), "\(seed)")
  }

  @Test("CTX-376, CTX-377, CTX-379, CTX-380, CTX-387: a save is a transaction, which says who has written it")
  func transaction() throws {
    let context = try tracked()
    context.transactionAuthor = "me"
    context.name = "editor"
    let before = Date()
    try insert("a", "b", in: context)
    try context.save()
    try context.save()
    let found = try history(context)
    let transaction = try #require(found.first)
    #expect(found.count == 1 && transaction.transactionNumber == 1)
    #expect(abs(transaction.timestamp.timeIntervalSince(before)) < 30)
    #expect(transaction.author == "me" && transaction.contextName == "editor")
    #expect(transaction.bundleID == ProcessInfo.processInfo.processName)
    #expect(transaction.processID == "\(ProcessInfo.processInfo.processIdentifier)")
    #expect(transaction.changes?.map(\.changeID) == [1, 2])
    #expect(try context.coordinator.currentPersistentHistoryToken() == transaction.token)
    let usage = try context.coordinator.historyUsage(of: context.coordinator.persistentStores[0])
    #expect(usage?.transactions == 1 && usage?.changes == 2 && usage?.bytes ?? 0 > 0)
  }

  @Test(
    "CTX-373, CTX-374, CTX-375, STO-421: a store remembers that it keeps a history, and its numbers when it has ended"
  )
  func remembered() throws {
    let first = try tracked()
    try insert("a", in: first)
    try first.save()
    let token = try first.coordinator.currentPersistentHistoryToken()
    var without = TestStores.options
    without.historyTracking = false
    #expect(code { try stores.coordinator(FamilyModel.model, options: without) } == .historyIsTracked)
    let other = ManagedObjectContext(coordinator: try stores.coordinator(FamilyModel.model))
    try insert("b", in: other)
    try other.save()
    #expect(try history(first, after: token).map(\.transactionNumber) == [2])
    let store = other.coordinator.persistentStores[0]
    try other.coordinator.disableHistoryTracking(of: store)
    #expect(code { try history(first) } == .historyNotTracked)
    // One that had seen a history does not write it any more, and one that had seen none does not miss one.
    try insert("c", in: first)
    try first.save()
    try first.coordinator.enableHistoryTracking(of: first.coordinator.persistentStores[0])
    #expect(code { try history(first, after: token) } == .historyExpired)
    try insert("d", in: other)
    try other.save()
    #expect(try history(first).map(\.transactionNumber) == [4])
    let kinds = try history(first).map { ($0.changes ?? []).map(\.changeType) }
    #expect(kinds == [[.insert]])
  }

  @Test("CTX-374, STO-421: a history that is begun while others write has no gap")
  func begunMeanwhile() throws {
    let writer = ManagedObjectContext(coordinator: try stores.coordinator(FamilyModel.model))
    let other = try stores.coordinator(FamilyModel.model)
    let begun = Atomic(false)
    let thread = ThreadResult {
      try other.enableHistoryTracking(of: other.persistentStores[0])
      begun.store(true, ordering: .sequentiallyConsistent)
    }
    try writer.coordinator.transaction(with: writer) { _ in
      try insert("a", in: writer)
      try writer.save()
      thread.start()
      Thread.sleep(forTimeInterval: 0.1)
      // It waits for who may be writing without it.
      let isBegun = begun.load(ordering: .sequentiallyConsistent)
      #expect(!isBegun)
    }
    try thread.wait()
    try insert("b", in: writer)
    try writer.save()
    #expect(try history(writer).map(\.lines) == [["insert Tag/p2"]])
  }

  @Test(
    "CTX-378, STO-420: a save that is recorded waits for one that was recorded before, and is seen after it")
  func order() throws {
    let first = try tracked()
    let second = ManagedObjectContext(
      coordinator: try stores.coordinator(FamilyModel.model), concurrencyType: .privateQueue)
    let reader = ManagedObjectContext(coordinator: try stores.coordinator(FamilyModel.model))
    let thread = ThreadResult {
      try second.performAndWait {
        try second.insert(entityNamed: "Tag").setValue("second", forKey: "name")
        try second.save()
      }
    }
    try first.coordinator.transaction(with: first) { _ in
      try insert("first", in: first)
      try first.save()
      thread.start()
      Thread.sleep(forTimeInterval: 0.1)
      #expect(try history(reader).isEmpty)
    }
    try thread.wait()
    #expect(try history(reader).map(\.transactionNumber) == [1, 2])
  }

  @Test(
    "CTX-378, CTX-399, STO-420: whoever reads on from a token gets each change of many writers once, in their order"
  )
  func everyChange() throws {
    let reader = try tracked()
    let (writers, rounds) = (6, 12)
    let done = Atomic(0)
    let threads = try (0..<writers).map { writer in
      let context = ManagedObjectContext(
        coordinator: try stores.coordinator(FamilyModel.model), concurrencyType: .privateQueue)
      return ThreadResult {
        defer { done.add(1, ordering: .sequentiallyConsistent) }
        for round in 0..<rounds {
          try context.performAndWait {
            for part in 0..<(1 + (writer + round) % 3) {
              try context.insert(entityNamed: "Tag").setValue("\(writer).\(round).\(part)", forKey: "name")
            }
            try context.save()
          }
        }
      }
    }
    for thread in threads { thread.start() }
    var token: PersistentHistoryToken?
    var numbers: [Int64] = []
    var seen: [ManagedObjectID] = []
    var isLast = false
    while !isLast {
      isLast = done.load(ordering: .sequentiallyConsistent) == writers
      let result = try reader.execute(.fetchHistory(after: token))
      token = result.token
      numbers += result.transactions.map(\.transactionNumber)
      seen += result.transactions.flatMap { ($0.changes ?? []).map(\.changedObjectID) }
    }
    for thread in threads { try thread.wait() }
    #expect(numbers == Array(1...Int64(writers * rounds)))
    #expect(Set(seen).count == seen.count)
    #expect(try reader.count(for: FetchRequest<ManagedObject>(entityName: "Tag")) == seen.count)
  }

  @Test("CTX-399, CTX-402, CTX-495, CTX-498: transactions are removed, and what readers have read is known")
  func purging() throws {
    let context = try tracked()
    let coordinator = context.coordinator
    var tokens: [PersistentHistoryToken] = []
    for name in ["a", "b", "c", "d"] {
      try insert(name, in: context)
      try context.save()
      tokens.append(try #require(try coordinator.currentPersistentHistoryToken()))
    }
    try coordinator.registerHistoryConsumer(named: "mirror", of: coordinator.persistentStores[0])
    #expect(try coordinator.deleteHistory(readByAllConsumers: true) == 0)
    try coordinator.updateHistoryConsumer(named: "mirror", to: tokens[1])
    #expect(try coordinator.historyConsumers().map(\.token) == [tokens[1]])
    #expect(try coordinator.deleteHistory(readByAllConsumers: true) == 2)
    #expect(try history(context).map(\.transactionNumber) == [3, 4])
    #expect(try history(context, after: tokens[1]).map(\.transactionNumber) == [3, 4])
    #expect(code { try history(context, after: tokens[0]) } == .historyExpired)
    let removal = try context.execute(.deleteHistory(before: tokens[3]))
    #expect(removal.count == 1)
    #expect(try history(context).map(\.transactionNumber) == [4])
    #expect(try context.execute(.fetchHistory(after: Date.distantPast)).transactions.count == 1)
    #expect(try context.execute(.fetchHistory(after: Date.distantFuture)).transactions.isEmpty)
    try coordinator.removeHistoryConsumer(named: "mirror")
    #expect(try coordinator.historyConsumers().isEmpty)
    try insert("e", in: context)
    try context.save()
    #expect(try history(context).map(\.transactionNumber) == [4, 5])
  }

  @Test("CTX-384: what is taken back adds nothing, and leaves no number out")
  func takenBack() throws {
    let context = try tracked()
    try context.coordinator.transaction(with: context) { transaction in
      try insert("a", in: context)
      try context.save()
      try? transaction.savepoint {
        try insert("b", in: context)
        try context.save()
        throw CancellationError()
      }
      try insert("c", in: context)
      try context.save()
    }
    try? context.coordinator.transaction(with: context) { _ in
      try insert("d", in: context)
      try context.save()
      throw CancellationError()
    }
    context.reset()
    try insert("e", in: context)
    try context.save()
    #expect(try history(context).map(\.transactionNumber) == [1, 2, 3])
    let store = try context.coordinator.postgreSQLStore
    #expect((1...3).allSatisfy { store.hasWritten(transaction: $0) } && !store.hasWritten(transaction: 4))
  }

  @Test("CTX-393: one entity, and one record, are chosen on the server")
  func chosen() throws {
    let context = try tracked()
    let parent = try context.insert(entityNamed: "Parent")
    try insert("a", in: context)
    let special = try context.insert(entityNamed: "Special")
    try context.save()
    try special.setValue(7, forKey: "rank")
    try context.save()
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.changedEntity = special.entity.superentity
    #expect(try context.execute(request).transactions.map(\.lines.count) == [1, 1])
    request.changedEntity = nil
    request.changedObjectID = parent.objectID
    #expect(try context.execute(request).transactions.map(\.lines) == [["insert \(parent.objectID)"]])
    request.changedObjectID = nil
    request.predicate = try QueryPredicate(parsing: "changeType == 'update'")
    #expect(try context.execute(request).transactions.map(\.transactionNumber) == [2])
  }

  @Test("CTX-391, STO-394: the round trips of a save that is recorded do not grow with objects")
  func roundTrips() throws {
    let context = try tracked()
    let store = try context.coordinator.postgreSQLStore
    func trips(_ body: () throws -> Void) throws -> Int {
      let before = store.pool.counts.roundTrips
      try body()
      return store.pool.counts.roundTrips - before
    }
    var found: [[Int]] = []
    for size in [10, 900] {
      let parent = try context.insert(entityNamed: "Parent")
      try context.save()
      var made: [ManagedObject] = []
      for number in 0..<size {
        let child = try context.insert(entityNamed: "Child")
        try child.setValue("c\(number)", forKey: "name")
        try child.setValue(parent, forKey: "parent")
        made.append(child)
      }
      let insertion = try trips { try context.save() }
      for child in made { try child.setValue("changed", forKey: "note") }
      let update = try trips { try context.save() }
      for child in made { try context.delete(child) }
      let deletion = try trips { try context.save() }
      found.append([insertion, update, deletion])
    }
    #expect(found[0] == found[1] && found[0].allSatisfy { $0 < 25 }, "\(found)")
  }
}
#endif
