import Foundation
import Testing

@testable import GraphStore

/// What contexts of one family have in common, and what each has of its own.
@Suite("Settings and events of nested contexts", .everyStore)
struct NestedSettingsTests {
  private let stack: TestStack
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    parent = stack.context
    try parent.insert("Employee", ["name": "Ada", "salary": 1])
    try parent.save()
    parent.reset()
    child = ManagedObjectContext(childOf: parent)
  }

  private func ada(in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Employee").first)
  }

  @Test("CTX-286, CTX-285: a child knows its parent, and its coordinator is the root's")
  func parents() throws {
    let grandchild = ManagedObjectContext(parent: child)
    #expect(grandchild.parent === child && child.parent === parent && parent.parent == nil)
    #expect(grandchild.coordinator === stack.coordinator)
  }

  @Test("FLT-072: the staleness interval of the root applies in all contexts below it")
  func staleness() throws {
    parent.stalenessInterval = 5
    #expect(child.stalenessInterval == 5)
    child.stalenessInterval = 1
    #expect(child.stalenessInterval == 5 && ManagedObjectContext(parent: child).stalenessInterval == 5)
  }

  @Test("CTX-142: rollback and reset reach neither parents nor children")
  func discarding() throws {
    let (mine, theirs) = (try ada(in: child), try ada(in: parent))
    try theirs.setValue(2, forKey: "salary")
    try mine.setValue("Eve", forKey: "name")
    child.rollback()
    #expect(parent.hasChanges && !child.hasChanges)
    try mine.setValue("Eve", forKey: "name")
    parent.rollback()
    #expect(!parent.hasChanges && child.hasChanges)
    parent.reset()
    #expect(child.hasChanges && mine.managedObjectContext === child)
    try child.save()
    child.reset()
    #expect(try ada(in: parent).string("name") == "Eve" && parent.hasChanges)
  }

  @Test("CTX-161: a child's save is one group of its parent's undo manager, which it takes back as a whole")
  func undo() throws {
    let manager = GraphUndoManager()
    try parent.setUndoManager(manager)
    let mine = try ada(in: child)
    try mine.setValue(2, forKey: "salary")
    try child.processPendingChanges()
    try mine.setValue("Eve", forKey: "name")
    let department = try child.insert("Department", ["name": "R&D"])
    try mine.setValue(department, forKey: "department")
    try child.save()
    #expect(manager.undoCount == 1)
    let theirs = try ada(in: parent)
    #expect(try theirs.object(forKey: "department")?.string("name") == "R&D")
    try manager.undo()
    #expect(try theirs.string("name") == "Ada" && theirs.value(forKey: "salary") as? Int64 == 1)
    #expect(try theirs.object(forKey: "department") == nil && parent.all("Department").isEmpty)
    try manager.redo()
    #expect(try theirs.string("name") == "Eve" && parent.all("Department")[0].names("employees") == ["Eve"])
    try parent.save()
    #expect(try ada(in: stack.newContext()).object(forKey: "department")?.string("name") == "R&D")
    try parent.checkInvariants()
  }

  @Test("CTX-161: a deletion that a child has saved is taken back by its parent's undo manager")
  func undoDeletion() throws {
    let manager = GraphUndoManager()
    let department = try parent.insert("Department", ["name": "R&D"])
    try ada(in: parent).setValue(department, forKey: "department")
    try parent.save()
    try parent.setUndoManager(manager)
    try child.delete(ada(in: child))
    try child.save()
    #expect(try parent.all("Employee").isEmpty && department.objects(forKey: "employees").isEmpty)
    try manager.undo()
    #expect(try department.names("employees") == ["Ada"])
    #expect(try ada(in: parent).object(forKey: "department") === department)
    try manager.redo()
    try parent.save()
    #expect(try stack.newContext().all("Employee").isEmpty)
    try parent.checkInvariants()
  }

  @Test("CTX-293: after a child's save its parent tells of it as of one event")
  func events() throws {
    var told: [ObjectsDidChange] = []
    let token = parent.observe(.objectsDidChange) { told.append($0) }
    let mine = try ada(in: child)
    try mine.setValue(2, forKey: "salary")
    try child.insert("Department", ["name": "R&D"])
    #expect(told.isEmpty)
    try child.save()
    #expect(told.count == 1 && told[0].inserted.count == 1 && told[0].updated.count == 1)
    #expect(told[0].updated.first?.managedObjectContext === parent)
    token.cancel()
  }

  @Test("CTX-289: a child tells of its save with the identifiers that its objects have")
  func savedMessages() throws {
    var saved: [ContextDidSaveObjectIDs] = []
    let token = child.observe(.didSaveObjectIDs) { saved.append($0) }
    let new = try child.insert("Department", ["name": "R&D"])
    try child.save()
    #expect(saved.count == 1 && saved[0].inserted == [new.objectID])
    token.cancel()
  }

  @Test("CTX-303: what was pushed reaches the store though the child is gone")
  func droppedChild() throws {
    do {
      let other = ManagedObjectContext(childOf: parent)
      try ada(in: other).setValue(9, forKey: "salary")
      try other.insert("Employee", ["name": "Bob"])
      try other.save()
    }
    try parent.save()
    #expect(
      try stack.newContext().all("Employee", sort: ["name"]).map { try $0.string("name") } == ["Ada", "Bob"])
  }

  @Test("CTX-296: a failed save of the parent leaves its children as they are")
  func failing() throws {
    let mine = try ada(in: child)
    try mine.setValue(3, forKey: "salary")
    try child.save()
    let other = stack.newContext()
    try ada(in: other).setValue(4, forKey: "salary")
    try other.save()
    #expect(throws: GraphStoreError.self) { try parent.save() }
    #expect(try mine.value(forKey: "salary") as? Int64 == 3 && !child.hasChanges)
    parent.rollback()
    try child.refresh(mine, mergeChanges: false)
    #expect(try mine.value(forKey: "salary") as? Int64 == 4)
  }

  @Test("CTX-292, OBJ-336: a child's objects are validated when it saves, and the parent's when that does")
  func validation() throws {
    var model = TestModels.company()
    model.entities[1].attributes[0].isOptional = false
    let stack = try TestStack(model)
    let child = ManagedObjectContext(childOf: stack.context)
    let new = try child.insert(entityNamed: "Employee")
    #expect(throws: GraphStoreError.self) { try child.save() }
    try new.setValue("Ada", forKey: "name")
    try child.save()
    try stack.context.all("Employee")[0].setValue(nil, forKey: "name")
    #expect(throws: GraphStoreError.self) { try stack.context.save() }
  }
}
