import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Saving to several stores")
struct SavingStoresTests {
  private let stack: SeveralStores
  /// The third store, which fails on demand.
  private let refusing: WatchedStore
  private let third: PersistentStoreReference
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try SeveralStores()
    refusing = WatchedStore(
      try SQLiteStore.create(
        stack.folder.file("2.db"), StoreOptions(timeout: .milliseconds(50)),
        model: stack.coordinator.managedObjectModel, layout: stack.coordinator.layout))
    third = try stack.coordinator.mount(refusing)
  }

  private var allStores: [PersistentStoreReference] { stack.stores + [third] }

  private func insert(_ entity: String, _ values: [String: Any], into number: Int) throws -> ManagedObject {
    let object = try context.insert(entity, values)
    try context.assign(object, to: allStores[number])
    return object
  }

  private func departments() throws -> [[String]] {
    try (0..<3).map { try stack.names("Department", in: $0) }
  }

  // MARK: Each object to its own

  @Test(
    "OBJ-467, CTX-006, STO-130, REL-285: one save inserts, changes and deletes in each store what is its own")
  func eachToItsOwn() throws {
    var kept: [ManagedObject] = []
    var gone: [ManagedObject] = []
    for number in 0..<3 {
      kept.append(try insert("Department", ["name": "kept\(number)"], into: number))
      gone.append(try insert("Employee", ["name": "gone\(number)"], into: number))
      let friend = try insert("Employee", ["name": "friend\(number)"], into: number)
      try friend.addObjects([gone[number]], forKey: "friends")
    }
    try context.save()
    #expect(kept.map(\.key) == [1, 1, 1])
    for number in 0..<3 {
      try kept[number].setValue("changed\(number)", forKey: "name")
      try context.delete(gone[number])
      _ = try insert("Department", ["name": "new\(number)"], into: number)
    }
    try context.save()
    #expect(try departments() == (0..<3).map { ["changed\($0)", "new\($0)"] })
    #expect(try (0..<3).map { try stack.names("Employee", in: $0) } == (0..<3).map { ["friend\($0)"] })
    for number in 0..<3 {
      let connection = try SQLiteConnection(path: allStores[number].path, mode: .readOnly)
      defer { connection.close() }
      let table = try connection.string(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*FRIENDS'")
      #expect(try connection.int64("SELECT count(*) FROM \(#require(table))") == 0)
      #expect(try StoreCheck.run(path: allStores[number].path).allSatisfy { $0.findings.isEmpty })
    }
    #expect(!context.hasChanges)
    try context.checkInvariants()
  }

  @Test("OBJ-467: a store without changes is not written to")
  func untouched() throws {
    let object = try insert("Department", ["name": "D"], into: 0)
    try context.save()
    let counts = allStores.map(\.mount.store.statementCounts.total)
    try object.setValue("E", forKey: "name")
    try context.save()
    let after = allStores.map(\.mount.store.statementCounts.total)
    #expect(after[0] > counts[0] && after[1] == counts[1] && after[2] == counts[2])
  }

  // MARK: Failures before the first commit

  private func expectNothing(_ isFailure: (any Error) -> Bool, _ body: () throws -> Void) throws {
    let before = try departments()
    let inserted = context.insertedObjects
    #expect {
      try body()
    } throws: {
      isFailure($0)
    }
    #expect(try departments() == before)
    #expect(context.insertedObjects == inserted && inserted.allSatisfy(\.objectID.isTemporaryID))
    try context.checkInvariants()
  }

  private func insertEverywhere(_ name: String) throws {
    for number in 0..<3 { _ = try insert("Department", ["name": "\(name)\(number)"], into: number) }
  }

  @Test(
    "STO-131, CTX-119, CTX-463: a begin or a write that fails in the last store leaves all of them as they were",
    arguments: [WatchedStore.Step.begin, .write])
  func earlyFailure(_ step: WatchedStore.Step) throws {
    try insertEverywhere("a")
    refusing.refused = step
    for _ in 0..<2 { try expectNothing({ $0 is WatchedStore.Refusal }) { try context.save() } }
    refusing.refused = nil
    try context.save()
    #expect(try departments() == [["a0"], ["a1"], ["a2"]])
    #expect(!context.hasChanges)
  }

  @Test("STO-131: a second store that another connection has locked keeps the first from being written")
  func locked() throws {
    let coordinator = PersistentStoreCoordinator(model: stack.coordinator.managedObjectModel)
    defer { coordinator.close() }
    let stores = try (0..<2).map {
      try coordinator.addStore(at: stack.path($0), options: StoreOptions(timeout: .milliseconds(20)))
    }
    let context = ManagedObjectContext(coordinator: coordinator)
    for store in stores {
      try context.assign(context.insert("Department", ["name": "D"]), to: store)
    }
    let other = try SQLiteConnection(path: stack.path(1), mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    #expect(code { try context.save() } == .storeTimeout)
    try other.rollback()
    other.close()
    #expect(context.insertedObjects.count == 2)
    #expect(try stack.names("Department", in: 0).isEmpty && stack.names("Department", in: 1).isEmpty)
    try context.save()
    #expect(try stack.names("Department", in: 0) == ["D"] && stack.names("Department", in: 1) == ["D"])
  }

  @Test("STO-131, DGN-191: a second store whose disk is full keeps the first from being written")
  func fullDisk() throws {
    let connection = try stack.connection(1)
    let pages = try connection.int64("PRAGMA page_count") ?? 0
    try connection.execute("PRAGMA max_page_count = \(pages + 2)")
    let large = String(repeating: "x", count: 100_000)
    _ = try insert("Department", ["name": "first"], into: 0)
    _ = try insert("Department", ["name": large], into: 1)
    _ = try insert("Department", ["name": "third"], into: 2)
    try expectNothing({ GraphStoreError.code(.diskFull) ~= $0 }) { try context.save() }
    try connection.execute("PRAGMA max_page_count = 1000000")
    try context.save()
    #expect(try departments() == [["first"], [large], ["third"]])
  }

  @Test("STO-130, STO-131: a conflict in the second store keeps the first from being written")
  func conflict() throws {
    let first = try insert("Department", ["name": "a"], into: 0)
    let second = try insert("Department", ["name": "b"], into: 1)
    try context.save()
    let other = stack.newContext()
    try other.existingObject(with: second.objectID).setValue("other", forKey: "name")
    try other.save()
    try first.setValue("mine", forKey: "name")
    try second.setValue("mine", forKey: "name")
    #expect(code { try context.save() } == .mergeConflict)
    #expect(try departments() == [["a"], ["other"], []])
    try context.refresh(second, mergeChanges: true)
    try context.save()
    #expect(try departments() == [["mine"], ["mine"], []])
  }

  // MARK: Failures after it

  @Test(
    "STO-132, DGN-182: a commit that fails after others names the stores; their objects are saved, the others stay pending"
  )
  func incomplete() throws {
    let changed = try (0..<3).map { try insert("Department", ["name": "c\($0)"], into: $0) }
    let gone = try (0..<3).map { try insert("Department", ["name": "g\($0)"], into: $0) }
    try context.save()
    let new = try (0..<3).map {
      try insert("Employee", ["name": "n\($0)", "department": changed[$0]], into: $0)
    }
    for object in changed { try object.setValue("changed", forKey: "name") }
    for object in gone { try context.delete(object) }
    refusing.refused = .commit
    let error = failure { try context.save() }
    #expect(error?.code == .incompleteSave && error?.number == 134040)
    #expect(error?.writtenStores == stack.stores && error?.unwrittenStores == [third])
    for store in allStores { #expect(error?.message.contains(store.path) == true) }
    #expect(error?.underlying is WatchedStore.Refusal)
    #expect(try departments() == [["changed"], ["changed"], ["c2", "g2"]])
    #expect(context.insertedObjects == [new[2]] && context.updatedObjects == [changed[2]])
    #expect(context.deletedObjects == [gone[2]])
    #expect(new.map(\.objectID.isTemporaryID) == [false, false, true])
    #expect(
      changed[2].changedKeys == ["employees", "name"] || changed[2].changedKeys == ["name", "employees"])
    try context.checkInvariants()
    // What is pending can still be changed, and is saved when the cause is gone.
    try new[2].setValue("later", forKey: "name")
    try new[0].setValue("again", forKey: "name")
    refusing.refused = nil
    try context.save()
    #expect(!context.hasChanges)
    #expect(try departments() == [["changed"], ["changed"], ["changed"]])
    #expect(try (0..<3).map { try stack.names("Employee", in: $0) } == [["again"], ["n1"], ["later"]])
    #expect(try stack.newContext().all("Employee", "department.name == 'changed'").count == 3)
    for store in allStores {
      #expect(try StoreCheck.run(path: store.path).allSatisfy { $0.findings.isEmpty })
    }
  }

  @Test("STO-132: a rollback after an incomplete save takes back only what is pending")
  func incompleteThenRollback() throws {
    try insertEverywhere("a")
    refusing.refused = .commit
    #expect(code { try context.save() } == .incompleteSave)
    context.rollback()
    refusing.refused = nil
    #expect(!context.hasChanges)
    try context.save()
    #expect(try departments() == [["a0"], ["a1"], []])
    try context.checkInvariants()
  }

  @Test("STO-131: a commit that fails in the first store written is no incomplete save")
  func firstCommit() throws {
    refusing.refused = .commit
    _ = try insert("Department", ["name": "a"], into: 2)
    try expectNothing({ $0 is WatchedStore.Refusal }) { try context.save() }
    refusing.refused = nil
    try context.save()
    #expect(try departments() == [[], [], ["a"]])
  }

  // MARK: Transactions

  @Test("STO-131: a transaction over several stores commits the saves of all of them, or none")
  func transaction() throws {
    struct Stop: Error {}
    try? stack.coordinator.transaction(with: context) { _ in
      try insertEverywhere("a")
      try context.save()
      throw Stop()
    }
    #expect(try departments() == [[], [], []])
    try stack.coordinator.transaction(with: context) { _ in
      try insertEverywhere("b")
      try context.save()
      try insertEverywhere("c")
      refusing.refused = .write
      #expect(throws: WatchedStore.Refusal.self) { try context.save() }
      refusing.refused = nil
      context.rollback()
      #expect(try context.all("Department").count == 3)
    }
    #expect(try departments() == [["b0"], ["b1"], ["b2"]])
    try context.checkInvariants()
  }

  @Test(
    "STO-132: a transaction whose commit fails after another store's names both, and its contexts begin anew")
  func incompleteTransaction() throws {
    let reader = stack.newContext()
    let error = failure {
      try stack.coordinator.transaction(with: context) { _ in
        try insertEverywhere("a")
        try context.save()
        refusing.refused = .commit
      }
    }
    refusing.refused = nil
    #expect(error?.code == .incompleteSave)
    #expect(error?.writtenStores == stack.stores && error?.unwrittenStores == [third])
    #expect(try departments() == [["a0"], ["a1"], []])
    #expect(context.registeredCount == 0 && !context.hasChanges && context.transaction == nil)
    #expect(try reader.all("Department").count == 2)
    try insertEverywhere("b")
    try context.save()
    #expect(try departments() == [["a0", "b0"], ["a1", "b1"], ["b2"]])
    try context.checkInvariants()
  }

  @Test("STO-131: a transaction whose first commit fails is taken back in all stores")
  func failedTransaction() throws {
    let model = stack.coordinator.managedObjectModel
    let coordinator = PersistentStoreCoordinator(model: model)
    defer { coordinator.close() }
    let first = WatchedStore(
      try SQLiteStore.create(
        stack.folder.file("r"), StoreOptions(), model: model, layout: coordinator.layout))
    try coordinator.mount(first)
    let second = try coordinator.addStore(at: stack.folder.file("s"))
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(throws: WatchedStore.Refusal.self) {
      try coordinator.transaction(with: context) { _ in
        try context.insert("Department", ["name": "a"])
        try context.assign(context.insert("Department", ["name": "b"]), to: second)
        try context.save()
        first.refused = .commit
      }
    }
    first.refused = nil
    #expect(try context.all("Department").isEmpty)
    try context.insert("Department", ["name": "c"])
    try context.save()
    #expect(try context.all("Department").count == 1)
  }

  // MARK: Links between stores

  @Test(
    "CTX-096, CTX-128, DGN-179, STO-133, REL-157, STO-134, REL-161: each changed link between stores is named before anything is written"
  )
  func crossing() throws {
    let department = try insert("Department", ["name": "D"], into: 0)
    try context.save()
    let employee = try insert("Employee", ["name": "E", "department": department], into: 1)
    _ = try insert("Department", ["name": "innocent"], into: 2)
    let error = failure { try context.save() }
    #expect(error?.code == .crossStoreRelationship && error?.number == 133010)
    #expect(error?.entity == "Employee" && error?.property == "department")
    #expect(error?.objectID == employee.objectID && error?.relatedObjects == [department.objectID])
    for part in ["Employee.department", stack.path(0), stack.path(1), department.objectID.shortForm] {
      #expect(error?.message.contains(part) == true, "\(part)")
    }
    #expect(error?.remedy.contains("fetched property") == true && error?.remedy.contains("URI") == true)
    #expect(try departments() == [["D"], [], []])
    #expect(employee.isInserted && context.hasChanges)
    try employee.setValue(nil, forKey: "department")
    try context.save()
    #expect(try departments() == [["D"], [], ["innocent"]])
    #expect(try stack.names("Employee", in: 1) == ["E"])
  }

  @Test("REL-157: links of saved objects, of every shape, told once each")
  func crossingShapes() throws {
    let first = try insert("Employee", ["name": "a"], into: 0)
    let second = try insert("Employee", ["name": "b"], into: 1)
    let project = try insert("Project", ["name": "p"], into: 1)
    try context.save()
    let changes: [(String, () throws -> Void)] = [
      ("friends", { try first.addObjects([second], forKey: "friends") }),
      ("spouse", { try second.setValue(first, forKey: "spouse") }),
      ("manager", { try first.addObjects([second], forKey: "reports") }),
      ("projects", { try first.addObjects([project], forKey: "projects") }),
    ]
    for (name, change) in changes {
      try change()
      let error = failure { try context.save() }
      #expect(error?.code == .crossStoreRelationship && error?.property == name, "\(name)")
      context.rollback()
    }
    for (_, change) in changes { try change() }
    #expect(failure { try context.save() }?.errors.count == 4)
    context.rollback()
    try first.setValue("changed", forKey: "name")
    try context.save()
  }

  @Test(
    "OBJ-462, REL-158: a new object related to objects of two stores is refused with the link that cannot be")
  func betweenTwo() throws {
    let department = try insert("Department", ["name": "D"], into: 0)
    let boss = try insert("Employee", ["name": "Boss"], into: 1)
    try context.save()
    let new = try context.insert("Employee", ["name": "new", "department": department, "manager": boss])
    let error = failure { try context.save() }
    #expect(error?.code == .crossStoreRelationship)
    #expect(new.isInserted && new.objectID.isTemporaryID)
    try new.setValue(nil, forKey: "department")
    try context.save()
    #expect(try stack.names("Employee", in: 1) == ["Boss", "new"])
  }

  @Test("STO-133: a transient relationship may lead to another store's object")
  func transient() throws {
    let model = ModelDefinition(
      name: "Transient",
      entities: [
        EntityDefinition(
          "A", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("b", to: "A", isTransient: true)])
      ])
    let stack = try SeveralStores(model)
    let one = try stack.insert("A", ["name": "one"], into: 0)
    let two = try stack.insert("A", ["name": "two", "b": one], into: 1)
    try stack.context.save()
    #expect(try two.object(forKey: "b") === one)
    #expect(try stack.names("A", in: 1) == ["two"])
  }
}
