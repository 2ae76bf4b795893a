import Foundation
import Testing

@testable import GraphStore

@Suite("Deletions that are merged", .everyStore)
struct MergedDeletionTests {
  private let pair: SavingAndMerging
  private var stack: TestStack { pair.stack }
  private var here: ManagedObjectContext { pair.here }
  private var there: ManagedObjectContext { pair.there }

  init() throws { pair = try SavingAndMerging() }

  @Test(
    "CTX-262, CTX-357, CTX-455: objects here become deleted, also with pending changes, which are lost; nothing is left to save"
  )
  func deletion() throws {
    let theirs = try ["a", "b", "c"].map { try there.insert("Employee", ["name": $0]) }
    try there.save()
    let mine = try theirs.map { try pair.mine($0) }
    let (ids, unknown) = (mine.map(\.objectID), try pair.saved("Employee", ["name": "u"]))
    try mine[0].setValue("changed", forKey: "name")
    try here.delete(mine[1])
    try here.processPendingChanges()
    for object in theirs + [unknown] { try there.delete(object) }
    let changes = try there.saveTakingChanges()
    #expect(try stack.statements { try here.mergeChanges(fromContextDidSave: changes) } == 0)
    for object in mine {
      #expect(object.isDeleted && !object.isUpdated && object.managedObjectContext === here)
      #expect(!here.registeredObjects.contains(object) && here.registeredObject(for: object.objectID) == nil)
    }
    #expect(here.registeredCount == 0 && !here.hasChanges)
    #expect(here.deletedObjects.isEmpty && here.updatedObjects.isEmpty)
    try pair.checkInvariants()
    try here.insert("Employee", ["name": "n"])
    #expect(try stack.statements { try here.save() } < 10)
    for (object, id) in zip(mine, ids) {
      #expect(object.managedObjectContext == nil && !object.isDeleted && object.objectID == id)
      #expect(throws: GraphStoreError.self) { try object.value(forKey: "name") }
    }
    try pair.checkInvariants()
  }

