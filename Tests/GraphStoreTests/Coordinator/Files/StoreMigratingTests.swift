import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// Stores that are written into new ones of any type, which are mounted in their stead.
@Suite("Migrating a store to another place or type", .everyStore)
struct StoreMigratingTests {
  /// A type to which the store of the suite's type is migrated.
  enum Target: String, CaseIterable {
    case sqlite, privateSQLite, memory
  }

  /// Every kind of relationship, and values of every kind, with large ones and derived ones.
  private static let model: ModelDefinition = {
    var model = TestModels.company(isOrdered: true)
    model.entities += TestModels.types.entities
    model.entities.append(
      EntityDefinition(
        "Note",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("image", .binary, externalStorage: true),
          AttributeDefinition("changed", .date, derivation: "now()"),
          AttributeDefinition("upper", .string, derivation: "uppercase:(name)"),
          AttributeDefinition("count", .int64, derivation: "tags.@count"),
          AttributeDefinition(
            "place", .composite,
            elements: [AttributeDefinition("town", .string)]),
        ],
        relationships: [
          RelationshipDefinition("tags", to: "Project", isToMany: true),
          RelationshipDefinition("queue", to: "Desk", isToMany: true, isOrdered: true),
          RelationshipDefinition("author", to: "Employee"),
        ]))
    return model
  }()

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private var coordinator: PersistentStoreCoordinator { stack.coordinator }

  init() throws {
    stack = try TestStack(Self.model)
    try fill()
  }

  private func fill() throws {
    let departments = try ["Labs", "Sales"].map { try context.insert("Department", ["name": $0]) }
    var employees: [ManagedObject] = []
    for number in 0..<90 {
      let entity = number % 7 == 0 ? "Manager" : "Employee"
      employees.append(
        try context.insert(
          entity, ["name": "e\(number)", "salary": number, "department": departments[number % 2]]))
      if number > 0 { try employees[number].setValue(employees[number / 3], forKey: "manager") }
    }
    try employees[0].setValue(Decimal(string: "12345678901234567890.25"), forKey: "budget")
    try employees[1].setValue(employees[2], forKey: "spouse")
    try employees[3].setValue(Set(employees[4..<8]), forKey: "friends")
    let desks = try (0..<5).map { try context.insert("Desk", ["name": "d\($0)", "owner": employees[$0]]) }
    for number in 0..<4 {
      try context.insert(
        "Project",
        ["name": "p\(number)", "members": Array(employees[(number * 5)..<(number * 5 + 9)].reversed())])
    }
    try context.save()
    let projects = try context.all("Project", sort: ["name"])
    try context.insert(
      "Note",
      [
        "name": "small", "image": Data([1, 2]), "tags": Set(projects[0...2]), "author": employees[5],
        "queue": [desks[3], desks[0], desks[4]], "place": ["town": "Ulm"],
      ])
    try context.insert("Note", ["name": "large", "image": Data(repeating: 3, count: 150_000)])
    try context.insert(
      "Thing",
      [
        "small": -5, "large": Int64.max, "money": Decimal(string: "0.1")!, "ratio": 0.25, "text": "",
        "flag": true, "moment": Date(timeIntervalSinceReferenceDate: 12.5), "bytes": Data(),
        "tag": UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!,
        "link": URL(string: "http://a.b/c")!,
      ])
    try context.save()
    // Keys that are gone, and versions that have risen.
    try context.delete(employees[89])
    try employees[10].setValue("renamed", forKey: "name")
    try coordinator.setMetadata(["owner": .string("Ada")], for: coordinator.persistentStores[0])
    try context.save()
  }

  private func path(_ name: String) -> String { stack.folder.appending(path: name).path }

  private func migrate(to target: Target, _ name: String = "new.db") throws -> PersistentStoreReference {
    let store = coordinator.persistentStores[0]
    switch target {
    case .sqlite:
      return try coordinator.migratePersistentStore(store, to: URL(fileURLWithPath: path(name)))
    case .privateSQLite:
      return try coordinator.migratePersistentStore(store, to: URL(fileURLWithPath: "/dev/null"))
    case .memory: return try coordinator.migratePersistentStore(store, to: nil, type: .inMemory)
    }
  }

  /// What differs between two states, but for versions.
  private static func differences(_ old: StoreState, _ new: StoreState) -> [String] {
    Set(old.records.keys).union(new.records.keys).compactMap { key in
      let (before, after) = (old.records[key], new.records[key])
      if before?.values == after?.values, before?.members == after?.members,
        before?.layout.entity.name == after?.layout.entity.name
      {
        return nil
      }
      return "\(key): \(String(describing: before)) became \(String(describing: after))"
    }
  }

  @Test(
    "STO-147, STO-148, STO-149, STO-165, STO-185: objects, values, links, places and metadata are the same, with every key, and versions from 1",
    arguments: Target.allCases)
  func contents(_ target: Target) throws {
    let before = try StoreState(stack.newContext())
    let old = coordinator.persistentStores[0]
    let (oldType, oldIdentifier) = (old.typeName, old.identifier)
    let new = try migrate(to: target)
    #expect(new.typeName == (target == .memory ? "InMemory" : "SQLite"))
    #expect(coordinator.persistentStores == [new] && new.identifier != oldIdentifier)
    let after = try StoreState(stack.newContext())
    #expect(before.records.count > 100 && after.records.count == before.records.count)
    #expect(Self.differences(before, after) == [], "\(oldType)")
    #expect(Set(after.records.values.map(\.version)) == [1])
    #expect(Set(before.records.values.map(\.version)) != [1])
    #expect(try coordinator.metadata(for: new)["owner"] == .string("Ada"))
    #expect(try coordinator.metadata(for: new)["NSStoreType"] == .string(new.typeName))
    // New objects get keys that no object has ever had.
    let added = stack.newContext()
    let employee = try added.insert("Employee", ["name": "new"])
    try added.save()
    #expect(stack.has(.keysOfTrees) ? employee.objectID.key == 91 : employee.objectID.key > 90)
    guard target == .sqlite else { return }
    #expect(try StoreCheck.run(path: new.path).flatMap(\.findings) == [])
    #expect(new.externalData.map { [$0.files, $0.bytes] } == [1, 150_000])
    coordinator.close()
    let reopened = try PersistentStoreCoordinator.open(storeAt: new.path)
    defer { reopened.close() }
    #expect(try ManagedObjectContext(coordinator: reopened).all("Note", "upper == 'LARGE'").count == 1)
  }

  @Test(
    "STO-150, STO-151, OBJ-130: objects go on with their new identifiers and their unsaved changes",
    arguments: Target.allCases)
  func objects(_ target: Target) throws {
    let other = stack.newContext()
    let watched = try other.all("Employee", "name == 'e5'")[0]
    let changed = try context.all("Employee", "name == 'e7'")[0]
    let deleted = try context.all("Project", "name == 'p1'")[0]
    let kept = try context.all("Department", "name == 'Labs'")[0]
    let ids = [watched, changed, deleted, kept].map(\.objectID)
    try changed.setValue(1000, forKey: "salary")
    try changed.setValue(kept, forKey: "department")
    try context.delete(deleted)
    let inserted = try context.insert("Employee", ["name": "inserted", "manager": changed])
    let temporary = inserted.objectID
    let told = Mutex<[MigratedPersistentStore]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: PersistentStoreCoordinator.storesDidChange, object: coordinator, queue: nil
    ) { change in
      let key = PersistentStoreCoordinator.migratedStoresKey
      told.withLock { $0 += change.userInfo?[key] as? [MigratedPersistentStore] ?? [] }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let old = coordinator.persistentStores[0]
    let new = try migrate(to: target)
    let map = try #require(told.withLock(\.self).first)
    #expect(map.former == old && map.store == new && old != new)
    let objects = [watched, changed, deleted, kept]
    for (object, id) in zip(objects, ids) {
      #expect(object.objectID != id && object.objectID == map.objectID(for: id))
      #expect(object.objectID.shortForm == id.shortForm)
      #expect(object.objectID.uriText.contains(new.identifier.uuidString))
    }
    #expect(map.objectID(for: temporary) == nil && inserted.objectID == temporary)
    #expect(try context.existingObject(with: kept.objectID) === kept)
    #expect(changed.isUpdated && deleted.isDeleted && inserted.isInserted)
    #expect(try changed.value(forKey: "salary") as? Int64 == 1000)
    try context.save()
    let fresh = stack.newContext()
    #expect(try fresh.all("Employee", "salary == 1000 AND department.name == 'Labs'").count == 1)
    #expect(try fresh.all("Project").count == 3)
    #expect(
      try fresh.all("Employee", "manager.salary == 1000").map { try $0.string("name") }.contains("inserted"))
    // The other context reads and writes the new store too.
    try watched.setValue(2000, forKey: "salary")
    try other.save()
    #expect(try fresh.all("Employee", "salary == 2000").count == 1)
    try other.refreshAllObjects()
    #expect(try watched.names("projects").count > 0)
  }

  @Test("STO-150: the former store is useless afterwards")
  func former() throws {
    let old = coordinator.persistentStores[0]
    let new = try migrate(to: .sqlite)
    #expect(old.coordinator == nil && new.coordinator === coordinator)
    #expect(code { try coordinator.remove(old) } == .unknownStore)
    #expect(code { _ = try coordinator.metadata(for: old) } == .unknownStore)
    #expect(
      code { _ = try coordinator.migratePersistentStore(old, to: nil, type: .inMemory) } == .unknownStore)
    try coordinator.remove(new)
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test("STO-149: a history is not carried over, and one of the new store begins empty", .needs(.files))
  func history() throws {
    try coordinator.enableHistoryTracking(of: coordinator.persistentStores[0])
    try context.all("Project")[0].setValue("tracked", forKey: "name")
    try context.save()
    var options = StoreOptions()
    options.historyTracking = true
    let new = try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: URL(fileURLWithPath: path("new.db")), options: options)
    #expect(try coordinator.isTrackingHistory(of: new))
    #expect(try coordinator.historyUsage(of: new)?.transactions == 0)
    try context.all("Project")[0].setValue("first", forKey: "name")
    try context.save()
    #expect(try coordinator.historyUsage(of: new)?.transactions == 1)
    #expect(try StoreCheck.run(path: new.path).flatMap(\.findings) == [])
  }

  @Test("STO-152: the old file stays as it was", .needs(.files))
  func oldFile() throws {
    let before = try StoreState(stack.newContext())
    let old = coordinator.persistentStores[0]
    let identifier = old.identifier
    _ = try migrate(to: .sqlite)
    try context.all("Employee").forEach { try context.delete($0) }
    try context.save()
    let reopened = try PersistentStoreCoordinator.open(storeAt: stack.path)
    defer { reopened.close() }
    #expect(reopened.persistentStores[0].identifier == identifier)
    #expect(Self.differences(before, try StoreState(ManagedObjectContext(coordinator: reopened))) == [])
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
  }

  @Test("STO-153: the destination must not exist, but for an empty file")
  func taken() throws {
    let store = coordinator.persistentStores[0]
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path("taken.db")))
    #expect(code { _ = try migrate(to: .sqlite, "taken.db") } == .storeExists)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("taken.db"))) == Data("mine".utf8))
    #expect(code { _ = try migrate(to: .sqlite, "none/new.db") } != nil)
    #expect(code { _ = try coordinator.migratePersistentStore(store, to: nil) } == .notSupported)
    #expect(
      code { _ = try coordinator.migratePersistentStore(store, to: nil, type: StoreType(rawValue: "None")) }
        == .notSupported)
    #expect(coordinator.persistentStores == [store] && store.coordinator === coordinator)
    try Data().write(to: URL(fileURLWithPath: path("empty.db")))
    let new = try migrate(to: .sqlite, "empty.db")
    #expect(new.path == path("empty.db"))
    #expect(try stack.newContext().all("Employee").count == 89)
  }

  @Test("STO-153, STO-330: a name with the same folder of external data is refused", .needs(.files))
  func sharedFolder() throws {
    #expect(code { _ = try migrate(to: .sqlite, "store.copy") } == .migrationDestination)
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
    #expect(!FileManager.default.fileExists(atPath: path("store.copy")))
  }

  @Test(
    "STO-154: a failure leaves nothing of the new store, and the old one mounted, unchanged and at work",
    .needs(.files))
  func failing() throws {
    let before = try StoreState(stack.newContext())
    let store = coordinator.persistentStores[0]
    // A row of an entity number that no entity has cannot be read.
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    defer { raw.close() }
    try raw.execute("UPDATE ZNOTE SET Z_ENT = 99 WHERE Z_PK = 2")
    let employee = try context.all("Employee", "name == 'e7'")[0]
    let id = employee.objectID
    try employee.setValue("unsaved", forKey: "name")
    let names = try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).sorted()
    for target in Target.allCases {
      #expect(code { _ = try migrate(to: target) } == .storeCorrupt, "\(target)")
      #expect(coordinator.persistentStores == [store] && employee.objectID == id)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).sorted() == names)
    try raw.execute(
      "UPDATE ZNOTE SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note') WHERE Z_PK = 2")
    #expect(Self.differences(before, try StoreState(stack.newContext())) == [])
    try context.save()
    #expect(try stack.newContext().all("Employee", "name == 'unsaved'").count == 1)
  }

  @Test(
    "STO-155: where the old store cannot be closed, both are mounted, and the error says so", .needs(.files))
  func stillOpen() throws {
    coordinator.close()
    let coordinator = PersistentStoreCoordinator(model: coordinator.managedObjectModel)
    defer { coordinator.close() }
    let old = try coordinator.addStore(at: stack.path, options: StoreOptions(timeout: .milliseconds(200)))
    let context = ManagedObjectContext(coordinator: coordinator)
    let error = failure {
      try coordinator.transaction(with: context) { _ in
        #expect(try context.all("Project").count == 4)
        try coordinator.migratePersistentStore(old, to: URL(fileURLWithPath: path("new.db")))
      }
    }
    #expect(
      error?.code == .storeTimeout && error?.message.contains("both are open") == true, "\(error as Any)")
    #expect(coordinator.persistentStores.map(\.path) == [stack.path, path("new.db")])
    #expect(coordinator.persistentStores[0] == old && old.coordinator === coordinator)
    #expect(try context.all("Employee").count == 178)
    try coordinator.remove(coordinator.persistentStores[1])
    #expect(try context.all("Employee").count == 89)
  }

  @Test("STO-148: objects and links are read in batches, and not one by one", .needs(.statements))
  func batches() throws {
    let old = coordinator.persistentStores[0].mount.store
    let before = old.statementCounts.total
    _ = try migrate(to: .memory)
    #expect((20...60).contains(old.statementCounts.total - before))
  }

  @Test("STO-147, STO-151: metadata that wait for a save are saved to the new store")
  func pendingMetadata() throws {
    try coordinator.setMetadata(["owner": .string("Grace")], for: coordinator.persistentStores[0])
    let new = try migrate(to: .memory)
    #expect(try coordinator.metadata(for: new)["owner"] == .string("Grace"))
    try context.save()
    #expect(try new.mount.store.read { try $0.metadata() }["owner"] == .string("Grace"))
  }

  @Test("STO-147: there and back again, and once more", .needs(.keysOfTrees))
  func roundTrip() throws {
    let before = try StoreState(stack.newContext())
    let ada = try context.all("Employee", "name == 'e5'")[0]
    for (number, target) in [Target.memory, .sqlite, .privateSQLite, .sqlite, .memory].enumerated() {
      _ = try migrate(to: target, "new\(number).db")
      #expect(Self.differences(before, try StoreState(stack.newContext())) == [], "\(number)")
      #expect(ada.objectID.shortForm == "Employee/p6")
      try context.refreshAllObjects()
      #expect(try ada.string("name") == "e5")
    }
  }
}
