import Foundation
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

@Suite("Copying objects, and moving them between stores")
struct MovingTests {
  private let stack: SeveralStores
  private var context: ManagedObjectContext { stack.context }
  private let department: ManagedObject
  private let ada: ManagedObject

  init() throws {
    stack = try SeveralStores(TestModels.company(employees: .cascade, isOrdered: true))
    department = try stack.insert("Department", ["name": "Labs"], into: 0)
    ada = try stack.insert("Employee", ["name": "Ada", "salary": 7, "department": department], into: 0)
    for name in ["Bob", "Eve"] {
      try stack.insert("Employee", ["name": name, "department": department, "manager": ada], into: 0)
    }
    try stack.insert("Project", ["name": "P", "members": [ada]], into: 0)
    try stack.insert("Desk", ["name": "D", "owner": ada], into: 0)
    try stack.context.save()
  }

  private func whole() -> CopyRules {
    var rules = CopyRules()
    rules["Department", "employees"] = .copy
    rules["Employee", "manager"] = .copy
    return rules
  }

  // MARK: Copying

  @Test("OBJ-441, OBJ-442: a copy has the attributes of its original, and no relationship that is not named")
  func attributes() throws {
    let copy = try context.copy(ada)
    #expect(copy.isInserted && copy !== ada && copy.entity === ada.entity)
    #expect(try copy.string("name") == "Ada" && copy.value(forKey: "salary") as? Int64 == 7)
    for key in ["department", "manager", "spouse", "desk"] { #expect(try copy.value(forKey: key) == nil) }
    #expect(try copy.objects(forKey: "reports").isEmpty && copy.objects(forKey: "projects").isEmpty)
    #expect(!ada.hasChanges)
  }

  @Test("OBJ-442: a rule of a relationship or an entity that there is not is refused")
  func unknown() throws {
    var rules = CopyRules()
    rules["Employee", "boss"] = .copy
    #expect(code { _ = try context.copy(ada, rules: rules) } == .unknownKey)
    rules = CopyRules()
    rules["Staff", "manager"] = .copy
    #expect(code { _ = try context.copy(ada, rules: rules) } == .unknownEntity)
    #expect(!context.hasChanges)
  }

  @Test(
    "OBJ-443, DGN-251: a reference that would take an object away from the original is refused unless moving is allowed"
  )
  func reference() throws {
    var rules = CopyRules()
    rules["Employee", "department"] = .reference
    rules["Employee", "projects"] = .reference
    let copy = try context.copy(ada, rules: rules)
    #expect(try copy.object(forKey: "department") === department)
    #expect(try copy.names("projects") == ["P"] && ada.names("projects") == ["P"])
    context.rollback()
    rules["Employee", "desk"] = .reference
    let error = failure { _ = try context.copy(ada, rules: rules) }
    #expect(error?.code == .copyWouldMove && error?.number == 136080)
    #expect(error?.relatedObjects.map(\.shortForm) == ["Desk/p1"] && error?.property == "desk")
    #expect(!context.hasChanges)
    rules.allowsMoving = true
    #expect(try context.copy(ada, rules: rules).object(forKey: "desk")?.string("name") == "D")
    #expect(try ada.object(forKey: "desk") == nil)
  }

  @Test("OBJ-444: each original is copied once, links between copies lead to copies, and order is kept")
  func graph() throws {
    let copy = try context.copy(department, rules: whole())
    #expect(try copy.names("employees") == ["Ada", "Bob", "Eve"])
    let employees = try copy.objects(forKey: "employees")
    #expect(try employees.allSatisfy { try $0.object(forKey: "department") === copy && $0.isInserted })
    #expect(try employees[1].object(forKey: "manager") === employees[0])
    #expect(context.insertedObjects.count == 4 && context.updatedObjects.isEmpty)
    try context.save()
    #expect(try context.all("Employee").count == 6)
  }

  @Test("OBJ-445, DGN-251: a copy with too many objects is refused before anything is inserted")
  func tooLarge() throws {
    var rules = whole()
    rules.maximumObjects = 4
    _ = try context.copy(department, rules: rules)
    context.rollback()
    rules.maximumObjects = 3
    let error = failure { _ = try context.copy(department, rules: rules) }
    #expect(error?.code == .copyTooLarge && error?.number == 136081)
    #expect(!context.hasChanges)
  }

  // MARK: Moving

  @Test("STO-145, OBJ-466, STO-316: an object moves with what is copied along; its identifier is new")
  func move() throws {
    let id = department.objectID
    let moved = try context.move(department, to: stack.stores[1], rules: whole())
    #expect(moved.objectID != id && !moved.objectID.isTemporaryID && !context.hasChanges)
    #expect(try moved.names("employees") == ["Ada", "Bob", "Eve"])
    #expect(department.managedObjectContext == nil)
    #expect(try stack.names("Department", in: 0).isEmpty && stack.names("Employee", in: 0).isEmpty)
    #expect(try stack.names("Department", in: 1) == ["Labs"])
    #expect(try stack.names("Employee", in: 1) == ["Ada", "Bob", "Eve"])
    #expect(try stack.findings().isEmpty)
    try context.checkInvariants()
  }

  @Test("STO-145: where the object is already nothing happens; a new one is assigned")
  func noMove() throws {
    #expect(try context.move(ada, to: stack.stores[0]) === ada && !context.hasChanges)
    let new = try context.insert("Employee", ["name": "new"])
    #expect(try context.move(new, to: stack.stores[1]) === new && new.isInserted)
    try context.save()
    #expect(try stack.names("Employee", in: 1) == ["new"])
  }

  @Test("STO-145, REL-157: a move that cannot be saved leaves the object where it is, and no copy")
  func refused() throws {
    var rules = CopyRules()
    rules["Employee", "department"] = .reference
    #expect(code { try context.move(ada, to: stack.stores[1], rules: rules) } == .crossStoreRelationship)
    #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
    #expect(try department.names("employees") == ["Ada", "Bob", "Eve"])
    try context.save()
    #expect(try stack.names("Employee", in: 0) == ["Ada", "Bob", "Eve"])
    #expect(try stack.names("Employee", in: 1).isEmpty && stack.findings().isEmpty)
  }

  @Test("STO-145: a move whose deletion a rule forbids inserts nothing")
  func denied() throws {
    let stack = try SeveralStores(TestModels.company(employees: .deny))
    let department = try stack.insert("Department", ["name": "Labs"], into: 0)
    try stack.insert("Employee", ["name": "Ada", "department": department], into: 0)
    try stack.context.save()
    #expect(code { try stack.context.move(department, to: stack.stores[1]) } == .deleteDenied)
    #expect(!stack.context.hasChanges)
    #expect(try stack.names("Department", in: 1).isEmpty)
  }

  // MARK: The place of a store

  @Test(
    "STO-032, STO-033: a store goes on at the place that its file was moved to, with its objects and their changes"
  )
  func setURL() throws {
    let store = stack.stores[0]
    let place = stack.folder.file("moved.db")
    try ada.setValue("changed", forKey: "name")
    for end in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: store.path + end) {
      try FileManager.default.moveItem(atPath: store.path + end, toPath: place + end)
    }
    try stack.coordinator.setURL(URL(fileURLWithPath: place), for: store)
    #expect(store.path == place && stack.coordinator.persistentStore(for: place) == store)
    #expect(try stack.coordinator.url(for: store).path == store.url.path)
    #expect(ada.isUpdated && stack.coordinator.persistentStores == stack.stores)
    try context.save()
    #expect(try department.names("employees") == ["changed", "Bob", "Eve"])
    let other = try PersistentStoreCoordinator.open(storeAt: place)
    defer { other.close() }
    #expect(try ManagedObjectContext(coordinator: other).all("Employee", "name == 'changed'").count == 1)
    #expect(!FileManager.default.fileExists(atPath: stack.path(0)))
    #expect(try stack.newContext().existingObject(with: ada.objectID).string("name") == "changed")
  }

