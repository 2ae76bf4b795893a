import Foundation
import Synchronization
import Testing

@testable import GraphStore

@Suite("What contexts tell", .everyStore)
struct ContextMessageTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company(employees: .cascade)) }

  /// What an observer of objects-did-change has been told.
  private final class Told {
    var changes: [ObjectsDidChange] = []
    var last: ObjectsDidChange? { changes.last }
  }

  private func observing(_ told: Told) -> ContextObservation {
    context.observe(.objectsDidChange) { told.changes.append($0) }
  }

  @Test(
    "CTX-056, CTX-057, CTX-058, CTX-066, CTX-068, CTX-453, CTX-454, REL-179: an event is told once, by its net effect"
  )
  func sets() throws {
    let told = Told()
    let token = observing(told)
    let department = try context.insert("Department", ["name": "R&D"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": department])
    let fleeting = try context.insert("Employee", ["name": "x"])
    try context.delete(fleeting)
    #expect(told.changes.isEmpty)
    try context.processPendingChanges()
    #expect(told.changes.count == 1)
    #expect(told.last?.inserted == [department, ada] && told.last?.updated.isEmpty == true)
    #expect(told.last?.deleted.isEmpty == true)
    try context.processPendingChanges()
    #expect(told.changes.count == 1)
    try context.save()
    let bob = try context.insert("Employee", ["name": "Bob", "friends": Set([ada])])
    try context.processPendingChanges()
    #expect(told.last?.inserted == [bob] && told.last?.updated == [ada])
    try context.delete(department)
    try context.processPendingChanges()
    #expect(told.last?.deleted == [department, ada] && told.last?.updated == [bob])
    try context.delete(bob)
    try context.processPendingChanges()
    #expect(told.last?.deleted == [bob] && told.last?.updated.isEmpty == true)
    token.cancel()
    try context.insert("Employee", ["name": "late"])
    try context.processPendingChanges()
    #expect(told.last?.deleted == [bob])
  }

  @Test(
    "CTX-052, CTX-053, CTX-054: processing runs at the end of blocks, and before fetches, saves and identifiers"
  )
  func moments() throws {
    let told = Told()
    let token = observing(told)
    defer { token.cancel() }
    try context.insert("Employee", ["name": "a"])
    _ = try context.all("Employee")
    #expect(told.changes.count == 1)
    let b = try context.insert("Employee", ["name": "b"])
    try context.obtainPermanentIDs(for: [b])
    #expect(told.changes.count == 2)
    try context.insert("Employee", ["name": "c"])
    try context.save()
    #expect(told.changes.count == 3)
    try b.setValue("d", forKey: "name")
    context.rollback()
    #expect(told.changes.count == 4)
  }

  @Test(
    "CTX-059, CTX-471: what observers change is a further round; after 1,000 the call throws, and names the objects"
  )
  func rounds() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    var rounds = 0
    var token = context.observe(.objectsDidChange) { _ in
      rounds += 1
      if rounds < 3 { try? ada.setValue("\(rounds)", forKey: "name") }
    }
    try ada.setValue("0", forKey: "name")
    try context.processPendingChanges()
    #expect(rounds == 3)
    #expect(try ada.string("name") == "2")
    token = context.observe(.objectsDidChange) { _ in
      rounds += 1
      try? ada.setValue("\(rounds)", forKey: "name")
    }
    try ada.setValue("again", forKey: "name")
    let error = #expect(throws: GraphStoreError.self) { try context.processPendingChanges() }
    #expect(error?.code == .changesDoNotSettle && error?.relatedObjects == [ada.objectID])
    #expect(error?.details == ["\(ada.objectID.shortForm): name"])
    #expect(rounds == 3 + 1_000)
    token.cancel()
  }

  @Test(
    "CTX-034, CTX-419, CTX-452, OBJ-098: the old values of the event are there for its observers, and until it ends"
  )
  func oldValues() throws {
    let (ada, bob) = (
      try context.insert("Employee", ["name": "Ada"]), try context.insert("Employee", ["name": "Bob"])
    )
    try ada.setValue(bob, forKey: "manager")
    try context.save()
    #expect(try ada.changedValuesForCurrentEvent().isEmpty)
    var seen: [String: Any?] = [:]
    let token = context.observe(.objectsDidChange) { _ in
      seen = (try? ada.changedValuesForCurrentEvent()) ?? [:]
    }
    try ada.setValue("Eve", forKey: "name")
    try ada.setValue(nil, forKey: "manager")
    let open = try ada.changedValuesForCurrentEvent()
    #expect(open["name"] as? String == "Ada" && open["manager"] as? ManagedObject === bob && open.count == 2)
    #expect(try bob.changedValuesForCurrentEvent()["reports"] as? Set<ManagedObject> == [ada])
    try context.processPendingChanges()
    #expect(seen["name"] as? String == "Ada" && seen["manager"] as? ManagedObject === bob)
    #expect(try ada.changedValuesForCurrentEvent().isEmpty)
    try ada.setValue("Zoe", forKey: "name")
    #expect(try ada.changedValuesForCurrentEvent()["name"] as? String == "Eve")
    token.cancel()
  }

  @Test(
    "CTX-069 to CTX-071, CTX-077 to CTX-079: one save tells will-save, did-save and its identifiers, in that order"
  )
  func saving() throws {
    var told: [String] = []
    var groups: [ContextDidSave] = []
    var identifiers: [ContextDidSaveObjectIDs] = []
    let tokens = [
      context.observe(.objectsDidChange) { _ in told.append("changed") },
      context.observe(.willSave) { payload in told.append(payload.context === context ? "will" : "?") },
      context.observe(.didSave) {
        told.append("did")
        groups.append($0)
      },
      context.observe(.didSaveObjectIDs) {
        told.append("ids")
        identifiers.append($0)
      },
    ]
    defer { for token in tokens { token.cancel() } }
    try context.save()
    #expect(told.isEmpty)
    let (ada, bob) = (
      try context.insert("Employee", ["name": "Ada"]), try context.insert("Employee", ["name": "Bob"])
    )
    try context.save()
    #expect(told == ["changed", "will", "did", "ids"])
    #expect(groups[0].inserted == [ada, bob] && groups[0].updated.isEmpty && groups[0].deleted.isEmpty)
    #expect(identifiers[0].inserted == [ada.objectID, bob.objectID] && !ada.objectID.isTemporaryID)
    let id = ada.objectID
    try context.delete(ada)
    try bob.setValue("Rob", forKey: "name")
    try context.save()
    #expect(groups[1].deleted == [ada] && groups[1].updated == [bob] && identifiers[1].deleted == [id])
  }

  @Test(
    "CTX-089, CTX-084, OBJ-080: will-save observers take part in the save; those of did-save may save again")
  func observersThatSave() throws {
    var errors: [GraphStoreError] = []
    var isFirst = true
    let ada = try context.insert("Employee", ["name": "Ada"])
    let tokens = [
      context.observe(.willSave) { _ in
        if isFirst { try? ada.setValue("Eve", forKey: "name") }
        do { try context.save() } catch { errors.append(error as! GraphStoreError) }
      },
      context.observe(.didSave) { _ in
        guard isFirst else { return }
        isFirst = false
        try? ada.setValue(Int64(1), forKey: "salary")
        try? context.save()
      },
    ]
    defer { for token in tokens { token.cancel() } }
    try context.save()
    #expect(errors.allSatisfy { $0.code == .recursiveSave } && errors.count == 2)
    let stored = try #require(try stack.otherProcess().all("Employee").first)
    #expect(try stored.string("name") == "Eve" && stored.value(forKey: "salary") as? Int64 == 1)
  }

  @Test("CTX-135, CTX-140: a rollback and a reset tell what has become of the objects")
  func discarding() throws {
    let told = Told()
    let token = observing(told)
    defer { token.cancel() }
    let (ada, bob, eve) = (
      try context.insert("Employee", ["name": "Ada"]), try context.insert("Employee", ["name": "Bob"]),
      try context.insert("Employee", ["name": "Eve"])
    )
    try context.save()
    let new = try context.insert("Employee", ["name": "new"])
    try ada.setValue("x", forKey: "name")
    try context.delete(bob)
    try context.processPendingChanges()
    let fresh = try context.insert("Employee", ["name": "fresh"])
    try eve.setValue("y", forKey: "name")
    context.rollback()
    #expect(
      told.last?.deleted == [new] && told.last?.inserted == [bob] && told.last?.refreshed == [ada, eve])
    #expect(fresh.managedObjectContext == nil)
    let ids = Set([ada, bob, eve].map(\.objectID))
    context.reset()
    #expect(told.last?.invalidatedAll == ids && told.last?.updated.isEmpty == true)
  }

  @Test("FLT-113, FLT-123, CTX-067: refreshed objects are told as refreshed, not as updated")
  func refreshing() throws {
    let told = Told()
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    let token = observing(told)
    defer { token.cancel() }
    try context.refresh(ada, mergeChanges: false)
    try context.processPendingChanges()
    #expect(told.last?.refreshed == [ada] && told.last?.updated.isEmpty == true)
    try ada.setValue("Eve", forKey: "name")
    try context.refresh(ada, mergeChanges: true)
    try context.processPendingChanges()
    #expect(told.last?.refreshed == [ada] && told.last?.updated == [ada])
  }

  @Test("CTX-155: undo and redo are told like any other event")
  func undoing() throws {
    try context.setUndoManager(GraphUndoManager())
    let ada = try context.insert("Employee", ["name": "Ada"])
    let bob = try context.insert("Employee", ["name": "Bob", "manager": ada])
    try context.save()
    try context.delete(bob)
    try context.processPendingChanges()
    let told = Told()
    let token = observing(told)
    defer { token.cancel() }
    try context.undo()
    #expect(told.last?.inserted == [bob] && told.last?.updated == [ada] && told.changes.count == 1)
    try context.redo()
    #expect(told.last?.deleted == [bob] && told.last?.updated == [ada])
  }

  @Test("CTX-055: with propagation left to saves, a processing tells the deleted object alone")
  func latePropagation() throws {
    let department = try context.insert("Department", ["name": "R&D"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": department])
    try context.save()
    context.propagatesDeletesAtEndOfEvent = false
    try context.delete(department)
    try context.processPendingChanges()
    #expect(department.isDeleted && !ada.isDeleted)
    try context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }

  @Test(
    "CTX-062, CTX-063, CTX-064, CTX-065, CTX-023, PAT-056: the same goes through NotificationCenter, with groups by key"
  )
  func notificationCenter() throws {
    let center = NotificationCenter()
    context.notificationCenter = center
    nonisolated(unsafe) var told: [Notification] = []
    let names = [
      ManagedObjectContext.didChangeObjectsNotification, ManagedObjectContext.willSaveObjectsNotification,
      ManagedObjectContext.didSaveObjectsNotification, ManagedObjectContext.didSaveObjectIDsNotification,
    ]
    let tokens = names.map { center.addObserver(forName: $0, object: nil, queue: nil) { told.append($0) } }
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    #expect(told.map(\.name) == names)
    #expect(told.allSatisfy { $0.object as? ManagedObjectContext === context })
    #expect(told[0].userInfo?["inserted"] as? Set<ManagedObject> == [ada] && told[0].userInfo?.count == 1)
    #expect(told[3].userInfo?["inserted_objectIDs"] as? Set<ManagedObjectID> == [ada.objectID])
    #expect(ObjectsDidChange(told[0])?.inserted == [ada] && ObjectsDidChange(told[0])?.updated == [])
    #expect(ContextWillSave(told[1])?.context === context && ContextDidSave(told[2])?.inserted == [ada])
    #expect(ContextDidSaveObjectIDs(told[3])?.inserted == [ada.objectID] && ObjectsDidChange(told[1]) == nil)
    context.notificationCenter = nil
    try ada.setValue("Eve", forKey: "name")
    try context.save()
    #expect(told.count == 4)
    for token in tokens { center.removeObserver(token) }
  }

  @Test("CTX-085, CTX-417: the sequence of saves gives identifiers to any task, and ends with the context")
  func sequence() async throws {
    let stack = try TestStack(TestModels.company())
    var context: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
    let events = try #require(context?.events)
    let id = try context?.performAndWait {
      let ada = try context?.insert(entityNamed: "Employee")
      try context?.save()
      return ada?.objectID
    }
    context = nil
    var saves: [SavedChanges] = []
    for await save in events { saves.append(save) }
    #expect(saves.map(\.inserted) == [[try #require(id ?? nil)]])
    #expect(saves[0].storeIdentifiers.count == 1 && saves[0].updated.isEmpty)
  }
}

@Suite("Observers of one object", .everyStore)
struct ObjectObserverTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company(employees: .cascade)) }

  @Test(
    "PAT-057 to PAT-060, CTX-413, CTX-414: updates and the deletion of its object, once an event, whatever the cause"
  )
  func observing() throws {
    let department = try context.insert("Department", ["name": "R&D"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": department])
    try context.save()
    var told: [ObjectObserver.Change] = []
    var observer = ObjectObserver(object: ada) { told.append($0) }
    try ada.setValue("a", forKey: "name")
    try ada.setValue(Int64(1), forKey: "salary")
    try department.setValue("x", forKey: "name")
    try context.processPendingChanges()
    #expect(told == [.update])
    try context.refresh(ada, mergeChanges: true)
    try context.processPendingChanges()
    #expect(told == [.update, .update])
    try context.delete(department)
    try context.processPendingChanges()
    #expect(told == [.update, .update, .delete])
    context.rollback()
    #expect(told.count == 3)
    observer = ObjectObserver(object: ada) { told.append($0) }
    context.reset()
    #expect(told.last == .delete && told.count == 4)
    #expect(ObjectObserver(object: ada) { _ in } == nil)
    #expect(observer != nil)
  }

  @Test("PAT-060, CTX-416: the observer holds neither object nor context")
  func holding() throws {
    var observer: ObjectObserver?
    weak var object: ManagedObject?
    func observe() throws {
      let ada = try context.insert("Employee", ["name": "Ada"])
      try context.save()
      object = ada
      observer = ObjectObserver(object: ada) { _ in }
    }
    try observe()
    #expect(object == nil && observer != nil)
    observer = nil
  }
}
