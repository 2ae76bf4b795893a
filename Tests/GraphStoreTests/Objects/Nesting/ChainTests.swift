import Testing

@testable import GraphStore

/// Chains of contexts, each of which has something of its own.
@Suite("Chains of contexts", .everyStore)
struct ChainTests {
  private let stack: TestStack
  private let root: ManagedObjectContext
  private let child: ManagedObjectContext
  private let grandchild: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company(isOrdered: true))
    root = stack.context
    child = ManagedObjectContext(childOf: root)
    grandchild = ManagedObjectContext(childOf: child)
  }

  private func salary(_ object: ManagedObject) throws -> Int64? {
    try object.value(forKey: "salary") as? Int64
  }

  @Test("CTX-287, FET-037: a fetch sees what each context above has changed, the nearest last")
  func layers() throws {
    try root.insert("Employee", ["name": "Ada", "salary": 1])
    let mine = try #require(try child.all("Employee").first)
    try mine.setValue(2, forKey: "salary")
    let found = try #require(try grandchild.all("Employee").first)
    #expect(try salary(found) == 2)
    #expect(try grandchild.all("Employee", "salary == 2") == [found])
    let new = try child.insert("Manager", ["name": "Bob", "salary": 4])
    try child.save()
    try new.setValue(5, forKey: "salary")
    #expect(try grandchild.all("Employee", "salary == 5").map { try salary($0) } == [5])
    let other = ManagedObjectContext(childOf: grandchild)
    try found.setValue(3, forKey: "salary")
    #expect(try other.all("Employee", "salary == 3").map { try salary($0) } == [3])
  }

  @Test("CTX-287: a child shows what its parent has kept, though contexts above have changed it since")
  func kept() throws {
    try root.insert("Employee", ["name": "Ada", "salary": 1])
    try root.save()
    let theirs = try #require(try root.all("Employee").first)
    let mine = try #require(try child.all("Employee").first)
    #expect(try salary(mine) == 1)
    try theirs.setValue(2, forKey: "salary")
    #expect(try salary(mine) == 1)
    #expect(try salary(grandchild.object(with: mine.objectID)) == 1)
    let other = ManagedObjectContext(childOf: child)
    #expect(try other.all("Employee").map { try salary($0) } == [1])
    try child.refreshAllObjects()
    #expect(try salary(mine) == 2)
    try other.refreshAllObjects()
    #expect(try other.all("Employee").map { try salary($0) } == [2])
  }

  @Test("CTX-305: a context that has not read since the root's save gives its children permanent identifiers")
  func lateAdoption() throws {
    let department = try child.insert("Department", ["name": "R&D"])
    let ada = try child.insert("Employee", ["name": "Ada", "department": department])
    try child.save()
    try root.save()
    try ada.setValue(5, forKey: "salary")
    let found = try #require(try grandchild.all("Department").first)
    let members = try found.objects(forKey: "employees")
    #expect(try members.map { try salary($0) } == [5])
    #expect(try grandchild.all("Employee") == members && !members.contains { $0.objectID.isTemporaryID })
    for context in [child, grandchild] { try context.checkInvariants() }
  }

  @Test(
    "CTX-305: a fault of a grandchild finds by its permanent identifier what the context between has changed")
  func lateFault() throws {
    let ada = try child.insert("Employee", ["name": "Ada", "salary": 1])
    try child.save()
    try root.save()
    try ada.setValue(5, forKey: "salary")
    let id = try #require(try stack.newContext().all("Employee").first?.objectID)
    #expect(try salary(grandchild.object(with: id)) == 5)
    try child.checkInvariants()
  }

  @Test("CTX-305: a child saves into one that has not read since the root's save")
  func lateSave() throws {
    let ada = try grandchild.insert("Employee", ["name": "Ada", "salary": 1])
    try grandchild.save()
    try child.save()
    try root.save()
    try ada.setValue(5, forKey: "salary")
    for context in [grandchild, child, root] { try context.save() }
    #expect(try stack.newContext().all("Employee").map { try salary($0) } == [5])
    for context in [root, child, grandchild] { try context.checkInvariants() }
  }

  @Test("CTX-161: undo in the parent brings back a new object of the parent that a child has deleted")
  func undoneDeletion() throws {
    try root.setUndoManager(GraphUndoManager())
    let department = try root.insert("Department", ["name": "R&D"])
    let ada = try root.insert("Employee", ["name": "Ada", "department": department])
    try root.processPendingChanges()
    try child.delete(child.object(with: ada.objectID))
    try child.save()
    #expect(try root.all("Employee") == [] && department.names("employees") == [])
    try root.undo()
    #expect(try root.all("Employee") == [ada] && department.names("employees") == ["Ada"])
    #expect(ada.isInserted && root.insertedObjects.count == 2)
    try root.redo()
    #expect(try root.all("Employee") == [] && department.names("employees") == [])
  }
}