  @Test("CTX-262: they are detached by a save without changes, by a reset, and when their context goes")
  func leaving() throws {
    func mergedDeletion(in context: ManagedObjectContext) throws -> ManagedObject {
      let theirs = try pair.saved("Employee", ["name": "x"])
      let mine = try context.existingObject(with: theirs.objectID)
      try there.delete(theirs)
      try context.mergeChanges(fromContextDidSave: try there.saveTakingChanges())
      #expect(mine.isDeleted && mine.managedObjectContext === context)
      return mine
    }
    let saved = try mergedDeletion(in: here)
    try here.save()
    #expect(saved.managedObjectContext == nil && !saved.isDeleted)
    let reset = try mergedDeletion(in: here)
    here.reset()
    #expect(reset.managedObjectContext == nil && !reset.isDeleted)
    let rolledBack = try mergedDeletion(in: here)
    here.rollback()
    #expect(rolledBack.isDeleted && !here.hasChanges)
    var short: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
    let orphan = try mergedDeletion(in: #require(short))
    short = nil
    #expect(orphan.managedObjectContext == nil)
    weak var released: ManagedObject?
    func release() throws { released = try mergedDeletion(in: here) }
    try release()
    #expect(released == nil)
    try here.save()
    try pair.checkInvariants()
  }

  @Test("CTX-263: realised values remain, a fault reads as empty, and nothing throws, also without marking")
  func reading() throws {
    let theirs = try ["a", "b"].map { try there.insert("Employee", ["name": $0, "salary": 5]) }
    try there.save()
    here.shouldDeleteInaccessibleFaults = false
    let (realised, fault) = (
      try pair.mine(theirs[0]), try here.object(with: theirs[1].objectID)
    )
    try realised.setValue("mine", forKey: "name")
    for object in theirs { try there.delete(object) }
    try pair.saveAndMerge()
    let count = try stack.statements {
      try check(realised.string("name") == "a" && realised.value(forKey: "salary") as? Int64 == 5)
      try check(realised.names("reports").isEmpty && realised.object(forKey: "department") == nil)
      try check(fault.string("name") == nil && fault.value(forKey: "salary") == nil)
      try check(fault.names("reports").isEmpty && fault.object(forKey: "department") == nil)
    }
    #expect(count == 0 && fault.isDeleted && here.takeDeferredErrors().isEmpty)
    for object in [realised, fault] {
      try object.setValue("set", forKey: "name")
      #expect(try object.string("name") == "set")
      try here.delete(object)
      try here.refresh(object, mergeChanges: false)
    }
    #expect(!here.hasChanges && here.deletedObjects.isEmpty)
    try here.save()
    try pair.checkInvariants()
  }

  @Test("CTX-264, CTX-265: references held here are nullified through inverses, which changes those objects")
  func nullifying() throws {
    let department = try pair.saved("Department", ["name": "d"])
    let employee = try pair.saved("Employee", ["name": "e"])
    let project = try pair.saved("Project", ["name": "p"])
    let (mine, mineEmployee, mineProject) = (
      try pair.mine(department), try pair.mine(employee), try pair.mine(project)
    )
    let new = try here.insert("Employee", ["name": "n", "department": mine, "manager": mineEmployee])
    try mineProject.addObjects([mineEmployee, new], forKey: "members")
    let desk = try here.insert("Desk", ["owner": mineEmployee])
    try here.processPendingChanges()
    try there.delete(department)
    try there.delete(employee)
    let changes = try there.saveTakingChanges()
    #expect(try stack.statements { try here.mergeChanges(fromContextDidSave: changes) } == 0)
    #expect(try new.object(forKey: "department") == nil && new.object(forKey: "manager") == nil)
    #expect(try mineProject.names("members") == ["n"] && desk.object(forKey: "owner") == nil)
    #expect(new.isInserted && mine.isDeleted && mineEmployee.isDeleted && !desk.isDeleted)
    try pair.checkInvariants()
    try here.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Project")[0].names("members") == ["n"] && other.all("Desk").count == 1)
    #expect(try other.all("Employee")[0].object(forKey: "department") == nil)
  }

  @Test("CTX-264: a clean object that nobody has listed is cut too, by what the deleted one knows")
  func unlisted() throws {
    let department = try there.insert("Department", ["name": "d"])
    let employee = try pair.saved("Employee", ["name": "e", "department": department])
    let (mine, mineEmployee) = (try pair.mine(department), try pair.mine(employee))
    #expect(try mine.names("employees") == ["e"] && mineEmployee.object(forKey: "department") === mine)
    let changes: [ManagedObjectContext.NotificationKey: [ManagedObjectID]] = [
      .deletedObjectIDs: [department.objectID]
    ]
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [here])
    #expect(try mine.isDeleted && mineEmployee.object(forKey: "department") == nil)
    #expect(mineEmployee.isUpdated && here.updatedObjects == [mineEmployee])
    try pair.checkInvariants()
  }

  @Test("CTX-265: a mandatory relationship left empty is found by validation at the save")
  func mandatory() throws {
    let pair = try SavingAndMerging(TestModels.company(isDepartmentOptional: false))
    let department = try pair.saved("Department", ["name": "d"])
    let mine = try pair.mine(department)
    let new = try pair.here.insert("Employee", ["name": "n", "department": mine])
    try pair.there.delete(department)
    try pair.saveAndMerge()
    #expect(try new.object(forKey: "department") == nil)
    do {
      try pair.here.save()
      Issue.record("it is saved")
    } catch let error as GraphStoreError {
      #expect(error.code == .validation && error.property == "department" && error.objectID == new.objectID)
    }
  }

  @Test("CTX-264: other delete rules are not applied again")
  func otherRules() throws {
    let pair = try SavingAndMerging(TestModels.company(employees: .cascade))
    let department = try pair.saved("Department", ["name": "d"])
    let mine = try pair.mine(department)
    let new = try pair.here.insert("Employee", ["name": "n", "department": mine])
    try pair.there.delete(department)
    try pair.saveAndMerge()
    #expect(!new.isDeleted && new.isInserted)
    try pair.checkInvariants()
  }

