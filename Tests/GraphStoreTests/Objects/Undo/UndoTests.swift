import Foundation
import Testing

@testable import GraphStore

@Suite("Undo and redo", .everyStore)
struct UndoTests {
  private let stack: TestStack
  private let manager = GraphUndoManager()
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company(employees: .cascade, isOrdered: true))
    try stack.context.setUndoManager(manager)
  }

  private func savedEmployee(_ name: String = "Ada") throws -> ManagedObject {
    let employee = try context.insert("Employee", ["name": name])
    try context.save()
    manager.removeAllActions()
    return employee
  }

  @Test("OBJ-400, CTX-144: without a manager nothing is recorded, and undo does nothing")
  func withoutManager() throws {
    let other = stack.newContext()
    #expect(other.undoManager == nil)
    let employee = try other.insert("Employee", ["name": "a"])
    #expect(try other.undo().isEmpty && other.redo().isEmpty)
    #expect(try employee.string("name") == "a" && employee.isInserted)
  }

  @Test("CTX-149, OBJ-413, DGN-183: undo, redo and nothing to do; a new change clears what could be redone")
  func stacks() throws {
    let employee = try savedEmployee()
    #expect(!manager.canUndo && !manager.canRedo)
    #expect(try context.undo().isEmpty && context.redo().isEmpty)
    try employee.setValue("b", forKey: "name")
    #expect(manager.canUndo && !manager.canRedo)
    try context.undo()
    #expect(try employee.string("name") == "Ada")
    #expect(!manager.canUndo && manager.canRedo)
    try context.redo()
    #expect(try employee.string("name") == "b" && manager.canUndo)
    try context.undo()
    try employee.setValue("c", forKey: "name")
    #expect(!manager.canRedo)
    try context.redo()
    #expect(try employee.string("name") == "c")
  }

  @Test("CTX-150, OBJ-407: a context whose changes are all undone has none, and lets go of the objects")
  func flags() throws {
    let employee = try savedEmployee()
    try employee.setValue("b", forKey: "name")
    try context.processPendingChanges()
    try employee.setValue(Int64(5), forKey: "salary")
    try context.undo()
    #expect(employee.isUpdated && employee.changedKeys == ["name"])
    try context.undo()
    #expect(!employee.hasChanges && !context.hasChanges && context.updatedObjects.isEmpty)
    try context.redo()
    #expect(employee.isUpdated && employee.changedKeys == ["name"])
  }

  @Test("OBJ-410: an object that was set to what it was meanwhile is deleted again by redo, and listed once")
  func deletionOfSetObject() throws {
    let employee = try savedEmployee()
    try context.delete(employee)
    try context.undo()
    try employee.setValue("Ada", forKey: "name")
    try context.processPendingChanges()
    #expect(employee.isUpdated && manager.canRedo)
    try context.redo()
    #expect(employee.isDeleted && context.deletedObjects == [employee])
    try context.checkInvariants()
  }

  @Test("OBJ-402, CTX-146, CTX-460: the sets of an event are one change; one without a net effect is none")
  func netEffect() throws {
    let employee = try savedEmployee()
    for name in ["b", "c", "d"] { try employee.setValue(name, forKey: "name") }
    try context.undo()
    #expect(try employee.string("name") == "Ada")
    #expect(!manager.canUndo)
    try employee.setValue("b", forKey: "name")
    try employee.setValue("Ada", forKey: "name")
    #expect(!manager.canUndo)
    let fleeting = try context.insert("Employee", ["name": "x"])
    try context.delete(fleeting)
    #expect(!manager.canUndo)
  }

  @Test(
    "CTX-151, OBJ-409, REL-274, CTX-460: undo of an insertion takes the object out; redo brings the same one back"
  )
  func insertion() throws {
    let department = try context.insert("Department", ["name": "R&D"])
    try context.processPendingChanges()
    let employee = try context.insert("Employee", ["name": "a", "department": department])
    let id = employee.objectID
    try context.undo()
    #expect(employee.managedObjectContext == nil && !employee.isInserted)
    #expect(try department.names("employees").isEmpty && context.insertedObjects == [department])
    try context.redo()
    #expect(employee.managedObjectContext === context && employee.isInserted && employee.objectID == id)
    #expect(
      try department.names("employees") == ["a"] && employee.object(forKey: "department") === department)
    try context.save()
    #expect(try stack.otherProcess().all("Employee").count == 1)
  }

  @Test(
    "CTX-152, OBJ-410, REL-282, REL-118: undo of a cascade brings objects, links and positions back in one step"
  )
  func cascade() throws {
    let department = try context.insert("Department", ["name": "R&D"])
    let employees = try ["a", "b", "c"].map {
      try context.insert("Employee", ["name": $0, "department": department])
    }
    try employees[0].setValue(employees[1], forKey: "spouse")
    let outsider = try context.insert("Employee", ["name": "x", "friends": Set([employees[2]])])
    try context.save()
    try context.delete(department)
    try context.processPendingChanges()
    #expect(try outsider.names("friends").isEmpty && context.deletedObjects.count == 4)
    try context.undo()
    #expect(context.deletedObjects.isEmpty && !context.hasChanges)
    #expect(try department.names("employees") == ["a", "b", "c"] && outsider.names("friends") == ["c"])
    #expect(try employees[1].object(forKey: "spouse") === employees[0])
    try context.redo()
    #expect(context.deletedObjects.count == 4)
    #expect(try outsider.names("friends").isEmpty)
  }

  @Test(
    "CTX-153, OBJ-411: past a save changes are updates, insertions deletions, and deletions insertions under the key"
  )
  func pastSave() throws {
    let ada = try savedEmployee()
    try ada.setValue("b", forKey: "name")
    try context.save()
    try context.undo()
    #expect(try ada.string("name") == "Ada")
    #expect(ada.isUpdated)
    try context.save()
    #expect(try stack.otherProcess().all("Employee").map { try $0.string("name") } == ["Ada"])

    let new = try context.insert("Employee", ["name": "new"])
    try context.save()
    try context.undo()
    #expect(new.isDeleted && context.deletedObjects == [new])
    try context.save()
    #expect(try stack.otherProcess().all("Employee").count == 1)
    try context.redo()
    #expect(new.isInserted && new.managedObjectContext === context)

    let id = ada.objectID
    try context.save()
    try context.delete(ada)
    try context.save()
    #expect(ada.managedObjectContext == nil)
    try context.undo()
    #expect(ada.isInserted && ada.objectID == id)
    #expect(try ada.string("name") == "Ada")
    try context.save()
    let other = try stack.otherProcess()
    let stored = try other.existingObject(
      with: #require(other.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation)))
    #expect(try stored.string("name") == "Ada")
  }

  @Test(
    "OBJ-412: faults that a save deletes are read before, one statement an entity tree, and can be undone")
  func faultsDeleted() throws {
    for name in ["a", "b", "c"] { try context.insert("Project", ["name": name]) }
    try context.save()
    context.reset()
    let projects = try context.all("Project")
    for project in projects { try context.delete(project) }
    try context.save()
    try context.undo()
    #expect(try Set(projects.map { try $0.string("name") }) == ["a", "b", "c"])
    try context.save()
    #expect(try stack.otherProcess().all("Project").count == 3)
  }

  @Test("DGN-255, CTX-147, OBJ-403: groups join events, nest, and name what they hold")
  func groups() throws {
    let employee = try savedEmployee()
    manager.beginUndoGrouping()
    try employee.setValue("b", forKey: "name")
    try context.processPendingChanges()
    manager.beginUndoGrouping()
    try employee.setValue(Int64(1), forKey: "salary")
    try manager.endUndoGrouping()
    try context.processPendingChanges()
    #expect(manager.groupingLevel == 1)
    let failed = #expect(throws: GraphStoreError.self) { try context.undo() }
    #expect(failed?.code == .undoGrouping)
    try employee.setValue(Int64(2), forKey: "salary")
    try manager.endUndoGrouping()
    manager.setActionName("raise")
    #expect(manager.undoActionName == "raise" && manager.groupingLevel == 0)
    try context.undo()
    #expect(try employee.string("name") == "Ada" && employee.value(forKey: "salary") == nil)
    #expect(manager.redoActionName == "raise" && !manager.canUndo)
    try context.redo()
    #expect(try employee.string("name") == "b" && employee.value(forKey: "salary") as? Int64 == 2)
    let error = #expect(throws: GraphStoreError.self) { try manager.endUndoGrouping() }
    #expect(error?.code == .undoGrouping && error?.number == 136086)
  }

  @Test("CTX-148, OBJ-406: what changes while registration is disabled is not recorded; what was stays")
  func disabled() throws {
    let employee = try savedEmployee()
    try employee.setValue("b", forKey: "name")
    manager.disableUndoRegistration()
    try employee.setValue(Int64(3), forKey: "salary")
    manager.enableUndoRegistration()
    try context.undo()
    #expect(try employee.string("name") == "Ada" && employee.value(forKey: "salary") as? Int64 == 3)
    #expect(!manager.canUndo)
  }

  @Test("CTX-156, OBJ-414: levels keep the latest groups")
  func levels() throws {
    let employee = try savedEmployee("0")
    manager.levelsOfUndo = 2
    for name in ["1", "2", "3"] {
      try employee.setValue(name, forKey: "name")
      try context.processPendingChanges()
    }
    try context.undo()
    try context.undo()
    try context.undo()
    #expect(try employee.string("name") == "1")
    manager.levelsOfUndo = -1
    #expect(manager.levelsOfUndo == 0)
  }

  @Test(
    "CTX-157, OBJ-415, OBJ-416, CTX-133, CTX-461: removing all actions, rollback, reset and a nil manager let go of the objects"
  )
  func lettingGo() throws {
    func recorded() throws -> WeakObject {
      let employee = try savedEmployee()
      try employee.setValue("b", forKey: "name")
      try context.save()
      return WeakObject(employee)
    }
    for clear in [
      { manager.removeAllActions() }, { context.rollback() }, { context.reset() },
      { try context.setUndoManager(nil) },
    ] as [() throws -> Void] {
      let employee = try recorded()
      #expect(employee.object != nil)
      try clear()
      #expect(employee.object == nil)
    }
    #expect(context.undoManager == nil)
  }

  private final class WeakObject {
    weak var object: ManagedObject?
    init(_ object: ManagedObject) { self.object = object }
  }

  @Test("DGN-256, CTX-144: a manager belongs to one context")
  func inUse() throws {
    let other = stack.newContext()
    let error = #expect(throws: GraphStoreError.self) { try other.setUndoManager(manager) }
    #expect(error?.code == .undoManagerInUse && other.undoManager == nil)
    try context.setUndoManager(nil)
    try other.setUndoManager(manager)
    #expect(other.undoManager === manager)
  }

  @Test("OBJ-418, CTX-159: what others have deleted is left out and named; the rest is undone")
  func unreached() throws {
    let (a, b) = (try savedEmployee("a"), try savedEmployee("b"))
    try a.setValue("a2", forKey: "name")
    try b.setValue("b2", forKey: "name")
    try context.save()
    let other = stack.newContext()
    try other.delete(try other.existingObject(with: a.objectID))
    try other.save()
    try context.refreshAllObjects()
    #expect(try context.undo() == [a.objectID])
    #expect(try b.string("name") == "b")
  }

  @Test(
    "OBJ-418, CTX-159, REL-320: a record that comes back without what it was linked to is saved without the links"
  )
  func missingDestinations() throws {
    let tools = try context.insert("Department", ["name": "Tools"])
    let toys = try context.insert("Department", ["name": "Toys"])
    let project = try context.insert("Project", ["name": "x"])
    let employee = try savedEmployee("a")
    try employee.setValue(tools, forKey: "department")
    try employee.setValue([project], forKey: "projects")
    let friend = try savedEmployee("b")
    try friend.setValue(toys, forKey: "department")
    try employee.setValue([friend], forKey: "friends")
    try context.save()
    try context.delete(employee)
    try context.save()
    let other = stack.newContext()
    for id in [tools.objectID, project.objectID] { try other.delete(other.existingObject(with: id)) }
    try other.save()
    #expect(try Set(context.undo()) == [tools.objectID, project.objectID])
    #expect(try employee.object(forKey: "department") == nil && employee.objects(forKey: "projects").isEmpty)
    #expect(try employee.objects(forKey: "friends") == [friend])
    try context.save()
    let stored = try stack.otherProcess().all("Employee", "name == 'a'")
    #expect(try stored.count == 1 && stored[0].names("friends") == ["b"])
  }

  @Test("OBJ-419, CTX-157: a failing save changes nothing in the stack")
  func failingSave() throws {
    let model = TestModels.company(isDepartmentOptional: false)
    let stack = try TestStack(model)
    let manager = GraphUndoManager()
    try stack.context.setUndoManager(manager)
    let employee = try stack.context.insert("Employee", ["name": "a"])
    #expect(throws: GraphStoreError.self) { try stack.context.save() }
    #expect(manager.canUndo)
    try stack.context.undo()
    #expect(employee.managedObjectContext == nil && !stack.context.hasChanges)
  }

  @Test("FLT-114, OBJ-417: a refresh registers nothing, and forgets the changes that it drops")
  func refresh() throws {
    let employee = try savedEmployee()
    try employee.setValue("b", forKey: "name")
    try context.processPendingChanges()
    try context.refresh(employee, mergeChanges: false)
    #expect(!manager.canUndo)
    try context.undo()
    #expect(try employee.string("name") == "Ada" && !employee.hasChanges)
  }

  @Test("OBJ-544, CTX-472: 10,000 steps are undone and redone, and nothing is held once they are cleared")
  func manySteps() throws {
    do {
      let employee = try savedEmployee("0")
      for step in 1...10_000 {
        try employee.setValue(Int64(step), forKey: "salary")
        try context.processPendingChanges()
      }
      for _ in 1...10_000 { try context.undo() }
      #expect(try employee.value(forKey: "salary") == nil && !context.hasChanges)
      for _ in 1...10_000 { try context.redo() }
      #expect(try employee.value(forKey: "salary") as? Int64 == 10_000)
    }
    try context.save()
    #expect(context.registeredCount == 1)
    manager.removeAllActions()
    #expect(manager.undoCount == 0 && context.registeredCount == 0)
  }

  @Test("OBJ-180, CTX-145: primitive writes between brackets are undone like any other change")
  func brackets() throws {
    let employee = try savedEmployee()
    for name in ["b", "c"] {
      employee.willChangeValue(forKey: "name")
      try employee.setPrimitiveValue(name, forKey: "name")
      employee.didChangeValue(forKey: "name")
      try context.processPendingChanges()
    }
    try context.undo()
    #expect(try employee.string("name") == "b")
    try context.undo()
    #expect(try employee.string("name") == "Ada")
  }

  @Test("DGN-244, CTX-143: undo from an observer or a hook is refused, and changes nothing")
  func busy() throws {
    let employee = try savedEmployee()
    var errors: [GraphStoreError] = []
    let token = context.observe(.objectsDidChange) { _ in
      do { try context.undo() } catch { errors.append(error as! GraphStoreError) }
    }
    try employee.setValue("b", forKey: "name")
    try context.processPendingChanges()
    try context.undo()
    token.cancel()
    #expect(errors.map(\.code) == [.contextBusy, .contextBusy])
    #expect(try employee.string("name") == "Ada")
    #expect(manager.canRedo && !manager.canUndo)
  }

  @Test(
    "MDL-105, MDL-108, MDL-130, CTX-145: transient and undefined values, composites and data outside are undone too"
  )
  func everyKind() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing",
          attributes: [
            AttributeDefinition("shown", .string, isTransient: true),
            AttributeDefinition("any", .undefined, isTransient: true),
            AttributeDefinition("photo", .binary, externalStorage: true),
            AttributeDefinition("colors", .transformable),
          ])
      ]))
    let context = stack.context
    try context.setUndoManager(GraphUndoManager())
    let large = Data(repeating: 7, count: 150_000)
    let thing = try context.insert(
      "Thing", ["shown": "a", "any": [1, 2], "photo": large, "colors": ["red"]])
    try context.save()
    try thing.setValue("b", forKey: "shown")
    try thing.setValue([3], forKey: "any")
    try thing.setValue(Data([1]), forKey: "photo")
    try thing.setValue(["blue"], forKey: "colors")
    try context.save()
    try context.undo()
    #expect(try thing.string("shown") == "a" && thing.value(forKey: "any") as? [Int] == [1, 2])
    #expect(
      try thing.value(forKey: "photo") as? Data == large
        && thing.value(forKey: "colors") as? [String] == ["red"])
    try context.delete(thing)
    try context.save()
    try context.undo()
    #expect(try thing.value(forKey: "photo") as? Data == large)
    try context.save()
    let stored = try #require(try stack.otherProcess().all("Thing").first)
    #expect(
      try stored.value(forKey: "photo") as? Data == large
        && stored.value(forKey: "colors") as? [String] == ["red"])
  }

  @Test("REL-391, CTX-152: a large cascade is undone past its save")
  func largeCascade() throws {
    let department = try context.insert("Department", ["name": "R&D"])
    for number in 0..<20_000 {
      try context.insert("Employee", ["name": "\(number)", "department": department])
    }
    try context.save()
    manager.removeAllActions()
    try context.delete(department)
    try context.save()
    try context.undo()
    #expect(try department.objects(forKey: "employees").count == 20_000)
    try context.save()
    #expect(try stack.otherProcess().count(for: FetchRequest(entityName: "Employee")) == 20_000)
  }

  @Test(
    "FLT-114: a refresh forgets what concerned its object, and leaves the rest of the step, flags included")
  func refreshOfOne() throws {
    let (a, b) = (try savedEmployee("a"), try savedEmployee("b"))
    try a.setValue("a2", forKey: "name")
    try b.setValue("b2", forKey: "name")
    try context.processPendingChanges()
    try context.refresh(a, mergeChanges: false)
    try context.undo()
    #expect(try a.string("name") == "a" && b.string("name") == "b")
    #expect(!context.hasChanges && !manager.canUndo)
  }

  @Test("STO-144: an insertion that is undone and redone goes to the store that was chosen for it")
  func assignment() throws {
    let folder = try TemporaryFolder()
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
    defer { coordinator.close() }
    let stores = try ["a.db", "b.db"].map { try coordinator.addStore(at: folder.file($0)) }
    let context = ManagedObjectContext(confinedToThread: coordinator)
    try context.setUndoManager(GraphUndoManager())
    let employee = try context.insert("Employee", ["name": "a"])
    try context.assign(employee, to: stores[1])
    try context.undo()
    try context.redo()
    try context.save()
    var request = FetchRequest(entityName: "Employee")
    request.affectedStores = [stores[1]]
    #expect(try context.fetch(request) == [employee])
  }
}
