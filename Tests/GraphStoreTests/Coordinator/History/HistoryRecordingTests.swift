import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// What saves leave in the history of a store.
@Suite("Recording history")
struct HistoryRecordingTests {
  private let tracked: TrackedStore
  private var context: ManagedObjectContext { tracked.context }

  init() throws { tracked = try TrackedStore(TestModels.company()) }

  @Test("CTX-376, CTX-377, CTX-379, CTX-380, CTX-381: a save is a transaction, which says who has written it")
  func transaction() throws {
    context.transactionAuthor = "me"
    context.name = "editor"
    let before = Date()
    let ada = try context.insert("Employee", ["name": "Ada", "salary": 1])
    try context.save()
    let found = try tracked.history()
    #expect(found.count == 1)
    let transaction = try #require(found.first)
    #expect(transaction.transactionNumber == 1)
    #expect(transaction.timestamp >= before.addingTimeInterval(-1) && transaction.timestamp <= Date())
    #expect(transaction.author == "me" && transaction.contextName == "editor")
    #expect(transaction.bundleID == ProcessInfo.processInfo.processName)
    #expect(transaction.processID == "\(ProcessInfo.processInfo.processIdentifier)")
    #expect(transaction.storeID == tracked.coordinator.storeIdentifier)
    let change = try #require(transaction.changes?.first)
    #expect(transaction.changes?.count == 1)
    #expect(change.changeID == 1 && change.changeType == .insert && change.changedObjectID == ada.objectID)
    #expect(change.updatedProperties == nil && change.tombstone == nil)
    #expect(change.transaction.transactionNumber == 1 && change.transaction.changes == nil)
  }

  @Test("CTX-379: author and name are nil where the context has none")
  func anonymous() throws {
    try context.insert("Employee", ["name": "Ada"])
    try context.save()
    let transaction = try #require(try tracked.history().first)
    #expect(transaction.author == nil && transaction.contextName == nil)
  }

