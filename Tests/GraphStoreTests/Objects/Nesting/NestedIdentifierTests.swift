import Testing

@testable import GraphStore

/// Temporary and permanent identifiers of the objects of a family of contexts.
@Suite("Identifiers in nested contexts", .everyStore)
struct NestedIdentifierTests {
  private let stack: TestStack
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext
  private let grandchild: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    parent = stack.context
    child = ManagedObjectContext(childOf: parent)
    grandchild = ManagedObjectContext(childOf: child)
  }

  private func saveAll() throws { for context in [grandchild, child, parent] { try context.save() } }

  @Test("CTX-304: a child's new object keeps its temporary identifier over its save and the root's")
  func temporary() throws {
    let new = try child.insert("Employee", ["name": "Ada"])
    let id = new.objectID
    try child.save()
    #expect(new.objectID == id && id.isTemporaryID && !new.isInserted)
    try parent.save()
    #expect(new.objectID == id)
    #expect(try parent.all("Employee").map(\.objectID.isTemporaryID) == [false])
    #expect(try new.string("name") == "Ada")
  }

  @Test("CTX-305, CTX-274, CTX-457: both identifiers lead to one object in each context of the family")
  func both() throws {
    let new = try grandchild.insert("Employee", ["name": "Ada"])
    let temporary = new.objectID
    try saveAll()
    let permanent = try #require(try parent.all("Employee").first?.objectID)
    #expect(permanent != temporary && !permanent.isTemporaryID)
    for context in [parent, child, grandchild] {
      let object = try context.object(with: temporary)
      #expect(try context.object(with: permanent) === object)
      #expect(context.registeredObject(for: temporary) === object)
      #expect(context.registeredObject(for: permanent) === object)
      #expect(try context.existingObject(with: temporary) === object && object.string("name") == "Ada")
      #expect(try context.existingObjects(with: [permanent, temporary]) == [object, object])
    }
    #expect(try grandchild.object(with: permanent) === new)
    for context in [parent, child, grandchild] { try context.checkInvariants() }
  }

  @Test("CTX-305, CTX-142: what a child has deleted stays deleted when the root gives it its identifier")
  func deletedBeforeTheRootSaved() throws {
    let new = try child.insert("Employee", ["name": "Ada"])
    try child.save()
    let deleted = try #require(try grandchild.all("Employee").first)
    try grandchild.delete(deleted)
    try child.refreshAllObjects()
    try grandchild.save()
    try child.refreshAllObjects()
    try parent.save()
    #expect(try child.all("Employee") == [])
    #expect(try child.count(for: FetchRequest(entityName: "Employee")) == 0)
    #expect(new.isDeleted)
    #expect(try parent.all("Employee").count == 1)
    try child.save()
    #expect(try parent.all("Employee") == [])
  }

  @Test("CTX-306: outside of the family a temporary identifier is unknown, and the permanent one is known")
  func outside() throws {
    let new = try child.insert("Employee", ["name": "Ada"])
    let temporary = new.objectID
    try child.save()
    try parent.save()
    let other = stack.newContext()
    #expect {
      try other.object(with: temporary)
    } throws: {
      GraphStoreError.code(.temporaryIDUnknown) ~= $0
    }
    let permanent = try #require(try parent.all("Employee").first?.objectID)
    #expect(try other.existingObject(with: permanent).string("name") == "Ada")
  }

  @Test(
    "CTX-307: obtaining identifiers in a child gives them to the object in all contexts, in one transaction")
  func obtaining() throws {
    let lower = try grandchild.insert("Employee", ["name": "Ada"])
    try grandchild.save()
    try child.save()
    let fresh = try grandchild.insert("Employee", ["name": "Bob", "manager": lower])
    let temporary = lower.objectID
    let middle = try child.object(with: temporary)
    let statements = try stack.recordedStatements {
      try grandchild.obtainPermanentIDs(for: [lower, fresh])
    }
    if stack.has(.statements) { #expect(statements.count { $0.hasPrefix("BEGIN") } == 1, "\(statements)") }
    if stack.pool == nil { try grandchild.obtainPermanentIDs(for: [lower, fresh]) }
    let (first, second) = (lower.objectID, fresh.objectID)
    #expect(!first.isTemporaryID && !second.isTemporaryID && fresh.isInserted)
    let theirs = try #require(try parent.all("Employee").first)
    #expect(theirs.objectID == first && theirs.isInserted)
    #expect(child.registeredObject(for: first) === middle && middle.objectID == first)
    #expect(try child.object(with: temporary) === middle)
    try saveAll()
    let stored = try stack.newContext().all("Employee", sort: ["name"])
    #expect(stored.map(\.objectID) == [first, second])
    #expect(try stored[1].object(forKey: "manager") === stored[0])
    #expect(lower.objectID == first && fresh.objectID == second)
    for context in [parent, child, grandchild] { try context.checkInvariants() }
  }

  @Test(
    "CTX-308: a child that fetches after the root's save gets the registered object by its new identifier")
  func fetching() throws {
    let new = try child.insert("Employee", ["name": "Ada"])
    let boss = try child.insert("Employee", ["name": "Bob"])
    try new.setValue(boss, forKey: "manager")
    try child.save()
    try parent.save()
    let found = try child.all("Employee", sort: ["name"])
    #expect(found == [new, boss] && found.allSatisfy { !$0.objectID.isTemporaryID })
    #expect(found.map(\.objectID) == (try parent.all("Employee", sort: ["name"]).map(\.objectID)))
    #expect(try new.object(forKey: "manager") === boss && boss.objects(forKey: "reports") == [new])
    #expect(try child.all("Employee", "manager.name == 'Bob'") == [new])
    try new.setValue("Eve", forKey: "name")
    try child.save()
    try parent.save()
    #expect(try stack.newContext().all("Employee", "name == 'Eve'").count == 1)
    try child.checkInvariants()
  }

  @Test(
    "CTX-305: references by temporary keys lead to the object by its permanent one, also if it is let go of")
  func references() throws {
    let first = try child.insert("Employee", ["name": "Ada"])
    do {
      let boss = try child.insert("Employee", ["name": "Bob"])
      try first.setValue(boss, forKey: "manager")
    }
    try child.save()
    try parent.save()
    try child.refresh(first, mergeChanges: false)
    #expect(try first.object(forKey: "manager")?.string("name") == "Bob")
    let second = try child.insert("Employee", ["name": "Cy"])
    do {
      let boss = try child.insert("Employee", ["name": "Di"])
      try second.setValue(boss, forKey: "manager")
    }
    try child.save()
    try parent.save()
    #expect(try second.object(forKey: "manager")?.string("name") == "Di")
    #expect(try child.all("Employee", "manager != nil").count == 2)
    try child.checkInvariants()
  }

  @Test("OBJ-060, OBJ-521: awakeFromInsert runs in the child alone, once")
  func awakening() throws {
    var model = TestModels.company()
    model.entities[1].className = "Employee"
    let stack = try TestStack(model, classes: ["Employee": AwakeningEmployee.self])
    let child = ManagedObjectContext(childOf: stack.context)
    let new = try child.insert(entityNamed: "Employee")
    #expect(try new.string("name") == "awake 1")
    try child.save()
    let theirs = try #require(try stack.context.all("Employee").first as? AwakeningEmployee)
    #expect(try theirs.string("name") == "awake 1" && theirs.insertions == 0)
    try stack.context.save()
    #expect(try stack.newContext().all("Employee").map { try $0.string("name") } == ["awake 1"])
  }
}

private final class AwakeningEmployee: ManagedObject {
  var insertions = 0

  override func awakeFromInsert() {
    insertions += 1
    try? setValue("awake \(insertions)", forKey: "name")
  }
}
