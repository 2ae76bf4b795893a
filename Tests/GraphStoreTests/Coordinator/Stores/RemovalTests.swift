import Foundation
import GraphStoreModel
import Synchronization
import Testing

@testable import GraphStore

@Suite("Removing a store from a coordinator")
struct RemovalTests {
  private let stack: SeveralStores
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try SeveralStores()
    for number in 0..<2 {
      let department = try stack.insert("Department", ["name": "D\(number)"], into: number)
      try stack.insert("Employee", ["name": "E\(number)", "department": department], into: number)
    }
    try context.save()
  }

  private func employee(_ number: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Employee", "name == 'E\(number)'").first)
  }

  private func isInvalidated(_ object: ManagedObject) -> Bool {
    code { _ = try object.value(forKey: "name") } == .objectInvalidated
      && code { try object.setValue("x", forKey: "name") } == .objectInvalidated
      && object.managedObjectContext == nil
  }

  @Test(
    "STO-029: objects are invalidated in every context, loaded or not, and their unsaved changes are dropped")
  func invalidation() throws {
    let other = stack.newContext()
    let stays = try employee(0, context)
    let changed = try employee(1, context)
    let gone = try #require(try context.all("Department", "name == 'D1'").first)
    let fault = try other.object(with: changed.objectID)
    try changed.setValue("changed", forKey: "name")
    try context.delete(gone)
    try context.processPendingChanges()
    try stays.setValue("stays", forKey: "name")
    try stack.coordinator.remove(stack.stores[1])
    #expect(isInvalidated(changed) && isInvalidated(gone) && isInvalidated(fault))
    #expect(context.updatedObjects == [stays] && context.deletedObjects.isEmpty && context.hasChanges)
    #expect(try stays.string("name") == "stays")
    try context.save()
    try context.checkInvariants()
    #expect(try context.all("Employee") == [stays])
    #expect(try other.all("Employee").count == 1)
    #expect(try stack.names("Employee", in: 1) == ["E1"] && stack.names("Department", in: 1) == ["D1"])
    #expect(try stack.names("Employee", in: 0) == ["stays"])
  }

  @Test("STO-030: a store that was added again has its objects anew; references from before stay dead")
  func addingAgain() throws {
    let former = try employee(1, context)
    let id = former.objectID
    try stack.coordinator.remove(stack.stores[1])
    let again = try stack.coordinator.addStore(at: stack.path(1))
    #expect(again != stack.stores[1] && again.identifier == stack.stores[1].identifier)
    #expect(isInvalidated(former))
    let object = try employee(1, context)
    #expect(object !== former && object.objectID == id)
    #expect(try context.existingObject(with: id) === object)
    #expect(try object.object(forKey: "department")?.string("name") == "D1")
    try object.setValue("new", forKey: "name")
    try context.save()
    #expect(try stack.names("Employee", in: 1) == ["new"])
    try context.checkInvariants()
  }

  @Test("STO-029, REL-156: links to a removed store's objects that were not saved go with them")
  func links() throws {
    let boss = try employee(1, context)
    let new = try stack.insert("Employee", ["name": "new", "manager": boss])
    let stays = try employee(0, context)
    try stays.addObjects([boss], forKey: "friends")
    try stays.setValue(boss, forKey: "spouse")
    try stack.coordinator.remove(stack.stores[1])
    #expect(try new.object(forKey: "manager") == nil && stays.object(forKey: "spouse") == nil)
    #expect(try stays.objects(forKey: "friends").isEmpty)
    try context.save()
    #expect(try stack.names("Employee", in: 0) == ["E0", "new"])
    #expect(try StoreCheck.run(path: stack.path(0)).allSatisfy { $0.findings.isEmpty })
  }

  @Test("STO-029, OBJ-462: an object assigned to a removed store is kept, and not put elsewhere on its own")
  func assigned() throws {
    let object = try stack.insert("Department", ["name": "new"], into: 1)
    try stack.coordinator.remove(stack.stores[1])
    let error = failure { try context.save() }
    #expect(error?.code == .noStoreForObject && error?.objectID == object.objectID)
    try context.assign(object, to: stack.stores[0])
    try context.save()
    #expect(try stack.names("Department", in: 0) == ["D0", "new"])
  }

  @Test("STO-029: removing twice, or a store of another coordinator, throws unknown-store")
  func unknown() throws {
    try stack.coordinator.remove(stack.stores[1])
    #expect(code { try stack.coordinator.remove(stack.stores[1]) } == .unknownStore)
    let other = try SeveralStores()
    #expect(code { try stack.coordinator.remove(other.stores[0]) } == .unknownStore)
    #expect(other.coordinator.persistentStores.count == 2)
  }

  @Test("STO-031: each add and removal is announced once, with the stores")
  func announcements() throws {
    let seen = Mutex<[[Set<PersistentStoreReference>]]>([])
    let token = NotificationCenter.default.addObserver(
      forName: PersistentStoreCoordinator.storesDidChange, object: stack.coordinator, queue: nil
    ) { notice in
      let sets = [PersistentStoreCoordinator.addedStoresKey, PersistentStoreCoordinator.removedStoresKey]
        .map { Set(notice.userInfo?[$0] as? [PersistentStoreReference] ?? []) }
      seen.withLock { $0.append(sets) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try stack.coordinator.remove(stack.stores[1])
    let again = try stack.coordinator.addStore(at: stack.path(1))
    _ = code { try stack.coordinator.addStore(at: stack.path(1)) }
    #expect(seen.withLock { $0 } == [[[], [stack.stores[1]]], [[again], []]])
  }

  // MARK: Requests in progress

  @Test("STO-036: removing a store waits for a fetch that runs, which ends with all its rows")
  func waiting() throws {
    let (coordinator, store, pool) = (stack.coordinator, stack.stores[1], try #require(stack.pool(1)))
    for number in 2..<200 { try stack.insert("Employee", ["name": "E\(number)"], into: 1) }
    try context.save()
    let result = Mutex<GraphStoreError.Code??>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let found = code { try coordinator.remove(store) }
      result.withLock { $0 = .some(found) }
      isDone.signal()
    }
    var request = FetchRequest(entityName: "Employee")
    request.affectedStores = [store]
    var rows = 0
    try context.enumerateFields(request, keyPaths: ["name"]) { _ in
      rows += 1
      if rows == 1 { thread.start() }
      guard rows == 2 else { return }
      while !pool.isClosing { Thread.sleep(forTimeInterval: 0.001) }
      #expect(result.withLock { $0 } == nil && coordinator.persistentStores.count == 2)
      // What the fetch itself needs is still given to it.
      let count = try context.count(for: request)
      #expect(count == 199)
    }
    #expect(rows == 199)
    isDone.wait()
    #expect(result.withLock { $0 } == .some(nil))
    #expect(coordinator.persistentStores == [stack.stores[0]])
    #expect(code { _ = try context.fetch(request) } == .unknownStore)
  }

  @Test("STO-036: a store in use by the caller's own transaction stays mounted, and goes on working")
  func ownTransaction() throws {
    let coordinator = PersistentStoreCoordinator(model: stack.coordinator.managedObjectModel)
    defer { coordinator.close() }
    let store = try coordinator.addStore(
      at: stack.folder.file("own"), options: StoreOptions(timeout: .milliseconds(50)))
    let context = ManagedObjectContext(coordinator: coordinator)
    try coordinator.transaction(with: context) { _ in
      #expect(code { try coordinator.remove(store) } == .storeTimeout)
      try context.insert("Department", ["name": "D"])
      try context.save()
    }
    #expect(coordinator.persistentStores == [store])
    #expect(try context.all("Department").count == 1)
    try coordinator.remove(store)
    #expect(code { _ = try context.all("Department") } == .noStore)
  }

  @Test(
    "DGN-127: closing the coordinator while a fetch runs lets it end; what begins afterwards throws no-store")
  func closing() throws {
    var rows = 0
    var request = FetchRequest(entityName: "Employee")
    request.affectedStores = [stack.stores[0]]
    let object = try employee(1, stack.newContext())
    try context.enumerateFields(request, keyPaths: ["name"]) { _ in
      rows += 1
      stack.coordinator.close()
      #expect(code { _ = try context.all("Employee") } == .noStore)
      #expect(code { _ = try object.context?.refresh(object, mergeChanges: false) } == nil)
    }
    #expect(rows == 1)
    #expect(code { _ = try context.all("Employee") } == .noStore)
  }

  // MARK: Contexts

  @Test(
    "CTX-009, CTX-474: ten thousand contexts run no statement and open no connection, and the coordinator keeps none"
  )
  func contexts() throws {
    let before = stack.coordinator.contexts.count
    let connections = (stack.pool(0)?.connectionCount, stack.pool(1)?.connectionCount)
    let statements = stack.coordinator.statementCount
    var contexts = (0..<10_000).map { _ in ManagedObjectContext(coordinator: stack.coordinator) }
    #expect(stack.coordinator.statementCount == statements)
    #expect(contexts.allSatisfy { $0.registeredObjects.isEmpty })
    contexts = []
    #expect(stack.coordinator.contexts.count == before)
    #expect((stack.pool(0)?.connectionCount, stack.pool(1)?.connectionCount) == connections)
  }

  @Test("STO-035: stores are added and removed while contexts on other threads come, fetch and go")
  func threads() throws {
    let (coordinator, path) = (stack.coordinator, stack.folder.file("changing"))
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      do {
        for _ in 0..<40 {
          if thread == 0 {
            let store = try coordinator.addStore(at: path)
            try coordinator.remove(store)
          } else {
            let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
            try context.performAndWait {
              do {
                let found = try context.all("Employee").count
                if found != 2 { failures.withLock { $0.append("\(found) objects") } }
              } catch GraphStoreError.code(.noStore) {
                // The store went between the choice of the stores and the reading.
              }
            }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(coordinator.persistentStores == stack.stores)
  }
}
