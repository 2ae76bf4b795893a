import Foundation
import Testing

@testable import GraphStore

/// Identifiers that are obtained ahead of the save.
@Suite(.everyStore)
struct PermanentIDTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company(isOrdered: true)) }

  @Test(
    "OBJ-125, STO-271, CTX-098, FLT-093: the objects stay inserted, and are saved with the identifiers they got"
  )
  func obtain() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    let bob = try context.insert("Employee", ["name": "Bob", "manager": ada, "spouse": ada])
    let labs = try context.insert("Department", ["name": "Labs", "employees": [bob, ada]])
    let temporary = ada.objectID
    try context.obtainPermanentIDs(for: [ada, labs, ada])
    let (id, department) = (ada.objectID, labs.objectID)
    #expect(!id.isTemporaryID && !department.isTemporaryID && bob.objectID.isTemporaryID)
    #expect(ada.isInserted && labs.isInserted && context.insertedObjects.count == 3)
    #expect(context.registeredObject(for: id) === ada && context.registeredObject(for: temporary) == nil)
    #expect(try context.existingObject(with: id) === ada)
    #expect(try bob.object(forKey: "manager") === ada && labs.names("employees") == ["Bob", "Ada"])
    #expect(try stack.newContext().all("Employee").isEmpty)
    #expect(try context.all("Employee", "manager.name == 'Ada'") == [bob])
    try context.checkInvariants()
    try context.save()
    #expect(ada.objectID == id && labs.objectID == department && !bob.objectID.isTemporaryID)
    let other = try stack.otherProcess()
    let read = try other.existingObject(with: id)
    #expect(try read.string("name") == "Ada" && read.object(forKey: "spouse")?.string("name") == "Bob")
    #expect(try read.object(forKey: "department")?.names("employees") == ["Bob", "Ada"])
    #expect(Set(try other.all("Employee").map(\.objectID)).count == 2)
    try context.checkInvariants()
  }

  @Test(
    "OBJ-125, OBJ-126: keys of objects that are never saved stay unused, and those with an identifier keep it"
  )
  func unused() throws {
    let dropped = try context.insert("Employee", ["name": "dropped"])
    try context.obtainPermanentIDs(for: [dropped])
    let id = dropped.objectID
    try context.obtainPermanentIDs(for: [dropped])
    #expect(dropped.objectID == id)
    context.rollback()
    #expect(context.registeredObject(for: id) == nil && !context.hasChanges)
    let kept = try context.insert("Employee", ["name": "kept"])
    try context.save()
    #expect(kept.objectID != id)
    #expect(code { _ = try context.existingObject(with: id) } == .objectNotFound)
    let deleted = try context.insert("Employee", ["name": "deleted", "manager": kept])
    try context.obtainPermanentIDs(for: [deleted])
    try context.delete(deleted)
    try context.save()
    #expect(try context.all("Employee") == [kept] && kept.objects(forKey: "reports").isEmpty)
    try context.checkInvariants()
  }

  @Test(
    "OBJ-126: it costs one transaction for the whole list, and the save reserves no key for them again",
    .needs(.statements))
  func cost() throws {
    let objects = try (0..<20).map { try context.insert($0 < 10 ? "Employee" : "Project", ["name": "\($0)"]) }
    #expect(try stack.statements { try context.obtainPermanentIDs(for: objects) } <= 4)
    let ids = objects.map(\.objectID)
    try context.save()
    #expect(objects.map(\.objectID) == ids)
  }

  @Test(
    "OBJ-112, OBJ-126: a failed save leaves the identifiers, and a transaction that is taken back resets the context"
  )
  func failures() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try stack.coordinator.transaction(with: context) { _ in
        try context.obtainPermanentIDs(for: [ada])
        throw Failure()
      }
    }
    #expect(ada.managedObjectContext == nil && context.insertedObjects.isEmpty)
    let bob = try context.insert("Employee", ["name": "Bob"])
    try context.obtainPermanentIDs(for: [bob])
    try context.save()
    #expect(try context.all("Employee") == [bob])
  }
}

@Suite("Identifiers ahead of the save, with several stores")
struct PermanentIDStoreTests {
  @Test(
    "OBJ-125, OBJ-461, OBJ-464: the store of an object with an identifier is fixed, where its relations are or it is assigned"
  )
  func stores() throws {
    let stack = try SeveralStores()
    let boss = try stack.insert("Employee", ["name": "Boss"], into: 1)
    let ada = try stack.insert("Employee", ["name": "Ada", "manager": boss])
    let alone = try stack.insert("Employee", ["name": "Alone"])
    try stack.context.obtainPermanentIDs(for: [ada, boss, alone])
    #expect(code { try stack.context.assign(ada, to: stack.stores[0]) } == .storeReassignment)
    #expect(throws: Never.self) { try stack.context.assign(ada, to: stack.stores[1]) }
    try stack.context.save()
    #expect(try stack.names("Employee", in: 1) == ["Ada", "Boss"])
    #expect(try stack.names("Employee", in: 0) == ["Alone"])
    #expect(try stack.findings().isEmpty)
  }
}
