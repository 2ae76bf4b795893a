import Testing

@testable import GraphStore

/// Merging saves into children: those of siblings, of the parent, and of contexts beside the root.
@Suite("Merging in nested contexts", .everyStore)
struct NestedMergingTests {
  private let stack: TestStack
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext
  private let sibling: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    parent = stack.context
    let department = try parent.insert("Department", ["name": "R&D"])
    try parent.insert("Employee", ["name": "Ada", "salary": 1, "department": department])
    try parent.insert("Employee", ["name": "Bob", "salary": 2, "department": department])
    try parent.save()
    parent.reset()
    child = ManagedObjectContext(childOf: parent)
    sibling = ManagedObjectContext(childOf: parent)
  }

  private func employee(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Employee", "name == '\(name)'").first)
  }

  /// What a context saves, in the form that is passed on.
  private func saved(by context: ManagedObjectContext) throws -> SavedChanges {
    var changes: SavedChanges?
    let token = context.observe(.didSave) { changes = SavedChanges($0) }
    try context.save()
    token.cancel()
    return try #require(changes)
  }

  @Test("CTX-295, CTX-274: a sibling's save is merged from the parent, without a statement")
  func siblings() throws {
    let (ada, bob) = (try employee("Ada", in: child), try employee("Bob", in: child))
    try bob.setValue(20, forKey: "salary")
    let department = try child.all("Department")[0]
    #expect(try department.names("employees").sorted() == ["Ada", "Bob"])
    try employee("Ada", in: sibling).setValue("Eve", forKey: "name")
    try employee("Bob", in: sibling).setValue("Ben", forKey: "name")
    let new = try sibling.insert("Employee", ["name": "Cy"])
    try new.setValue(sibling.all("Department")[0], forKey: "department")
    let changes = try saved(by: sibling)
    var told: [ObjectsDidChange] = []
    let token = child.observe(.objectsDidChange) { told.append($0) }
    #expect(try stack.statements { try child.mergeChanges(fromContextDidSave: changes) } == 0)
    token.cancel()
    #expect(told.count == 1 && told[0].inserted.map(\.objectID) == [new.objectID])
    #expect(try ada.string("name") == "Eve")
    #expect(try bob.string("name") == "Ben" && bob.value(forKey: "salary") as? Int64 == 20)
    #expect(child.updatedObjects == [bob])
    #expect(try department.names("employees").sorted() == ["Ben", "Cy", "Eve"])
    try child.checkInvariants()
  }

  @Test("CTX-295, CTX-262: what a sibling has deleted is deleted here after the merge, and needs no save")
  func deletions() throws {
    let ada = try employee("Ada", in: child)
    try ada.setValue(9, forKey: "salary")
    try sibling.delete(employee("Ada", in: sibling))
    try child.mergeChanges(fromContextDidSave: saved(by: sibling))
    #expect(ada.isDeleted && !child.hasChanges && child.registeredObject(for: ada.objectID) == nil)
    #expect(try child.all("Employee").count == 1)
    try child.save()
    try parent.save()
    #expect(try stack.newContext().all("Employee").count == 1)
    try child.checkInvariants()
  }

  @Test("CTX-298, CTX-280: a save beside the root reaches a child once it is merged into the root")
  func chains() throws {
    let (mine, theirs) = (try employee("Ada", in: child), try employee("Ada", in: parent))
    #expect(try mine.string("name") == theirs.string("name"))
    let other = stack.newContext()
    try employee("Ada", in: other).setValue("Eve", forKey: "name")
    let changes = try saved(by: other)
    try child.mergeChanges(fromContextDidSave: changes)
    #expect(try mine.string("name") == "Ada")
    try parent.mergeChanges(fromContextDidSave: changes)
    try child.mergeChanges(fromContextDidSave: changes)
    #expect(try mine.string("name") == "Eve")
    try employee("Eve", in: other).setValue("Fay", forKey: "name")
    let later = try saved(by: other)
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: later, into: [child])
    #expect(try mine.string("name") == "Fay" && theirs.string("name") == "Fay")
  }

  @Test("CTX-276: saves of siblings and of the parent itself are merged automatically, on the child's queue")
  func automatically() throws {
    let parent = ManagedObjectContext(coordinator: stack.coordinator)
    let child = ManagedObjectContext(parent: parent)
    let sibling = ManagedObjectContext(parent: parent)
    child.automaticallyMergesChangesFromParent = true
    nonisolated(unsafe) var ada: ManagedObject?
    func name() throws -> String? { try child.performAndWait { try ada?.string("name") } }
    try child.performAndWait {
      ada = try employee("Ada", in: child)
      #expect(try ada?.string("name") == "Ada")
    }
    try sibling.performAndWait {
      try employee("Ada", in: sibling).setValue("Eve", forKey: "name")
      try sibling.save()
    }
    stack.coordinator.finishPendingWork()
    #expect(try name() == "Eve")
    try parent.performAndWait {
      try employee("Eve", in: parent).setValue("Fay", forKey: "name")
      try parent.save()
    }
    stack.coordinator.finishPendingWork()
    #expect(try name() == "Fay")
    let other = ManagedObjectContext(coordinator: stack.coordinator)
    try other.performAndWait {
      try employee("Fay", in: other).setValue("Gus", forKey: "name")
      try other.save()
    }
    stack.coordinator.finishPendingWork()
    #expect(try name() == "Fay")
  }

  @Test("CTX-274, CTX-276: what a child has inserted is the object that its parent's save names")
  func inserted() throws {
    let parent = ManagedObjectContext(coordinator: stack.coordinator)
    let child = ManagedObjectContext(parent: parent)
    child.automaticallyMergesChangesFromParent = true
    nonisolated(unsafe) var new: ManagedObject?
    try child.performAndWait {
      new = try child.insert("Employee", ["name": "Cy"])
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    stack.coordinator.finishPendingWork()
    try child.performAndWait {
      #expect(new?.objectID.isTemporaryID == false)
      #expect(try child.all("Employee", "name == 'Cy'") == [new])
      try child.checkInvariants()
    }
  }

  @Test("CTX-482: within a chain a fault finds its record, though another level has deleted it")
  func window() throws {
    let ada = try employee("Ada", in: child)
    try sibling.delete(employee("Ada", in: sibling))
    #expect(try ada.string("name") == "Ada" && !ada.isDeleted)
  }
}
