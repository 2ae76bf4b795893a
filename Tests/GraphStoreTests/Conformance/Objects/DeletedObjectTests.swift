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
    ada[AttributeKey<Int64>("salary")] = 8
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
