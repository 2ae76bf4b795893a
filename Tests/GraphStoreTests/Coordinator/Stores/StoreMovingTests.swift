import Foundation
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

@Suite("Moving a store to another place")
struct StoreMovingTests {
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
