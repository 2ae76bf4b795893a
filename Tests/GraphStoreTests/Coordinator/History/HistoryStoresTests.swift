import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// Histories of several stores, what one costs, and what ends one.
@Suite("Several histories, and their cost")
struct HistoryStoresTests {
  private let folder: TemporaryFolder
  private let coordinator: PersistentStoreCoordinator
  private let context: ManagedObjectContext

  /// Two stores with a history, and one without.
  init() throws {
    folder = try TemporaryFolder()
    coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
    for (number, isTracked) in [true, true, nil].enumerated() {
      var options = StoreOptions()
      options.historyTracking = isTracked
      _ = try coordinator.addStore(at: folder.file("s\(number).db"), options: options)
    }
    context = ManagedObjectContext(coordinator: coordinator)
  }

  private func insert(_ name: String, into store: Int) throws {
    let object = try context.insert("Employee", ["name": name])
    try context.assign(object, to: coordinator.persistentStores[store])
    try context.save()
  }

  @Test("CTX-395, CTX-401: transactions of several stores come by time; a store can be asked alone")
  func order() throws {
    defer { coordinator.close() }
    for (name, store) in [("a", 0), ("b", 1), ("c", 2), ("d", 0), ("e", 1)] { try insert(name, into: store) }
    let identifiers = coordinator.persistentStores.map(\.identifier.uuidString)
    let all = try context.execute(.fetchHistory(after: nil))
    #expect(all.transactions.map(\.storeID) == [0, 1, 0, 1].map { identifiers[$0] })
    #expect(all.token.storeIdentifiers == Set(identifiers.prefix(2)))
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.affectedStores = [coordinator.persistentStores[1]]
    #expect(try context.execute(request).transactions.map(\.transactionNumber) == [1, 2])
    request.affectedStores = [coordinator.persistentStores[2]]
    #expect { try context.execute(request) } throws: { GraphStoreError.code(.historyNotTracked) ~= $0 }
    // A store that the token does not cover is read from its beginning.
    let first = all.transactions[2].token
    #expect(
      try context.execute(.fetchHistory(after: first)).transactions.map(\.storeID)
        == [identifiers[1], identifiers[1]])
    #expect(try context.execute(.fetchHistory(after: all.token)).transactions.isEmpty)
    // Pages go on where the last one ended, store by store.
    var seen: [String] = []
    var page = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    page.fetchLimit = 1
    for _ in 0..<6 {
      let result = try context.execute(page)
      seen += result.transactions.map { "\($0.storeID) \($0.transactionNumber)" }
      page = page.continuing(after: result.token)
    }
    #expect(seen == all.transactions.map { "\($0.storeID) \($0.transactionNumber)" })
  }

  @Test("CTX-403: removing from one store's history does not touch another's")
  func removing() throws {
    defer { coordinator.close() }
    for (name, store) in [("a", 0), ("b", 1)] { try insert(name, into: store) }
    var request = PersistentHistoryChangeRequest.deleteHistory(before: Date().addingTimeInterval(60))
    request.affectedStores = [coordinator.persistentStores[0]]
    #expect(try context.execute(request).count == 1)
    let left = try context.execute(.fetchHistory(after: nil)).transactions
    #expect(left.map(\.storeID) == [coordinator.persistentStores[1].identifier.uuidString])
  }

  @Test("CTX-391: the statements of a save grow neither with its changes nor with the history")
  func statements() throws {
    let tracked = try TrackedStore(TestModels.company())
    func insert(_ count: Int) throws -> Int {
      for number in 0..<count { try tracked.context.insert("Desk", ["name": "\(number)"]) }
      return try tracked.stack.statements { try tracked.context.save() }
    }
    let first = try insert(20)
    #expect(try insert(20) <= first)
    for _ in 0..<50 { _ = try insert(1) }
    #expect(try insert(20) <= first)
    let plain = try TestStack(TestModels.company(), factory: .sqlite)
    for number in 0..<20 { try plain.context.insert("Desk", ["name": "\(number)"]) }
    let without = try plain.statements { try plain.context.save() }
    #expect(first - without <= 16, "\(first) against \(without)")
  }

  @Test(
    "CTX-387: changes are numbered in the order in which they were written: deletions, updates, insertions")
  func numbering() throws {
    let tracked = try TrackedStore(TestModels.company())
    let objects = try ["a", "b"].map { try tracked.context.insert("Desk", ["name": $0]) }
    try tracked.context.save()
    try tracked.context.insert("Desk", ["name": "c"])
    try objects[0].setValue("changed", forKey: "name")
    try tracked.context.delete(objects[1])
    try tracked.context.save()
    let changes = try #require(try tracked.history().last?.changes)
    #expect(changes.map(\.changeID) == [3, 4, 5])
    #expect(changes.map(\.changeType) == [.delete, .update, .insert])
  }

  @Test(
    "CTX-391, CTX-378, CTX-399, CTX-495: a history of a million transactions costs a save, and its readers, nothing"
  )
  func million() throws {
    let tracked = try TrackedStore(TestModels.company())
    func insert(_ name: String) throws -> Int {
      try tracked.context.insert("Desk", ["name": name])
      return try tracked.stack.statements { try tracked.context.save() }
    }
    _ = try insert("first")
    let alone = try insert("second")
    try tracked.execute(
      """
      BEGIN;
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP)
        WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
        SELECT i, 16002, 1, 1, 1, 1000 + i FROM n;
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
        WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
        SELECT i, 16001, 1, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Desk'), 1, i, x'80' FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1000000 WHERE Z_ENT IN (16001, 16002);
      COMMIT
      """)
    let store = tracked.coordinator.persistentStores[0]
    let token = try #require(try tracked.coordinator.currentPersistentHistoryToken())
    let start = try tracked.coordinator.registerHistoryConsumer(named: "mirror", of: store)
    #expect(try insert("third") <= alone)
    func page(after token: PersistentHistoryToken?, limit: Int = 0) throws -> PersistentHistoryResult {
      var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
      request.fetchLimit = limit
      return try tracked.context.execute(request)
    }
    let present = try page(after: token)
    #expect(present.transactions.map(\.transactionNumber) == [1_000_001])
    let first = try page(after: start, limit: 3)
    #expect(first.transactions.map(\.transactionNumber) == [1, 2, 3])
    #expect(try page(after: first.token, limit: 1).transactions.map(\.transactionNumber) == [4])
    #expect(try tracked.coordinator.historyUsage(of: store)?.changes == 1_000_001)
    try tracked.coordinator.updateHistoryConsumer(named: "mirror", to: token)
    #expect(try tracked.coordinator.deleteHistory(readByAllConsumers: true) == 1_000_000)
    #expect(try page(after: token).transactions.map(\.transactionNumber) == [1_000_001])
    #expect { try page(after: first.token) } throws: { GraphStoreError.code(.historyExpired) ~= $0 }
    #expect(try insert("fourth") <= alone)
    #expect(try tracked.history().map(\.transactionNumber) == [1_000_001, 1_000_002])
  }

  @Test("CTX-496: a repair that has mended something is a gap: readers have to look at the store again")
  func repaired() throws {
    let tracked = try TrackedStore(TestModels.company())
    let department = try tracked.context.insert("Department", ["name": "d"])
    try tracked.context.insert("Employee", ["name": "a", "department": department])
    try tracked.context.save()
    let token = try tracked.coordinator.currentPersistentHistoryToken()
    tracked.coordinator.close()
    try tracked.execute("UPDATE ZEMPLOYEE SET ZDEPARTMENT = 99")
    let repair = try StoreRepair(path: tracked.stack.path)
    #expect(repair.steps.contains { $0.check == "history" })
    _ = try repair.run()
    let opened = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
    defer { opened.close() }
    let reader = ManagedObjectContext(coordinator: opened)
    #expect { try reader.execute(.fetchHistory(after: token)) } throws: {
      GraphStoreError.code(.historyExpired) ~= $0
    }
    #expect(try reader.execute(.fetchHistory(after: nil)).transactions.isEmpty)
  }

  @Test("CTX-376: a check finds changes of no transaction, and looks for them where a history is kept alone")
  func checked() throws {
    let tracked = try TrackedStore(TestModels.company())
    try tracked.context.insert("Desk", ["name": "d"])
    try tracked.context.save()
    func results() throws -> [StoreCheckResult] { try StoreCheck.run(path: tracked.stack.path) }
    #expect(try results().last?.name == "history" && results().allSatisfy { $0.findings.isEmpty })
    try tracked.execute("DELETE FROM ATRANSACTION")
    #expect(try results().flatMap(\.findings).map(\.damage) == [.history])
    let plain = try TestStack(TestModels.company(), factory: .sqlite)
    #expect(try !StoreCheck.run(path: plain.path).contains { $0.name == "history" })
  }

  @Test("CTX-495, CTX-404: a reader that has died in between goes on where it has said that it was")
  func consumerDies() throws {
    let tracked = try TrackedStore(TestModels.company())
    let store = tracked.coordinator.persistentStores[0]
    try tracked.coordinator.registerHistoryConsumer(named: "mirror", of: store)
    var mirror: [Int64: String] = [:]
    for round in 0..<6 {
      for number in 0..<3 { try tracked.context.insert("Desk", ["name": "\(round).\(number)"]) }
      if round % 2 == 1 {
        for desk in try tracked.context.all("Desk").prefix(2) { try tracked.context.delete(desk) }
      }
      try tracked.context.save()
      // Another life of the reader, which knows nothing but its name.
      let reader = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
      defer { reader.close() }
      let context = ManagedObjectContext(coordinator: reader)
      let token = try reader.registerHistoryConsumer(named: "mirror", of: reader.persistentStores[0])
      let history = try context.execute(.fetchHistory(after: token))
      for change in history.transactions.flatMap({ $0.changes ?? [] }) {
        let id = change.changedObjectID
        mirror[id.key] = nil
        if change.changeType == .delete { continue }
        mirror[id.key] = try context.object(with: id).string("name")
      }
      // Every other time it dies before it says so, and reads the same again.
      if round % 3 != 0 { try reader.updateHistoryConsumer(named: "mirror", to: history.token) }
      try reader.deleteHistory(readByAllConsumers: true)
    }
    var there: [Int64: String] = [:]
    for desk in try tracked.stack.newContext().all("Desk") {
      there[desk.objectID.key] = try desk.string("name")
    }
    #expect(mirror == there)
  }

  @Test(
    "CTX-399, CTX-496: a history that was ended and begun anew has expired, also before its first transaction"
  )
  func begunAnew() throws {
    let tracked = try TrackedStore(TestModels.company())
    let store = tracked.coordinator.persistentStores[0]
    let token = try tracked.context.execute(.fetchHistory(after: nil)).token
    #expect("\(token)".hasSuffix(":0"))
    try tracked.coordinator.disableHistoryTracking(of: store)
    try tracked.context.insert("Desk", ["name": "missed"])
    try tracked.context.save()
    try tracked.coordinator.enableHistoryTracking(of: store)
    #expect { try tracked.history(after: token) } throws: { GraphStoreError.code(.historyExpired) ~= $0 }
    let present = try tracked.context.execute(.fetchHistory(after: nil)).token
    #expect(try tracked.history(after: present).isEmpty)
  }

  @Test("CTX-399, CTX-402: the token of a history that was emptied goes on; one of another lineage does not")
  func emptied() throws {
    let tracked = try TrackedStore(TestModels.company())
    try tracked.context.insert("Desk", ["name": "a"])
    try tracked.context.save()
    try tracked.coordinator.registerHistoryConsumer(
      named: "mirror", of: tracked.coordinator.persistentStores[0])
    let last = try #require(try tracked.coordinator.currentPersistentHistoryToken())
    try tracked.coordinator.updateHistoryConsumer(named: "mirror", to: last)
    #expect(try tracked.coordinator.deleteHistory(readByAllConsumers: true) == 1)
    #expect(try tracked.rows("SELECT count(*) FROM ATRANSACTIONSTRING") == ["0"])
    let token = try tracked.context.execute(.fetchHistory(after: nil)).token
    #expect(token == last && "\(token)" == "\(last)")
    #expect(try tracked.history(after: token).isEmpty && tracked.history(after: last).isEmpty)
    #expect(try tracked.coordinator.historyConsumers().map(\.name) == ["mirror"])
    // The time of the transaction is known, though it is gone.
    let (uuid, number) = (try #require(last.storeIdentifiers.first), "1")
    for text in ["\(uuid):\(number)-1", "\(uuid):7"] {
      let other = try #require(PersistentHistoryToken(text))
      #expect { try tracked.history(after: other) } throws: { GraphStoreError.code(.historyExpired) ~= $0 }
      #expect {
        try tracked.coordinator.updateHistoryConsumer(named: "mirror", to: other)
      } throws: {
        GraphStoreError.code(.historyExpired) ~= $0
      }
      #expect { try tracked.context.execute(.deleteHistory(before: other)) } throws: {
        GraphStoreError.code(.historyExpired) ~= $0
      }
    }
    let isRefused: (any Error) -> Bool = { GraphStoreError.code(.invalidRequest) ~= $0 }
    let store = tracked.coordinator.persistentStores[0]
    #expect { try tracked.coordinator.registerHistoryConsumer(named: "", of: store) } throws: {
      isRefused($0)
    }
    // Under that name the stamp is kept.
    #expect { try tracked.coordinator.removeHistoryConsumer(named: "") } throws: { isRefused($0) }
    try tracked.context.insert("Desk", ["name": "b"])
    try tracked.context.save()
    #expect(try tracked.history(after: last).map(\.transactionNumber) == [2])
  }

  @Test(
    "CTX-399, CTX-496: the token of a history that begins anew is refused by an older state of the store",
    arguments: ["ended", "repaired"])
  func restoredOlderState(_ how: String) throws {
    let tracked = try TrackedStore(TestModels.company())
    let department = try tracked.context.insert("Department", ["name": "d"])
    try tracked.context.insert("Employee", ["name": "a", "department": department])
    try tracked.context.save()
    let copy = tracked.stack.folder.appending(path: "copy.db").path
    try tracked.execute("VACUUM INTO '\(copy)'")
    let store = tracked.coordinator.persistentStores[0]
    if how == "ended" {
      try tracked.coordinator.disableHistoryTracking(of: store)
      try tracked.coordinator.enableHistoryTracking(of: store)
    } else {
      tracked.coordinator.close()
      try tracked.execute("UPDATE ZEMPLOYEE SET ZDEPARTMENT = 77")
      _ = try StoreRepair(path: tracked.stack.path).run()
    }
    let present = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
    let token = try #require(try present.currentPersistentHistoryToken())
    present.close()
    #expect(try #require(PersistentHistoryToken("\(token)")).places.values.first?.stamp != nil)
    let restored = try PersistentStoreCoordinator.open(storeAt: copy)
    defer { restored.close() }
    let writer = ManagedObjectContext(coordinator: restored)
    for name in ["x", "y", "z"] {
      try writer.insert("Desk", ["name": name])
      try writer.save()
    }
    #expect { try writer.execute(.fetchHistory(after: token)) } throws: {
      GraphStoreError.code(.historyExpired) ~= $0
    }
  }

  @Test("CTX-258, MDL-175: derived values that others have changed alone are merged")
  func derivedAlone() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "Box", attributes: [AttributeDefinition("n", .int64, derivation: "things.@count")],
        relationships: [RelationshipDefinition("things", to: "Thing", inverse: "box", isToMany: true)]),
      EntityDefinition(
        "Thing", relationships: [RelationshipDefinition("box", to: "Box", inverse: "things")]),
    ])
    let tracked = try TrackedStore(model)
    let box = try tracked.context.insert("Box", [:])
    try tracked.context.save()
    let reader = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
    defer { reader.close() }
    let context = ManagedObjectContext(coordinator: reader)
    let mine = try context.all("Box")[0]
    #expect(try mine.value(forKey: "n") as? Int64 == 0)
    let token = try reader.currentPersistentHistoryToken()
    try tracked.context.insert("Thing", ["box": box])
    try tracked.context.save()
    try context.mergeChanges(fromHistory: tracked.history(after: token))
    #expect(try mine.value(forKey: "n") as? Int64 == 1)
  }

  @Test("MDL-176, CTX-387: the time of a save is no value of sibling entities whose links have changed")
  func siblings() throws {
    let stamped = EntityDefinition(
      "Stamped", parent: "Thing", attributes: [AttributeDefinition("saved", .date, derivation: "now()")])
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "Thing", relationships: [RelationshipDefinition("tags", to: "Tag", inverse: "things", isToMany: true)]
      ),
      stamped, EntityDefinition("Plain", parent: "Thing"),
      EntityDefinition(
        "Tag", relationships: [RelationshipDefinition("things", to: "Thing", inverse: "tags", isToMany: true)]
      ),
    ])
    let tracked = try TrackedStore(model)
    let objects = try ["Stamped", "Plain", "Thing"].map { try tracked.context.insert($0, [:]) }
    try tracked.context.save()
    try tracked.context.insert("Tag", ["things": Set(objects)])
    try tracked.context.save()
    #expect(try tracked.rows("SELECT count(ZSAVED) FROM ZTHING") == ["1"])
    let last = try #require(try tracked.history().last)
    let named = (last.changes ?? []).filter { $0.updatedProperties?.contains { $0.name == "saved" } == true }
    #expect(named.map(\.changedObjectID) == [objects[0].objectID])
  }
}