  /// Copies the first store.
  private func copy(to place: String) throws {
    let raw = try SQLiteConnection(path: stack.path(0), mode: .readWrite)
    defer { raw.close() }
    try raw.execute("VACUUM INTO '\(place)'")
  }

  @Test("STO-032: requests that wait while a store is moved go on at the new place")
  func waiting() throws {
    let (coordinator, store) = (stack.coordinator, stack.stores[0])
    let contexts = (0..<3).map { _ in ManagedObjectContext(coordinator: coordinator) }
    let places = (0..<10).map { stack.folder.file("place\($0).db") }
    for place in places { try copy(to: place) }
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for place in places {
        do {
          if number == 3 {
            try coordinator.setURL(URL(fileURLWithPath: place), for: store)
          } else {
            let count = try contexts[number].performAndWait { try contexts[number].all("Employee").count }
            if count != 3 { failures.withLock { $0.append("\(count)") } }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock(\.self) == [])
  }

  @Test("STO-032: what the file at the new place holds is read, and a conflict with it is found")
  func copiedFile() throws {
    let place = stack.folder.file("copy.db")
    try copy(to: place)
    let other = try PersistentStoreCoordinator.open(storeAt: place)
    let context = ManagedObjectContext(coordinator: other)
    try context.all("Employee", "name == 'Ada'")[0].setValue("elsewhere", forKey: "name")
    try context.save()
    other.close()
    try ada.setValue("here", forKey: "name")
    try stack.coordinator.setURL(URL(fileURLWithPath: place), for: stack.stores[0])
    #expect(code { try stack.context.save() } == .mergeConflict)
    #expect(try stack.newContext().all("Employee", "name == 'elsewhere'").count == 1)
  }

  @Test("STO-032: where no store is, or another one, or in memory, the store stays where it is")
  func refusedPlaces() throws {
    let (coordinator, store) = (stack.coordinator, stack.stores[0])
    func code(_ path: String) -> GraphStoreError.Code? {
      GraphStoreTests.code { try coordinator.setURL(URL(fileURLWithPath: path), for: store) }
    }
    #expect(code(stack.folder.file("none.db")) == .storeNotFound)
    #expect(code(stack.path(1)) == .storeAlreadyOpen)
    let stranger = try TestStack(TestModels.company(employees: .cascade, isOrdered: true))
    #expect(code(stranger.path) == .storeOpen)
    let database = try coordinator.addStore(at: "/dev/null")
    #expect(
      GraphStoreTests.code { try coordinator.setURL(URL(fileURLWithPath: stack.path(0)), for: database) }
        == .notSupported)
    #expect(store.path == stack.path(0))
    #expect(try context.all("Employee").count == 3)
  }
}
