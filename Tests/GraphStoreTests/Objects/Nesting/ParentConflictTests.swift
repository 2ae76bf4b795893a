import Testing

@testable import GraphStore

/// What a child would overwrite, told before it saves.
@Suite("Conflicts of a child with its parent", .everyStore)
struct ParentConflictTests {
  private let stack: TestStack
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext
  private let ada: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    parent = stack.context
    try parent.insert("Employee", ["name": "Ada", "salary": 1])
    try parent.insert("Employee", ["name": "Bob", "salary": 2])
    try parent.save()
    parent.reset()
    child = ManagedObjectContext(childOf: parent)
    ada = try #require(try child.all("Employee", "name == 'Ada'").first)
    try ada.setValue(10, forKey: "salary")
  }

  private func theirs(in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Employee", "name == 'Ada'").first)
  }

  @Test("CTX-493: without changes there is no conflict, nor where others have changed other properties")
  func none() throws {
    #expect(try child.conflicts(with: parent).isEmpty)
    try theirs(in: parent).setValue("Eve", forKey: "name")
    #expect(try child.conflicts(with: parent).isEmpty)
    #expect(ada.hasChanges && child.hasChanges)
  }

  @Test("CTX-493: what the parent has changed unsaved, and a save of the child would replace, is a conflict")
  func unsaved() throws {
    try theirs(in: parent).setValue(5, forKey: "salary")
    let conflict = try #require(try child.conflicts(with: parent).first)
    #expect(conflict.sourceObject === ada)
    let difference = try #require(conflict.differences.first { $0.property == "salary" })
    #expect(difference.old == .int(1) && difference.inMemory == .int(10) && difference.stored == .int(5))
    try child.save()
    #expect(try child.conflicts(with: parent).isEmpty)
    #expect(try theirs(in: parent).value(forKey: "salary") as? Int64 == 10)
  }

  @Test("CTX-493: what another context has stored is a conflict, whether or not the parent knows of it")
  func stored() throws {
    let other = stack.newContext()
    try theirs(in: other).setValue(7, forKey: "salary")
    try other.save()
    let conflict = try #require(try child.conflicts(with: parent).first)
    #expect(conflict.differences.first?.stored == .int(7))
  }

  @Test(
    "CTX-493, CTX-349: what others have stored is a conflict where the parent still has former values too")
  func storedSinceTheParentRead() throws {
    let held = try theirs(in: parent)
    #expect(try held.string("name") == "Ada")
    let other = stack.newContext()
    try theirs(in: other).setValue(7, forKey: "salary")
    try other.save()
    #expect(try child.conflicts(with: parent).first?.differences.first?.stored == .int(7))
    try parent.setQueryGenerationFrom(.current)
    #expect(try child.conflicts(with: parent).count == 1)
    #expect(try held.value(forKey: "salary") as? Int64 == 1)
  }

  @Test("CTX-493: what is deleted in the parent is a conflict of a change here, and none of a deletion")
  func deleted() throws {
    try parent.delete(theirs(in: parent))
    let conflict = try #require(try child.conflicts(with: parent).first)
    #expect(conflict.newVersionNumber == 0)
    child.rollback()
    #expect(try child.conflicts(with: parent).isEmpty)
  }

  @Test(
    "CTX-493: a child's policy settles the conflicts as a root's does, taking the parent's values for the stored ones",
    arguments: [
      (MergePolicy.mergeByPropertyStoreTrump, 5, "Eve"), (.mergeByPropertyObjectTrump, 10, "Eve"),
      (.overwrite, 10, "Ada"), (.rollback, 5, "Eve"),
    ])
  func resolved(_ policy: MergePolicy, salary: Int64, name: String) throws {
    let above = try theirs(in: parent)
    try above.setValue(5, forKey: "salary")
    try above.setValue("Eve", forKey: "name")
    child.mergePolicy = policy
    try child.resolveConflicts(child.conflicts(with: parent), with: parent)
    #expect(try child.conflicts(with: parent).isEmpty)
    #expect(try ada.value(forKey: "salary") as? Int64 == salary && ada.string("name") == name)
    #expect(above.changedKeys.sorted() == ["name", "salary"])
    try child.save()
    #expect(try above.value(forKey: "salary") as? Int64 == salary && above.string("name") == name)
    try parent.checkInvariants()
  }

  @Test("CTX-493, CTX-494: a policy that refuses throws, and a deletion above wins over changes here")
  func unresolved() throws {
    let above = try theirs(in: parent)
    try above.setValue(5, forKey: "salary")
    #expect {
      try child.resolveConflicts(child.conflicts(with: parent), with: parent)
    } throws: {
      GraphStoreError.code(.mergeConflict) ~= $0
    }
    #expect(try ada.value(forKey: "salary") as? Int64 == 10)
    try parent.delete(above)
    child.mergePolicy = .mergeByPropertyObjectTrump
    try child.resolveConflicts(child.conflicts(with: parent), with: parent)
    #expect(try ada.value(forKey: "salary") as? Int64 == 10)
    try child.save()
    #expect(above.isDeleted && parent.updatedObjects.isEmpty)
  }

  @Test("CTX-493: another context than the parent is refused")
  func strangers() throws {
    #expect {
      try child.conflicts(with: stack.newContext())
    } throws: {
      GraphStoreError.code(.invalidRequest) ~= $0
    }
  }

  @Test(
    "CTX-290: a record that others have changed since the child read it is a conflict of the parent's save")
  func lost() throws {
    parent.reset()
    let other = stack.newContext()
    try theirs(in: other).setValue(7, forKey: "salary")
    try other.save()
    try child.save()
    #expect {
      try parent.save()
    } throws: {
      GraphStoreError.code(.mergeConflict) ~= $0
    }
    parent.mergePolicy = .mergeByPropertyObjectTrump
    try parent.save()
    #expect(try theirs(in: stack.newContext()).value(forKey: "salary") as? Int64 == 10)
  }

  @Test("CTX-494: a change of an object that its parent has let go of fails the save, and nothing is changed")
  func gone() throws {
    let new = try parent.insert("Employee", ["name": "Cy"])
    let mine = try child.object(with: new.objectID)
    try mine.setValue("Di", forKey: "name")
    parent.rollback()
    #expect {
      try child.save()
    } throws: {
      GraphStoreError.code(.objectNotFound) ~= $0
    }
    #expect(child.updatedObjects.count == 2 && !parent.hasChanges)
    try child.delete(mine)
    try child.save()
    #expect(try theirs(in: parent).value(forKey: "salary") as? Int64 == 10)
    try parent.checkInvariants()
  }
}
