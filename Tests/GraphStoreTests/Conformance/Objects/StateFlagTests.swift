import GraphStore
import Testing

@Suite("Flags of objects, and what a save clears", .everyStore)
struct StateFlagTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company(isDepartmentOptional: false)) }

  private func complete(_ name: String) throws -> ManagedObject {
    let tools = try context.insert("Department", ["name": "Tools"])
    return try context.insert("Employee", ["name": name, "department": tools])
  }

  @Test("OBJ-090: inserted until the first save that succeeds, and never among the updated objects")
  func inserted() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    func expectInserted(_ location: SourceLocation = #_sourceLocation) {
      #expect(ada.isInserted && !ada.isUpdated, sourceLocation: location)
      #expect(context.insertedObjects == [ada] && context.updatedObjects.isEmpty, sourceLocation: location)
    }
    expectInserted()
    #expect(failure { try context.save() }?.number == 1570)
    expectInserted()
    try context.obtainPermanentIDs(for: [ada])
    #expect(!ada.objectID.isTemporaryID)
    try ada.setValue("Eve", forKey: "name")
    expectInserted()
    let tools = try context.insert("Department", [:])
    try ada.setValue(tools, forKey: "department")
    try context.save()
    #expect(!ada.isInserted && context.insertedObjects.isEmpty)
  }

  @Test("OBJ-092: deleted from the call until the save, and neither deleted nor in a context afterwards")
  func deleted() throws {
    let ada = try complete("Ada")
    try context.save()
    try context.delete(ada)
    #expect(ada.isDeleted && ada.managedObjectContext === context && context.deletedObjects == [ada])
    try context.save()
    #expect(!ada.isDeleted && ada.managedObjectContext == nil && context.deletedObjects.isEmpty)
  }

  @Test("OBJ-092: a deletion that is rolled back, or fails to be saved, leaves the flag as it has to be")
  func deletionTakenBack() throws {
    let ada = try complete("Ada")
    try context.save()
    try context.delete(ada)
    let bad = try context.insert("Employee", [:])
    #expect(failure { try context.save() }?.number == 1570)
    #expect(ada.isDeleted && ada.managedObjectContext === context)
    context.rollback()
    #expect(!ada.isDeleted && bad.managedObjectContext == nil)
    #expect(try stack.otherProcess().all("Employee").count == 1)
  }

  @Test("OBJ-100: a save makes the values committed and leaves nothing changed")
  func cleared() throws {
    let ada = try complete("Ada")
    try context.save()
    let sales = try context.insert("Department", ["name": "Sales"])
    try ada.setValue("Eve", forKey: "name")
    try ada.setValue(sales, forKey: "department")
    #expect(try ada.changedValues().count == 2)
    #expect(try ada.committedValues(forKeys: ["name"])["name"] as? String == "Ada")
    try context.save()
    #expect(try ada.changedValues().isEmpty && sales.changedValues().isEmpty && ada.changedKeys.isEmpty)
    let committed = try ada.committedValues(forKeys: ["name", "department"])
    #expect(committed["name"] as? String == "Eve" && committed["department"] as? ManagedObject === sales)
    #expect(
      try sales.committedValues(forKeys: ["employees"])["employees"] as? Set<ManagedObject> == [ada])
    context.rollback()
    #expect(try ada.string("name") == "Eve" && ada.object(forKey: "department") === sales)
  }

  @Test("OBJ-100: a save that fails keeps what is changed and what was committed")
  func notCleared() throws {
    let ada = try complete("Ada")
    try context.save()
    try ada.setValue("Eve", forKey: "name")
    try ada.setValue(nil, forKey: "department")
    #expect(failure { try context.save() }?.number == 1570)
    #expect(try ada.changedValues().keys.sorted() == ["department", "name"])
    #expect(try ada.committedValues(forKeys: ["name"])["name"] as? String == "Ada")
  }

  @Test("OBJ-105: what is told of a fault without its values runs no statement, in collections too")
  func nothingFires() throws {
    _ = try complete("Ada")
    _ = try complete("Bob")
    try context.save()
    let ids = try context.all("Employee").map(\.objectID)
    context.reset()
    let faults = try ids.map { try context.object(with: $0) }
    var members: Set<ManagedObject> = []
    var changes = 0
    #expect(
      try stack.statements {
        members = Set(faults)
        changes = try faults.reduce(0) { try $0 + $1.changedValues().count + $1.changedKeys.count }
        for fault in faults {
          try check(members.contains(fault) && fault == fault && !fault.description.isEmpty)
          try check(!fault.isInserted && !fault.isUpdated && !fault.isDeleted && !fault.hasChanges)
          try check(!fault.hasPersistentChangedValues && fault.entity.name == "Employee")
          try check(ids.contains(fault.objectID) && fault.managedObjectContext === context)
        }
      } == 0)
    #expect(changes == 0 && members.count == 2 && faults.allSatisfy(\.isFault))
    _ = try faults[0].committedValues(forKeys: ["name"])
    #expect(!faults[0].isFault && faults[1].isFault)
  }
}
