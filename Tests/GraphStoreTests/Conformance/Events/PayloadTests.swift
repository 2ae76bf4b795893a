import Foundation
import Testing

@testable import GraphStore

@Suite("What messages carry", .everyStore)
struct PayloadTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company(employees: .cascade)) }

  @Test("CTX-063, CTX-064: each group lies under its key as a set, and a group without members has none")
  func groups() throws {
    let keys: [(ManagedObjectContext.NotificationKey, String)] = [
      (.insertedObjects, "inserted"), (.updatedObjects, "updated"), (.deletedObjects, "deleted"),
      (.refreshedObjects, "refreshed"), (.invalidatedObjects, "invalidated"),
      (.invalidatedAllObjects, "invalidatedAll"), (.insertedObjectIDs, "inserted_objectIDs"),
      (.updatedObjectIDs, "updated_objectIDs"), (.deletedObjectIDs, "deleted_objectIDs"),
    ]
    for (key, text) in keys { #expect(key.rawValue == text) }
    let center = NotificationCenter()
    context.notificationCenter = center
    nonisolated(unsafe) var told: [Notification] = []
    let names = [
      ManagedObjectContext.didChangeObjectsNotification, ManagedObjectContext.didSaveObjectsNotification,
      ManagedObjectContext.didSaveObjectIDsNotification,
    ]
    let tokens = names.map { center.addObserver(forName: $0, object: nil, queue: nil) { told.append($0) } }
    func take(_ body: () throws -> Void) rethrows -> [[AnyHashable: Any]] {
      told = []
      try body()
      return told.map { $0.userInfo ?? [:] }
    }
    let (ada, bob) = (
      try context.insert("Employee", ["name": "Ada"]), try context.insert("Employee", ["name": "Bob"])
    )
    try context.save()
    let id = bob.objectID
    let all = try take {
      try context.delete(bob)
      try ada.setValue("Eve", forKey: "name")
      try context.refresh(ada, mergeChanges: true)
      let new = try context.insert("Employee", [:])
      try context.save()
      #expect(told[0].userInfo?["inserted"] as? Set<ManagedObject> == [new])
    }
    #expect(Set(all[0].keys) == ["inserted", "updated", "deleted", "refreshed"])
    #expect(
      all[0]["updated"] as? Set<ManagedObject> == [ada] && all[0]["deleted"] as? Set<ManagedObject> == [bob])
    #expect(all[0]["refreshed"] as? Set<ManagedObject> == [ada])
    #expect(Set(all[1].keys) == ["inserted", "updated", "deleted"])
    #expect(Set(all[2].keys) == ["inserted_objectIDs", "updated_objectIDs", "deleted_objectIDs"])
    #expect(all[2]["deleted_objectIDs"] as? Set<ManagedObjectID> == [id])
    let reset = take { context.reset() }
    #expect(reset.count == 1 && Set(reset[0].keys) == ["invalidatedAll"])
    #expect((reset[0]["invalidatedAll"] as? Set<ManagedObjectID>)?.contains(ada.objectID) == true)
    for token in tokens { center.removeObserver(token) }
  }

  @Test("CTX-074: the objects of a payload are those of the context that tells")
  func owners() throws {
    let other = stack.newContext()
    try other.insert("Employee", ["name": "Bob"])
    try other.save()
    var objects: [ManagedObject] = []
    let tokens = [
      context.observe(.objectsDidChange) { change in
        objects += change.inserted.union(change.updated).union(change.deleted).union(change.refreshed)
      },
      context.observe(.didSave) { objects += $0.inserted.union($0.updated) },
    ]
    let bob = try context.all("Employee")[0]
    try bob.setValue(context.insert("Employee", ["name": "Ada"]), forKey: "manager")
    try context.save()
    try context.refresh(bob, mergeChanges: false)
    try context.delete(bob)
    try context.processPendingChanges()
    #expect(objects.count >= 6 && objects.allSatisfy { $0.managedObjectContext === context })
    for token in tokens { token.cancel() }
  }

  @Test("CTX-080: identifiers and their Sendable form serve another context on its own queue")
  func otherQueue() throws {
    let other = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    nonisolated(unsafe) var names: [String?] = []
    func read(_ ids: Set<ManagedObjectID>) {
      other.performAndWait { names += ids.map { try? other.object(with: $0).string("name") } }
    }
    let tokens = [
      context.observe(.didSaveObjectIDs) { read($0.inserted) },
      context.observe(.didSave) { read(SavedChanges($0).inserted) },
    ]
    try context.insert("Employee", ["name": "Ada"])
    try context.save()
    #expect(names == ["Ada", "Ada"])
    for token in tokens { token.cancel() }
  }

  @Test("CTX-081: a payload holds its objects, and with them their rows, until it is let go of")
  func holding() throws {
    var payload: ContextDidSave?
    let token = context.observe(.didSave) { payload = $0 }
    weak var object: ManagedObject?
    var id: ManagedObjectID?
    func save() throws {
      let ada = try context.insert("Employee", ["name": "Ada"])
      try context.save()
      (object, id) = (ada, ada.objectID)
    }
    try save()
    #expect(object != nil && payload?.inserted.count == 1)
    let found = try stack.newContext().object(with: try #require(id))
    #expect(try stack.statements { try check(found.string("name") == "Ada") } == 0)
    payload = nil
    #expect(object == nil)
    token.cancel()
  }

  @Test("CTX-082, CTX-453: nothing is put together where nobody listens, and one payload serves all who do")
  func nobodyListens() throws {
    context.notificationCenter = nil
    let ada = try context.insert("Employee", ["name": "Ada"])
    #expect(!context.consumesChanges && context.endEvent().isEmpty)
    try ada.setValue("Eve", forKey: "name")
    try context.save()
    try context.refresh(ada, mergeChanges: false)
    #expect(!context.hasOpenEvent)
    let token = context.observe(.objectsDidChange) { _ in }
    try ada.setValue("Zoe", forKey: "name")
    #expect(context.consumesChanges && context.endEvent().updated.map(\.object) == [ada])
    token.cancel()
    try ada.setValue("Ada", forKey: "name")
    #expect(!context.consumesChanges && context.endEvent().isEmpty)
  }
}
