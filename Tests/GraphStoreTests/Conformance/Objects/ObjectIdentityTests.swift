import Foundation
import GraphStore
import Testing

@Suite("What every object is", .everyStore)
struct ObjectIdentityTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company()) }

  private func saved(_ entity: String, _ values: [String: Any]) throws -> ManagedObject {
    let object = try context.insert(entity, values)
    try context.save()
    return object
  }

  @Test("OBJ-001: entity, identifier and context are told in every state, and fire nothing")
  func readableAlways() throws {
    let id = try saved("Manager", ["name": "Max"]).objectID
    context.reset()
    let manager = try context.object(with: id)
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Manager"])
    func expect(_ context: ManagedObjectContext?, _ location: SourceLocation = #_sourceLocation) {
      #expect(manager.entity === entity && manager.objectID == id, sourceLocation: location)
      #expect(manager.managedObjectContext === context, sourceLocation: location)
    }
    expect(context)
    #expect(manager.isFault)
    _ = try manager.string("name")
    expect(context)
    try context.delete(manager)
    expect(context)
    try context.save()
    expect(nil)
  }

  @Test("OBJ-001: after a reset an object still tells its entity and identifier, and has no context")
  func invalidated() throws {
    let ada = try saved("Employee", ["name": "Ada"])
    let id = ada.objectID
    context.reset()
    #expect(ada.entity.name == "Employee" && ada.objectID == id && ada.managedObjectContext == nil)
  }

  @Test("OBJ-002: an object has the properties of its entity, inherited ones included, and no other key")
  func keys() throws {
    let manager = try saved("Manager", ["name": "Max", "salary": 2, "budget": 3])
    #expect(try manager.string("name") == "Max" && manager.value(forKey: "salary") as? Int64 == 2)
    #expect(try manager.value(forKey: "budget") as? Decimal == 3)
    #expect(try Set(manager.committedValues().keys) == Set(manager.entity.properties.map(\.name)))
    let ada = try saved("Employee", ["name": "Ada"])
    for key in ["budget", "members", "Name", ""] {
      #expect(code { _ = try ada.value(forKey: key) } == .unknownKey, "\(key)")
      #expect(code { try ada.setValue(nil, forKey: key) } == .unknownKey, "\(key)")
      #expect(code { _ = try ada.primitiveValue(forKey: key) } == .unknownKey, "\(key)")
    }
    #expect(!ada.hasChanges)
  }

  @Test("OBJ-009: an unchanged object that nobody holds goes, and the record gets another instance later")
  func freed() throws {
    weak let first = try saved("Employee", ["name": "Ada"])
    #expect(first == nil)
    let second = try context.all("Employee")[0]
    let address = ObjectIdentifier(second)
    #expect(try ObjectIdentifier(context.all("Employee")[0]) == address)
    try second.setValue("Eve", forKey: "name")
    weak let changed = second
    #expect(changed != nil)
  }

  @Test("OBJ-010: an object is in one state at a time, and updates and deletions are flags on a fault too")
  func states() throws {
    let tools = try context.insert("Department", ["name": "Tools"])
    let ada = try context.insert("Employee", ["name": "Ada"])
    #expect(flags(ada) == "inserted")
    try context.save()
    #expect(flags(ada) == "realised")
    try context.refresh(ada, mergeChanges: false)
    #expect(flags(ada) == "fault")
    try ada.setValue("Eve", forKey: "name")
    #expect(flags(ada) == "realised updated")
    context.rollback()
    try context.refresh(ada, mergeChanges: false)
    try context.refresh(tools, mergeChanges: false)
    try ada.setValue(tools, forKey: "department")
    #expect(flags(tools) == "fault updated" && flags(ada) == "realised updated")
    context.rollback()
    try context.refresh(ada, mergeChanges: false)
    try context.delete(ada)
    #expect(flags(ada) == "fault deleted")
    context.rollback()
    _ = try ada.string("name")
    try context.delete(ada)
    #expect(flags(ada) == "realised deleted")
    try context.save()
    #expect(ada.managedObjectContext == nil && !ada.hasChanges && !ada.isDeleted)
  }

  @Test("OBJ-010: an object inserted and deleted is detached, and one of a reset context invalidated")
  func ends() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.delete(ada)
    try context.save()
    #expect(ada.managedObjectContext == nil && flags(ada) == "realised")
    #expect(code { try ada.setValue("x", forKey: "name") } == .objectDetached)
    let bob = try saved("Employee", ["name": "Bob"])
    context.reset()
    #expect(code { try bob.setValue("x", forKey: "name") } == .objectInvalidated)
    #expect(!bob.hasChanges && !bob.isInserted && !bob.isDeleted && !bob.isUpdated)
  }

  private func flags(_ object: ManagedObject) -> String {
    if object.isInserted { return object.isFault || object.isUpdated ? "contradiction" : "inserted" }
    return [
      object.isFault ? "fault" : "realised", object.isUpdated ? "updated" : nil,
      object.isDeleted ? "deleted" : nil,
    ].compactMap { $0 }.joined(separator: " ")
  }

  @Test(
    "OBJ-012: reading an object whose deletion was saved throws 133000 with its identifier; it stays allocated"
  )
  func deleted() throws {
    let ada = try saved("Employee", ["name": "Ada"])
    let id = ada.objectID
    try context.delete(ada)
    try context.save()
    let error = failure { _ = try ada.string("name") }
    #expect(error?.code == .inaccessibleObject && error?.number == 133000)
    #expect(error?.objectID == id && error?.message.contains(id.uriText) == true)
    #expect(ada.managedObjectContext == nil && ada.objectID == id)
  }

  @Test(
    "OBJ-020: an entity without a class is represented by the general one, which reads, sets and validates")
  func general() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", attributes: [AttributeDefinition("name", .string, isOptional: false, maxLength: 3)],
          relationships: [RelationshipDefinition("next", to: "Thing", inverse: "next")])
      ]))
    let thing = try stack.context.insert(entityNamed: "Thing")
    #expect(type(of: thing) == ManagedObject.self)
    #expect(failure { try stack.context.save() }?.number == 1570)
    try thing.setValue("long", forKey: "name")
    #expect(failure { try stack.context.save() }?.number == 1660)
    try thing.setValue("ok", forKey: "name")
    try thing.setValue(thing, forKey: "next")
    try stack.context.save()
    let read = try stack.newContext().all("Thing")[0]
    #expect(type(of: read) == ManagedObject.self)
    #expect(try read.string("name") == "ok" && read.object(forKey: "next") === read)
  }
}
