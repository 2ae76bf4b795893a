import GraphStore
import Testing

@Suite("Objects that are to be deleted", .everyStore)
struct DeletedObjectTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let ada: ManagedObject
  private let tools: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    tools = try stack.context.insert("Department", ["name": "Tools"])
    ada = try stack.context.insert("Employee", ["name": "Ada", "salary": 7, "department": tools])
    try stack.context.save()
  }

  @Test("OBJ-310: the record stays in the store until the save")
  func untilSave() throws {
    try context.delete(ada)
    try context.processPendingChanges()
    #expect(
      try stack.newContext().all("Employee").count == 1 && stack.otherProcess().all("Employee").count == 1)
    try context.save()
    #expect(try stack.newContext().all("Employee").isEmpty && stack.otherProcess().all("Employee").isEmpty)
  }

  @Test("OBJ-311: values, identifier and context stay, of a fault as well, until the save")
  func readable() throws {
    let id = ada.objectID
    try context.refresh(ada, mergeChanges: false)
    try context.delete(ada)
    #expect(try ada.string("name") == "Ada" && ada.value(forKey: "salary") as? Int64 == 7)
    #expect(ada.objectID == id && ada.managedObjectContext === context && ada.isDeleted)
    try context.processPendingChanges()
    #expect(try ada.string("name") == "Ada" && ada.objectID == id)
    #expect(context.registeredObject(for: id) === ada)
  }

  @Test("OBJ-312: a value set before the save is seen, revives nothing, and is not written")
  func setting() throws {
    try context.delete(ada)
    try ada.setValue("Eve", forKey: "name")
    ada[AttributeKey<ManagedObject, Int64>("salary")] = 8
    #expect(try ada.string("name") == "Eve" && ada.value(forKey: "salary") as? Int64 == 8)
    #expect(
      ada.isDeleted && context.deletedObjects == [ada] && context.updatedObjects.allSatisfy { $0 !== ada })
    try context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty && context.takeDeferredErrors().isEmpty)
  }

  @Test("OBJ-312: after a rollback the stored values are back")
  func settingAndRollback() throws {
    try context.delete(ada)
    try ada.setValue("Eve", forKey: "name")
    context.rollback()
    #expect(try ada.string("name") == "Ada" && !ada.hasChanges)
    #expect(try ada.object(forKey: "department") === tools && tools.objects(forKey: "employees") == [ada])
  }

  @Test("OBJ-312: a relationship set meanwhile does not bring the object back into the other end's members")
  func settingRelationship() throws {
    let sales = try context.insert("Department", ["name": "Sales"])
    try context.delete(ada)
    try ada.setValue(sales, forKey: "department")
    try context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
    #expect(try sales.objects(forKey: "employees").isEmpty && tools.objects(forKey: "employees").isEmpty)
  }

  @Test(
    "OBJ-012, OBJ-313, REL-215, DGN-238: once it is saved, attributes and relationships alike throw, read or not"
  )
  func afterSave() throws {
    let desk = try context.insert("Desk", ["name": "D", "owner": ada])
    try ada.addObjects([context.insert("Project", ["name": "P"])], forKey: "projects")
    try context.save()
    let id = ada.objectID
    try context.delete(ada)
    try context.processPendingChanges()
    // Until then the links that rules have cut are gone, and everything else is there.
    #expect(try ada.object(forKey: "department") == nil && ada.objects(forKey: "projects").isEmpty)
    try context.save()
    #expect(ada.managedObjectContext == nil && desk.managedObjectContext == nil && ada.objectID == id)
    let toManys = ["projects", "friends", "reports"]
    for key in ["name", "salary", "department", "desk", "manager"] + toManys {
      let error = failure {
        if toManys.contains(key) { _ = try ada.objects(forKey: key) } else { _ = try ada.value(forKey: key) }
      }
      #expect(error?.code == .inaccessibleObject && error?.number == 133_000, "\(key)")
      #expect(error?.objectID == id, "\(key)")
      #expect(code { try ada.setValue(nil, forKey: key) } == .objectDetached, "\(key)")
    }
    #expect(failure { _ = try ada.value(forKeyPath: "department.name") }?.code == .inaccessibleObject)
    #expect(
      ada[ToOneKey<ManagedObject, ManagedObject>("department")] == nil
        && ada[AttributeKey<ManagedObject, String>("name")] == nil)
    try context.delete(ada)
    #expect(!context.hasChanges && context.takeDeferredErrors().isEmpty)
  }

  @Test("OBJ-012, REL-215: what was never saved keeps its values, and its links are gone")
  func neverSaved() throws {
    let bob = try context.insert("Employee", ["name": "Bob", "department": tools])
    try context.delete(bob)
    try context.processPendingChanges()
    #expect(bob.managedObjectContext == nil)
    #expect(try bob.string("name") == "Bob" && bob.object(forKey: "department") == nil)
    #expect(try tools.objects(forKey: "employees") == [ada])
  }

  @Test(
    "OBJ-315: deleting a record that another has deleted meanwhile is no conflict", arguments: [false, true])
  func goneMeanwhile(_ isRead: Bool) throws {
    if !isRead { try context.refresh(ada, mergeChanges: false) }
    try context.delete(ada)
    let other = try stack.otherProcess()
    try other.delete(other.all("Employee")[0])
    try other.save()
    try tools.setValue("Tools 2", forKey: "name")
    try context.save()
    #expect(ada.managedObjectContext == nil && !context.hasChanges)
    #expect(try stack.otherProcess().all("Department")[0].string("name") == "Tools 2")
  }

  @Test("OBJ-315: nor is one that another has changed and then deleted")
  func changedAndGone() throws {
    try context.delete(ada)
    try context.processPendingChanges()
    let other = stack.newContext()
    let theirs = try other.existingObject(with: ada.objectID)
    try theirs.setValue("Eve", forKey: "name")
    try other.save()
    try other.delete(theirs)
    try other.save()
    try context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }
}
