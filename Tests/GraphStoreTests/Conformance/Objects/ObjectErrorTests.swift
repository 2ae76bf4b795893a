import GraphStore
import OrderedCollections
import Testing

@Suite("Errors of objects and look-ups", .everyStore)
struct ObjectErrorTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let ada: ManagedObject
  private let tools: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    tools = try stack.context.insert("Department", ["name": "Tools"])
    ada = try stack.context.insert("Employee", ["name": "Ada", "department": tools])
    try stack.context.save()
  }

  @Test(
    "DGN-142: one object for a to-many, or several for a to-one, is a wrong cardinality, and nothing changes")
  func cardinality() throws {
    let attempts: [(ManagedObject, String, Any, String)] = [
      (tools, "employees", ada, "collection"), (ada, "department", [tools], "one object"),
      (ada, "department", Set([tools]), "one object"), (ada, "projects", tools, "collection"),
    ]
    for (object, key, value, wanted) in attempts {
      let error = failure { try object.setValue(value, forKey: key) }
      #expect(error?.code == .wrongCardinality && error?.number == 136015, "\(key)")
      #expect(error?.property == key && error?.message.contains(wanted) == true)
      #expect(error?.remedy.isEmpty == false)
    }
    #expect(!context.hasChanges)
    #expect(try tools.objects(forKey: "employees") == [ada])
  }

  @Test("DGN-143: an object of another entity is refused, with relationship, expected and given entity")
  func destination() throws {
    let attempts: [(ManagedObject, String, Any)] = [
      (ada, "department", ada), (tools, "employees", [ada, tools]), (ada, "manager", tools),
      (ada, "projects", Set([tools])),
    ]
    for (object, key, value) in attempts {
      let error = failure { try object.setValue(value, forKey: key) }
      #expect(error?.code == .wrongDestination && error?.number == 136018, "\(key)")
      let message = error?.message ?? ""
      let relationship = try #require(object.entity.relationships.first { $0.name == key })
      #expect(message.contains(key) && message.contains(relationship.destination.name), "\(message)")
      #expect(message.contains(key == "department" ? "Employee" : "Department"), "\(message)")
    }
    #expect(!context.hasChanges)
    let max = try context.insert("Manager", ["name": "Max"])
    try max.setValue(tools, forKey: "department")
    try ada.setValue(max, forKey: "manager")
    #expect(try max.objects(forKey: "reports") == [ada])
  }

  @Test(
    "DGN-144: a record that is gone is told by look-up and fault with 133000, its identifier and what to do")
  func gone() throws {
    let other = try stack.otherProcess()
    let id = ada.objectID
    context.reset()
    try other.delete(other.all("Employee")[0])
    try other.save()
    context.shouldDeleteInaccessibleFaults = false
    let lookUp = failure { _ = try context.existingObject(with: id) }
    #expect(lookUp?.code == .objectNotFound && lookUp?.number == 133000 && lookUp?.objectID == id)
    #expect(lookUp?.message.contains(id.shortForm) == true && lookUp?.remedy.contains("etch") == true)
    let fault = try context.object(with: id)
    let firing = failure { _ = try fault.string("name") }
    #expect(firing?.code == .inaccessibleObject && firing?.number == 133000 && firing?.objectID == id)
    #expect(firing?.message.contains(id.uriText) == true && firing?.remedy.isEmpty == false)
    #expect(fault.isFault && !fault.isDeleted)
  }

  @Test("DGN-146: by default a fault whose record was deleted elsewhere turns deleted and reads as missing")
  func goneByDefault() throws {
    let other = try stack.otherProcess()
    let id = ada.objectID
    context.reset()
    try other.delete(other.all("Employee")[0])
    try other.save()
    let fault = try context.object(with: id)
    #expect(!fault.isDeleted)
    #expect(try fault.string("name") == nil && fault.object(forKey: "department") == nil)
    #expect(
      try fault.objects(forKey: "reports").isEmpty
        && fault[AttributeKey<ManagedObject, Int64>("salary")] == nil)
    #expect(fault.isDeleted && context.takeDeferredErrors().isEmpty)
    try context.save()
    #expect(fault.managedObjectContext == nil)
  }

  @Test("DGN-147, OBJ-011: an object of a context that was reset says so, and is to be fetched again")
  func invalidated() throws {
    context.reset()
    for access in [{ _ = try ada.string("name") }, { try ada.setValue("x", forKey: "name") }]
      as [() throws -> Void]
    {
      let error = failure(access)
      #expect(error?.code == .objectInvalidated && error?.number == 136021)
      #expect(error?.message == "The managed object with ID \(ada.objectID.uriText) has been invalidated.")
      #expect(error?.remedy.contains("etch it again") == true)
    }
    #expect(
      ada[AttributeKey<ManagedObject, String>("name")] == nil
        && ada[AttributeKey<ManagedObject, Int64>("salary")] == nil)
    #expect(try context.existingObject(with: ada.objectID).string("name") == "Ada")
  }
}

@Suite("Objects of a store that was removed")
struct RemovedStoreErrorTests {
  @Test("DGN-147: an object of a store that was removed is invalidated, those of others are not")
  func removed() throws {
    let stores = try SeveralStores()
    let ada = try stores.insert("Employee", ["name": "Ada"], into: 0)
    let bob = try stores.insert("Employee", ["name": "Bob"], into: 1)
    try stores.context.save()
    try stores.coordinator.remove(stores.stores[0])
    let error = failure { _ = try ada.string("name") }
    #expect(error?.code == .objectInvalidated && error?.number == 136021)
    #expect(error?.message == "The managed object with ID \(ada.objectID.uriText) has been invalidated.")
    #expect(try bob.string("name") == "Bob" && ada.entity.name == "Employee")
  }
}