  @Test("CTX-363, REL-321: what a cascade has deleted elsewhere, loaded or not, is deleted here one by one")
  func cascade() throws {
    let pair = try SavingAndMerging(TestModels.company(employees: .cascade))
    let department = try pair.there.insert("Department", ["name": "d"])
    let employees = try (0..<5).map {
      try pair.there.insert("Employee", ["name": "\($0)", "department": department])
    }
    try pair.there.save()
    let mine = try ([department] + employees[..<3]).map { try pair.mine($0) }
    #expect(try mine[0].names("employees").count == 5)
    pair.there.reset()
    try pair.there.delete(try pair.there.all("Department")[0])
    let changes = try pair.there.saveTakingChanges()
    #expect(changes.deleted.count == 6)
    try pair.here.mergeChanges(fromContextDidSave: changes)
    #expect(mine.allSatisfy(\.isDeleted) && pair.here.registeredCount == 0 && !pair.here.hasChanges)
    try pair.checkInvariants()
  }

  @Test("CTX-364, OBJ-417, OBJ-418: a merged deletion is not undoable, and later steps leave its object out")
  func undo() throws {
    try here.setUndoManager(GraphUndoManager())
    let (theirs, kept) = (
      try pair.saved("Employee", ["name": "a"]), try pair.saved("Employee", ["name": "k"])
    )
    let (mine, stays) = (try pair.mine(theirs), try pair.mine(kept))
    try stays.setValue("K", forKey: "name")
    try here.processPendingChanges()
    try mine.setValue("b", forKey: "name")
    try stays.setValue(mine, forKey: "manager")
    try here.processPendingChanges()
    try there.delete(theirs)
    try pair.saveAndMerge()
    #expect(mine.isDeleted)
    #expect(try stays.object(forKey: "manager") == nil)
    while here.undoManager?.canUndo == true { try here.undo() }
    #expect(mine.isDeleted && !here.hasChanges)
    #expect(try stays.string("name") == "k")
    try pair.checkInvariants()
  }

  @Test(
    "CTX-364: a deletion made here to follow another's is undone like any other, and brings the record back")
  func followedDeletion() throws {
    try here.setUndoManager(GraphUndoManager())
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    try there.delete(theirs)
    try there.save()
    try here.delete(mine)
    try here.save()
    try here.undo()
    try here.save()
    #expect(try stack.otherProcess().all("Employee").map { try $0.string("name") } == ["a"])
  }

  @Test("REL-247, CTX-070: a later deletion does not hide what others have linked to an earlier one since")
  func laterDeletion() throws {
    let departments = try (0..<2).map { try there.insert("Department", ["name": "\($0)"]) }
    let employee = try pair.saved("Employee", ["name": "e"])
    try here.delete(try pair.mine(departments[0]))
    try here.processPendingChanges()
    try employee.setValue(departments[0], forKey: "department")
    try pair.saveAndMerge()
    try here.delete(try pair.mine(departments[1]))
    try here.processPendingChanges()
    let saved = try here.saveTakingChanges()
    #expect(saved.updated == [employee.objectID] && saved.deleted == Set(departments.map(\.objectID)))
    try there.mergeChanges(fromContextDidSave: saved)
    #expect(try employee.object(forKey: "department") == nil && !there.hasChanges)
    try pair.checkInvariants()
  }

  @Test("A record that was brought back elsewhere is another object here")
  func broughtBack() throws {
    try there.setUndoManager(GraphUndoManager())
    let theirs = try pair.saved("Employee", ["name": "a"])
    let mine = try pair.mine(theirs)
    try there.delete(theirs)
    try pair.saveAndMerge()
    try there.undo()
    let changes = try there.saveTakingChanges()
    var found: [ManagedObject] = []
    let token = here.observe(.objectsDidChange) { found += $0.inserted }
    try here.mergeChanges(fromContextDidSave: changes)
    token.cancel()
    #expect(found.count == 1 && found.first !== mine && mine.isDeleted)
    #expect(try found.first?.string("name") == "a")
    try pair.checkInvariants()
  }
}