  @Test("CTX-382, CTX-383, REL-180: an update names what has changed, at both ends of a link")
  func updates() throws {
    let department = try context.insert("Department", ["name": "Research"])
    let ada = try context.insert("Employee", ["name": "Ada", "salary": 1])
    let bob = try context.insert("Employee", ["name": "Bob", "department": department])
    try context.save()
    try ada.setValue(2, forKey: "salary")
    try ada.setValue(department, forKey: "department")
    try context.save()
    #expect(
      try tracked.lines().map { $0.sorted() } == [
        ["insert Department/p1", "insert Employee/p1", "insert Employee/p2"],
        ["update Department/p1 employees", "update Employee/p1 department salary"],
      ])
    try ada.addObjects([bob], forKey: "friends")
    try context.save()
    #expect(try tracked.lines().last == ["update Employee/p1 friends", "update Employee/p2 friends"])
  }

  @Test("CTX-384: what writes nothing adds nothing: saves without changes, equal values, failed saves")
  func nothing() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    try context.save()
    try ada.setValue("Ada", forKey: "name")
    try context.save()
    let other = try tracked.stack.otherProcess()
    try other.all("Employee")[0].setValue("Augusta", forKey: "name")
    try other.save()
    try ada.setValue("Adele", forKey: "name")
    try context.insert("Employee", ["name": "Bob"])
    #expect { try context.save() } throws: { GraphStoreError.code(.mergeConflict) ~= $0 }
    #expect(try tracked.lines() == [["insert Employee/p1"], ["update Employee/p1 name"]])
  }

  @Test("CTX-382: inserted and changed is an insert, changed and deleted a delete, in one save")
  func once() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    let bob = try context.insert("Employee", ["name": "Bob"])
    try context.save()
    try ada.setValue("Augusta", forKey: "name")
    try context.processPendingChanges()
    try context.delete(ada)
    let cy = try context.insert("Employee", ["name": "Cy"])
    try context.processPendingChanges()
    try cy.setValue(3, forKey: "salary")
    try bob.setValue("Rob", forKey: "name")
    try context.save()
    #expect(
      try tracked.lines().last == ["delete Employee/p1", "update Employee/p2 name", "insert Employee/p3"])
  }

  @Test("CTX-386: records deleted by cascade have changes of their own, and survivors lose their links")
  func cascade() throws {
    let store = try TrackedStore(HistoryModels.preserving)
    let parent = try store.context.insert("Parent", ["name": "p"])
    for name in ["a", "b"] { try store.context.insert("Child", ["name": name, "parent": parent]) }
    try store.context.save()
    store.context.reset()
    try store.context.delete(store.context.all("Parent")[0])
    try store.context.save()
    #expect(
      try store.lines().last?.sorted() == ["delete Child/p1", "delete Child/p2", "delete Parent/p1"])
  }

  @Test("CTX-385, MDL-135: a deletion keeps the last stored values of preserved attributes, nulls among them")
  func tombstones() throws {
    let store = try TrackedStore(HistoryModels.preserving)
    let child = try store.context.insert("Child", ["name": "a", "note": "n"])
    let special = try store.context.insert("Special", ["name": "s", "rank": 7])
    try store.context.insert("Parent", ["name": "p"])
    try store.context.save()
    try child.setValue("changed and never saved", forKey: "name")
    try store.context.delete(child)
    try store.context.delete(special)
    for parent in try store.context.all("Parent") { try store.context.delete(parent) }
    try store.context.save()
    let changes = try #require(try store.history().last?.changes)
    let byName = Dictionary(uniqueKeysWithValues: changes.map { ("\($0.changedObjectID)", $0) })
    #expect(byName["Child/p1"]?.tombstone == ["name": .string("a"), "seen": .null])
    #expect(byName["Special/p2"]?.tombstone == ["name": .string("s"), "seen": .null, "rank": .int(7)])
    #expect(byName["Parent/p1"]?.changeType == .delete && byName["Parent/p1"]?.tombstone == nil)
  }

  @Test("CTX-385, STO-243: a deletion keeps decimals of any length")
  func longDecimals() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "Thing", attributes: [AttributeDefinition("size", .decimal, preservesValueInHistory: true)])
    ])
    let store = try TrackedStore(model)
    let sizes = ["123456789012345678901.25", "-0.1", "7", "1e-20"].compactMap { Decimal(string: $0) }
    let things = try sizes.map { try store.context.insert("Thing", ["size": $0]) }
    try store.context.save()
    for thing in things { try store.context.delete(thing) }
    try store.context.save()
    let kept = (try store.history().last?.changes ?? []).map(\.tombstone)
    #expect(kept == sizes.map { ["size": .decimal($0)] })
  }

  @Test("CTX-385: values of deleted records stay those of their attributes when a model keeps others")
  func otherTombstones() throws {
    func model(_ kept: String) -> ModelDefinition {
      ModelDefinition(
        name: "Things",
        entities: [
          EntityDefinition(
            "Thing",
            attributes: ["a", "b", "c"].map {
              AttributeDefinition($0, .string, preservesValueInHistory: kept.contains($0))
            })
        ])
    }
    let store = try TrackedStore(model("bc"))
    store.coordinator.close()
    func tombstones(_ kept: String, isReadOnly: Bool = true, deletes: Bool = false) throws -> [[String:
      Value]?]
    {
      var options = StoreOptions()
      options.isReadOnly = isReadOnly
      let coordinator = try PersistentStoreCoordinator.open(
        storeAt: store.stack.path, options: options, model: ManagedObjectModel(model(kept)))
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      if deletes {
        let thing = try context.insert("Thing", ["a": "A", "b": "B", "c": "C"])
        try context.save()
        try context.delete(thing)
        try context.save()
      }
      return try context.execute(.fetchHistory(after: nil)).transactions.flatMap { $0.changes ?? [] }
        .filter { $0.changeType == .delete }.map(\.tombstone)
    }
    let (a, b, c) = (Value.string("A"), Value.string("B"), Value.string("C"))
    #expect(try tombstones("bc", isReadOnly: false, deletes: true) == [["b": b, "c": c]])
    // Read with another model, nothing moves.
    for kept in ["abc", "c", "", "ab"] { #expect(try tombstones(kept) == [["b": b, "c": c]], "\(kept)") }
    #expect(
      try tombstones("ac", isReadOnly: false, deletes: true) == [["a": .null, "c": c], ["a": a, "c": c]])
    let all = try tombstones("abc", isReadOnly: false, deletes: true)
    #expect(
      all == [
        ["a": .null, "b": .null, "c": c], ["a": a, "b": .null, "c": c], ["a": a, "b": b, "c": c],
      ])
    #expect(try tombstones("", isReadOnly: false, deletes: true).compactMap { $0 }.allSatisfy(\.isEmpty))
  }

  @Test("CTX-383, REL-134: the former owner of a member of a one-way to-many has changed too")
  func formerOwners() throws {
    let model = ModelDefinition(
      name: "Houses",
      entities: [
        EntityDefinition(
          "House", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("rooms", to: "Room", isToMany: true)]),
        EntityDefinition("Room", attributes: [AttributeDefinition("name", .string)]),
      ])
    let store = try TrackedStore(model)
    let houses = try ["x", "y", "z"].map { try store.context.insert("House", ["name": $0]) }
    let rooms = try ["1", "2", "3"].map { try store.context.insert("Room", ["name": $0]) }
    try houses[0].setValue(Set(rooms[..<2]), forKey: "rooms")
    try houses[1].setValue(Set(rooms[2...]), forKey: "rooms")
    try store.context.save()
    let other = try store.stack.otherProcess()
    let follower = try other.all("House", sort: ["name"])
    #expect(try follower[0].names("rooms").sorted() == ["1", "2"])
    try houses[2].setValue(Set(rooms), forKey: "rooms")
    try store.context.save()
    let last = try #require(try store.history().last)
    #expect(
      TrackedStore.lines(last).sorted() == [
        "update House/p1 rooms", "update House/p2 rooms", "update House/p3 rooms",
      ])
    try other.mergeChanges(fromHistory: [last])
    #expect(try follower.map { try $0.names("rooms").count } == [0, 0, 3])
  }

  @Test("CTX-383: who loses a member that is deleted has changed, also where the save knew nothing of it")
  func unknownOwners() throws {
    let project = try context.insert("Project", ["name": "p"])
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    let other = try tracked.stack.otherProcess()
    let theirs = try #require(try other.all("Project").first)
    try theirs.setValue(try other.all("Employee"), forKey: "members")
    try other.save()
    try context.delete(ada)
    context.mergePolicy = .overwrite
    try context.save()
    let last = try #require(try tracked.history().last)
    #expect(
      TrackedStore.lines(last).sorted() == [
        "delete \(ada.objectID)", "update \(project.objectID) members",
      ])
  }

  @Test("CTX-380, CTX-392: the time of a transaction is that of the commit, however long the save has waited")
  func timeOfCommit() throws {
    let other = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
    defer { other.close() }
    let start = Date()
    let writer = ManagedObjectContext(coordinator: other, concurrencyType: .privateQueue)
    let isWaiting = DispatchSemaphore(value: 0)
    try tracked.coordinator.transaction { _ in
      writer.enqueue {
        _ = try? writer.insert("Employee", ["name": "waits"])
        isWaiting.signal()
        try? writer.save()
      }
      isWaiting.wait()
      Thread.sleep(forTimeInterval: 0.4)
    }
    writer.performAndWait {}
    let time = try #require(try tracked.history().last?.timestamp)
    #expect(time.timeIntervalSince(start) >= 0.4)
  }

  @Test("CTX-378: numbers grow by one, over all processes, and are not used again after a purge")
  func numbers() throws {
    let other = try tracked.stack.otherProcess()
    for (number, context) in [context, other, context].enumerated() {
      try context.insert("Employee", ["name": "\(number)"])
      try context.save()
    }
    #expect(try tracked.history().map(\.transactionNumber) == [1, 2, 3])
    let removed = try context.execute(.deleteHistory(before: Date().addingTimeInterval(60)))
    #expect(removed.count == 3 && removed.status)
    try context.insert("Employee", ["name": "4"])
    try context.save()
    #expect(try tracked.history().map(\.transactionNumber) == [4])
    #expect(try tracked.history().first?.changes?.map(\.changeID) == [4])
  }

  @Test(
    "CTX-373, CTX-374, STO-174: a store remembers that it keeps a history, and does not open to keep none")
  func remembering() throws {
    tracked.coordinator.close()
    let reopened = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
    let context = ManagedObjectContext(coordinator: reopened)
    try context.insert("Employee", ["name": "Ada"])
    try context.save()
    #expect(try context.execute(.fetchHistory(after: nil)).transactions.count == 1)
    reopened.close()
    var options = StoreOptions()
    options.historyTracking = false
    #expect {
      try PersistentStoreCoordinator.open(storeAt: tracked.stack.path, options: options)
    } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .historyIsTracked && error?.number == 136056
        && error?.remedy.contains("disableHistoryTracking") == true
    }
  }

  @Test("CTX-373: a store without history begins one when it is opened with the option, and has none before")
  func beginning() throws {
    let stack = try TestStack(TestModels.company(), factory: .sqlite)
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    #expect { try stack.context.execute(.fetchHistory(after: nil)) } throws: {
      GraphStoreError.code(.historyNotTracked) ~= $0
    }
    var options = StoreOptions()
    options.historyTracking = true
    let tracking = try PersistentStoreCoordinator.open(storeAt: stack.path, options: options)
    // The coordinator that had it open before records as well: no gap is possible.
    try stack.context.insert("Employee", ["name": "Bob"])
    try stack.context.save()
    let context = ManagedObjectContext(coordinator: tracking)
    #expect(try context.execute(.fetchHistory(after: nil)).transactions.count == 1)
    try tracking.disableHistoryTracking(of: tracking.persistentStores[0])
    try stack.context.insert("Employee", ["name": "Cy"])
    try stack.context.save()
    #expect(try !tracking.isTrackingHistory(of: tracking.persistentStores[0]))
    tracking.close()
  }

  @Test("CTX-375: other types of store do not keep a history")
  func otherTypes() throws {
    #expect { try StoreOptions(["historyTracking": .bool(true)], type: .inMemory) } throws: {
      GraphStoreError.code(.storeOption) ~= $0
    }
    let coordinator = try PersistentStoreCoordinator.inMemory(model: ManagedObjectModel(TestModels.company()))
    #expect { try coordinator.enableHistoryTracking(of: coordinator.persistentStores[0]) } throws: {
      GraphStoreError.code(.storeOption) ~= $0
    }
  }

  @Test("CTX-379: the save of a chain of contexts has the author of the topmost one")
  func chain() throws {
    context.transactionAuthor = "root"
    let child = ManagedObjectContext(childOf: context)
    child.transactionAuthor = "child"
    try child.insert("Employee", ["name": "Ada"])
    try child.save()
    #expect(try tracked.history().isEmpty)
    try context.save()
    #expect(try tracked.history().map(\.author) == ["root"])
  }

  @Test("CTX-376: saves within a transaction are in the history once it is committed, each by itself")
  func transactions() throws {
    struct Stop: Error {}
    try tracked.coordinator.transaction(with: context) { transaction in
      try context.insert("Employee", ["name": "a"])
      try context.save()
      try? transaction.savepoint {
        try context.insert("Employee", ["name": "b"])
        try context.save()
        throw Stop()
      }
      try context.insert("Employee", ["name": "c"])
      try context.save()
      #expect(try context.execute(.fetchHistory(after: nil)).transactions.count == 2)
    }
    #expect(try tracked.history().map(\.transactionNumber) == [1, 2])
    try? tracked.coordinator.transaction(with: context) { _ in
      try context.insert("Employee", ["name": "d"])
      try context.save()
      throw Stop()
    }
    #expect(try tracked.history().count == 2)
  }

  @Test(
    "CTX-378, CTX-383, CTX-387: many changes whose keys follow each other, with gaps, of several entities and kinds"
  )
  func manyAtOnce() throws {
    let tracked = try TrackedStore(TestModels.company())
    func saved() throws -> [PersistentHistoryChange] {
      try tracked.context.save()
      return try #require(try tracked.history().last?.changes)
    }
    var desks: [ManagedObject] = []
    for number in 0..<60 {
      desks.append(try tracked.context.insert("Desk", ["name": "\(number)"]))
      if number % 25 == 0 { try tracked.context.insert("Employee", ["name": "\(number)"]) }
    }
    let inserted = try saved()
    #expect(inserted.map(\.changeID) == Array(1...63))
    #expect(inserted.allSatisfy { $0.changeType == .insert && $0.updatedProperties == nil })
    #expect(Set(inserted.map(\.changedObjectID)).count == 63)
    // Nothing is left to number after.
    _ = try tracked.context.execute(.deleteHistory(before: Date().addingTimeInterval(60)))
    let byKey = desks.sorted { $0.objectID.key < $1.objectID.key }
    for (place, desk) in byKey.enumerated() where place != 20 {
      try desk.setValue("new", forKey: "name")
    }
    try tracked.context.delete(byKey[20])
    for number in 0..<17 { try tracked.context.insert("Desk", ["name": "more \(number)"]) }
    let mixed = try saved()
    #expect(mixed.map(\.changeID) == Array(64...140))
    #expect(
      mixed.map(\.changeType) == [.delete] + Array(repeating: .update, count: 59)
        + Array(repeating: .insert, count: 17))
    #expect(mixed[1...59].map(\.changedObjectID) == byKey.filter { $0 !== byKey[20] }.map(\.objectID))
    #expect(mixed[1...59].allSatisfy { $0.updatedProperties?.map(\.name) == ["name"] })
    #expect(mixed[60...].map(\.changedObjectID.key) == (61...77).map(Int64.init))
    let state = try tracked.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001")
    #expect(state == ["140"])
  }
}
