import Foundation
import Testing

@testable import GraphStore

@Suite("Tracking of changes", .everyStore)
struct TrackingTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let ada: ManagedObject
  private let bob: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    ada = try stack.context.insert("Employee", ["name": "Ada", "salary": 7])
    bob = try stack.context.insert("Employee", ["name": "Bob"])
    try stack.context.save()
  }

  @Test(
    "CTX-025: a change is one since the last event until it is processed, and since the last save until it is saved"
  )
  func levels() throws {
    func keys() throws -> (event: [String], save: [String]) {
      (try ada.changedValuesForCurrentEvent().keys.sorted(), ada.changedKeys.sorted())
    }
    try ada.setValue("Eve", forKey: "name")
    #expect(try keys() == (["name"], ["name"]))
    try context.processPendingChanges()
    #expect(try keys() == ([], ["name"]))
    try ada.setValue(8, forKey: "salary")
    #expect(try keys() == (["salary"], ["name", "salary"]))
    try context.save()
    #expect(try keys() == ([], []))
  }

  @Test("CTX-026: changes are known by property and by object", .needs(.statements))
  func properties() throws {
    try ada.setValue("Eve", forKey: "name")
    #expect(ada.changedKeys == ["name"] && ada.isUpdated && !bob.isUpdated && bob.changedKeys.isEmpty)
    let statements = try stack.recordedStatements { try context.save() }
    let updates = statements.filter { $0.hasPrefix("UPDATE") && $0.contains("ZEMPLOYEE") }
    #expect(updates.count == 1 && updates.allSatisfy { $0.contains("ZNAME") && !$0.contains("ZSALARY") })
  }

  @Test(
    "CTX-028, CTX-452: any setter of a saved object makes it updated, an equal value too, until the change ends",
    arguments: ["save", "refresh", "rollback", "reset", "undo"])
  func updated(_ ending: String) throws {
    try context.setUndoManager(GraphUndoManager())
    let new = try context.insert("Employee", ["name": "new"])
    #expect(!new.isUpdated && !ada.isUpdated)
    try context.save()
    context.undoManager?.removeAllActions()
    try ada.setValue(ending == "undo" ? "Eve" : "Ada", forKey: "name")
    #expect(ada.isUpdated && ada.hasChanges && context.updatedObjects == [ada])
    switch ending {
    case "save": try context.save()
    case "refresh": try context.refresh(ada, mergeChanges: false)
    case "rollback": context.rollback()
    case "reset": context.reset()
    default: try context.undo()
    }
    #expect(!ada.isUpdated && !ada.hasChanges && context.updatedObjects.isEmpty && !context.hasChanges)
  }

  @Test("CTX-029: deleted from the call until the save, the undo or the rollback")
  func deleted() throws {
    try context.setUndoManager(GraphUndoManager())
    try context.delete(ada)
    #expect(ada.isDeleted)
    try context.processPendingChanges()
    #expect(ada.isDeleted)
    try context.undo()
    #expect(!ada.isDeleted)
    try context.delete(ada)
    context.rollback()
    #expect(!ada.isDeleted)
    try context.delete(ada)
    try context.save()
    #expect(!ada.isDeleted && ada.managedObjectContext == nil)
  }

  @Test("CTX-031: persistent changes are those against the object's snapshot, whatever the store has")
  func persistentChanges() throws {
    let other = stack.newContext()
    try other.existingObject(with: ada.objectID).setValue("Eve", forKey: "name")
    try other.save()
    try ada.setValue("Eve", forKey: "name")
    #expect(try stack.statements { try check(ada.hasPersistentChangedValues) } == 0)
    try ada.setValue("Ada", forKey: "name")
    #expect(try stack.statements { try check(!ada.hasPersistentChangedValues) } == 0)
  }

  /// One way to change a property each.
  private static let ways: [(key: String, change: @Sendable (ManagedObject, ManagedObject) throws -> Void)] =
    [
      ("name", { object, _ in object[AttributeKey<ManagedObject, String>("name")] = "x" }),
      ("name", { object, _ in try object.setValue("x", forKey: "name") }),
      ("name", { object, _ in try object.setQueryValue(.string("x"), forKey: "name") }),
      ("name", { object, _ in try object.setValues(forKeys: ["name": "x"]) }),
      (
        "name",
        { object, other in
          try other.setValue(object, forKey: "manager")
          try other.setValue("x", forKeyPath: "manager.name")
        }
      ),
      ("friends", { object, other in try object.addObjects([other], forKey: "friends") }),
      ("friends", { object, other in try object.mutableSetValue(forKey: "friends").insert(other) }),
      (
        "friends",
        { object, other in object.add([other], to: ToManyKey<ManagedObject, Set<ManagedObject>>("friends")) }
      ),
      ("manager", { object, other in object[ToOneKey<ManagedObject, ManagedObject>("manager")] = other }),
    ]

  @Test("CTX-036: every kind of accessor is tracked alike", arguments: TrackingTests.ways.indices)
  func accessors(_ way: Int) throws {
    let (key, change) = Self.ways[way]
    try change(ada, bob)
    #expect(ada.isUpdated && ada.changedKeys.contains(key) && ada.hasPersistentChangedValues)
    #expect(try ada.changedValuesForCurrentEvent().keys.contains(key) && context.updatedObjects.contains(ada))
    try context.save()
    #expect(!ada.isUpdated && ada.changedKeys.isEmpty)
  }

  @Test(
    "CTX-041: an object that is changed and deleted is both, and to sets, save and messages deleted alone")
  func changedAndDeleted() throws {
    let stack = try TestStack(TestModels.company(isDepartmentOptional: false))
    let context = stack.context
    let ada = try context.insert("Employee", ["department": context.insert("Department", [:])])
    try context.save()
    var saved: [ContextDidSave] = []
    let token = context.observe(.didSave) { saved.append($0) }
    // As an update it could not be saved.
    try ada.setValue(nil, forKey: "department")
    #expect(code { try context.save() } == .validation)
    try context.delete(ada)
    #expect(ada.isUpdated && ada.isDeleted)
    #expect(!context.updatedObjects.contains(ada) && context.deletedObjects == [ada])
    try context.save()
    #expect(saved.map(\.deleted) == [[ada]] && saved.allSatisfy { !$0.updated.contains(ada) })
    #expect(try stack.otherProcess().all("Employee").isEmpty)
    token.cancel()
  }

  @Test("CTX-043: relating objects of two contexts fails at once, names both, and changes nothing")
  func otherContext() throws {
    let other = stack.newContext()
    other.name = "the other"
    context.name = "mine"
    let theirs = try other.existingObject(with: bob.objectID)
    for change in [
      { try ada.setValue(theirs, forKey: "manager") }, { try ada.setValue(Set([theirs]), forKey: "friends") },
    ] {
      let error = failure(change)
      #expect(error?.code == .contextMismatch)
      let text = "\(error.map { "\($0)" } ?? "")"
      for part in [ada.objectID.shortForm, theirs.objectID.shortForm, "mine", "the other"] {
        #expect(text.contains(part), "\(text)")
      }
    }
    #expect(!context.hasChanges && !other.hasChanges)
    ada[ToOneKey<ManagedObject, ManagedObject>("manager")] = theirs
    #expect(!context.hasChanges && !other.hasChanges)
    #expect(try ada.object(forKey: "manager") == nil)
    #expect(code { try context.save() } == .contextMismatch)
    #expect(context.takeDeferredErrors().count == 1)
  }

  @Test("CTX-046: the registered objects are those that live, faults too, and are not held by it")
  func registered() throws {
    weak var gone: ManagedObject?
    let other = stack.newContext()
    do {
      let fault = try other.object(with: ada.objectID)
      let new = try other.insert("Employee", [:])
      #expect(fault.isFault && other.registeredObjects == [fault, new])
      gone = fault
    }
    #expect(gone == nil && other.registeredObjects.count == 1)
  }

  @Test("CTX-047: an object with a temporary identifier is neither updated nor deleted")
  func temporary() throws {
    let new = try context.insert("Employee", ["name": "new"])
    try new.setValue("newer", forKey: "name")
    try ada.setValue(new, forKey: "manager")
    try context.processPendingChanges()
    #expect(context.updatedObjects == [ada] && context.insertedObjects == [new] && !new.isUpdated)
    try context.delete(new)
    #expect(context.deletedObjects.isEmpty && context.updatedObjects == [ada])
    try context.processPendingChanges()
    #expect(context.deletedObjects.isEmpty && context.insertedObjects.isEmpty)
  }

  @Test("CTX-048: fetching, firing and refreshing make no change, whatever others have saved")
  func reading() throws {
    let other = stack.newContext()
    try other.existingObject(with: ada.objectID).setValue("Eve", forKey: "name")
    try other.delete(other.existingObject(with: bob.objectID))
    try other.save()
    _ = try context.all("Employee")
    try context.refresh(ada, mergeChanges: true)
    #expect(try ada.string("name") == "Eve")
    _ = try ada.objects(forKey: "friends")
    try context.refreshAllObjects()
    try context.refresh(ada, mergeChanges: false)
    #expect(!context.hasChanges && !ada.hasChanges)
  }

  @Test("CTX-049: a deleted object leaves fetch results at once, and its record with the save")
  func deletion() throws {
    try context.delete(ada)
    #expect(try context.all("Employee") == [bob])
    #expect(try context.count(for: FetchRequest(entityName: "Employee")) == 1)
    #expect(try stack.newContext().all("Employee").count == 2)
    try context.save()
    #expect(try stack.newContext().all("Employee").count == 1)
  }

  @Test("CTX-050: deleting twice is deleting once, and an object of another context is refused, unchanged")
  func deletionTwice() throws {
    var told: [ObjectsDidChange] = []
    let token = context.observe(.objectsDidChange) { told.append($0) }
    for _ in 0..<3 {
      try context.delete(ada)
      try context.processPendingChanges()
    }
    #expect(context.deletedObjects == [ada] && told.map(\.deleted) == [[ada]])
    let other = stack.newContext()
    let theirs = try other.existingObject(with: bob.objectID)
    #expect(code { try context.delete(theirs) } == .contextMismatch)
    #expect(!theirs.isDeleted && !other.hasChanges && context.deletedObjects == [ada])
    token.cancel()
  }

  @Test(
    "CTX-051: prepareForDeletion runs once, deleted already: in the call, and in processing for what follows")
  func preparation() throws {
    let log = HookLog()
    let stack = try TestStack(hooked: TestModels.company(employees: .cascade), log)
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    let eve = try context.insert("Employee", ["name": "Eve", "department": department])
    try context.save()
    var seen: [Bool] = []
    log.onPrepare = { seen.append($0.isDeleted) }
    try context.delete(department)
    #expect(log.objects == [department])
    try context.processPendingChanges()
    #expect(log.objects == [department, eve] && seen == [true, true])
    try context.delete(eve)
    try context.save()
    #expect(log.objects.count == 2)
  }

  @Test(
    "CTX-061: processing looks at what has changed since the last time, whatever is registered or unsaved")
  func proportion() throws {
    let token = context.observe(.objectsDidChange) { _ in }
    let objects = try (0..<500).map { try context.insert("Employee", ["name": "\($0)"]) }
    try context.processPendingChanges()
    /// How many objects the end of the event is going to look at.
    func pending() -> Int {
      context.unsaved.objects.count - context.unsaved.event.start + context.unsaved.event.again.count
    }
    #expect(pending() == 0)
    try objects[7].setValue("x", forKey: "name")
    try objects[7].setValue("y", forKey: "name")
    try ada.setValue("x", forKey: "name")
    #expect(pending() == 2 && context.unsaved.objects.count == 501)
    let changes = context.endEvent()
    #expect(Set(changes.updated.map(\.object)) == [objects[7], ada] && changes.inserted.isEmpty)
    #expect(pending() == 0)
    token.cancel()
  }

  @Test("CTX-137: a rollback gives what was read last, a refresh what the store has")
  func staleRollback() throws {
    try ada.setValue("mine", forKey: "name")
    let other = stack.newContext()
    try other.existingObject(with: ada.objectID).setValue("Eve", forKey: "name")
    try other.save()
    context.rollback()
    #expect(try ada.string("name") == "Ada")
    try context.refresh(ada, mergeChanges: false)
    #expect(try ada.string("name") == "Eve")
  }

  @Test("CTX-141: identifiers survive a reset, and a fetch of them leaves out what was deleted meanwhile")
  func identifiersAfterReset() throws {
    let ids = [ada.objectID, bob.objectID]
    context.reset()
    let other = stack.newContext()
    try other.delete(other.existingObject(with: ids[0]))
    try other.save()
    let request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate("SELF IN %@", ids))
    let found = try context.fetch(request)
    #expect(found.map(\.objectID) == [ids[1]] && found[0] !== bob)
    #expect(try found[0].string("name") == "Bob")
  }
}
