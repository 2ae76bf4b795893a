import GraphStore
import Testing

/// Sets its name when it is inserted, and joins nothing.
private final class Named: ManagedObject {
  static let name = AttributeKey<Named, String>("name")

  override func awakeFromInsert() { self[Self.name] = "new" }
}

@Suite("What has changed, and what it was", .everyStore)
struct ChangedValuesTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(TestModels.company()) }

  @Test("OBJ-096, CTX-032: changed values are those that differ, a missing one as nil")
  func changed() throws {
    let ada = try context.insert("Employee", ["name": "Ada", "salary": 10])
    try context.save()
    #expect(try ada.changedValues().isEmpty)
    try ada.setValue("Ada", forKey: "name")
    #expect(try ada.isUpdated && ada.changedValues().isEmpty && !ada.hasPersistentChangedValues)
    try ada.setValue(nil, forKey: "name")
    try ada.setValue(11, forKey: "salary")
    let values = try ada.changedValues()
    #expect(values.keys.sorted() == ["name", "salary"])
    #expect(values["name"] as? String? == .some(nil) && values["salary"] as? Int64 == 11)
    try ada.setValue(10, forKey: "salary")
    try ada.setValue("Ada", forKey: "name")
    #expect(try ada.changedValues().isEmpty && ada.changedKeys.isEmpty)
  }

  @Test("OBJ-096, CTX-033: a new object is compared with its state after awakeFromInsert")
  func inserted() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "Thing",
          attributes: [
            AttributeDefinition("name", .string),
            AttributeDefinition("count", .int64, defaultValue: .number("3")),
            AttributeDefinition("note", .string, defaultValue: .string("none")),
          ])
      ]), classes: ["Thing": Named.self])
    let thing = try stack.context.insert(Named.self, entityNamed: "Thing")
    #expect(try thing.changedKeys == [] && thing.changedValues().isEmpty)
    try thing.setValue(4, forKey: "count")
    #expect(thing.changedKeys == ["count"])
    try thing.setValue("other", forKey: "name")
    try thing.setValue(3, forKey: "count")
    #expect(try thing.changedValues()["name"] as? String == "other" && thing.changedKeys == ["name"])
    try stack.context.save()
    #expect(thing.changedKeys == [])
  }

  @Test("OBJ-096: a plain new object's values differ from the defaults of its entity, and links count")
  func insertedPlain() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    #expect(ada.changedKeys == ["name"])
    let tools = try context.insert("Department", [:])
    #expect(tools.changedKeys == [])
    try ada.setValue(tools, forKey: "department")
    #expect(ada.changedKeys == ["name", "department"] && tools.changedKeys == ["employees"])
    #expect(try tools.changedValues()["employees"] as? Set<ManagedObject> == [ada])
  }

  @Test("OBJ-097: the keys of changes read no relationship, the values only changed ones")
  func keysResolveNothing() throws {
    guard stack.has(.statements) else { return }
    let tools = try context.insert("Department", ["name": "Tools"])
    for name in ["Ada", "Bob"] { try context.insert("Employee", ["name": name, "department": tools]) }
    try context.save()
    let other = stack.newContext()
    let department = try other.all("Department")[0]
    let bob = try other.all("Employee", "name == 'Bob'")[0]
    try bob.setValue(nil, forKey: "department")
    try bob.setValue("Rob", forKey: "name")
    #expect(stack.statements { _ = (department.changedKeys, bob.changedKeys) } == 0)
    #expect(department.changedKeys == ["employees"])
    var changes: [String: Any?] = [:]
    #expect(try stack.statements { changes = try bob.changedValues() } == 0)
    #expect(changes.count == 2)
    #expect(try department.changedValues()["employees"] as? Set<ManagedObject> != nil)
    #expect(try department.objects(forKey: "employees").map { try $0.string("name") } == ["Ada"])
  }

  @Test("OBJ-099, CTX-035, FLT-028: committed values are those of the last save, to-manys as sets")
  func committed() throws {
    let tools = try context.insert("Department", ["name": "Tools"])
    let ada = try context.insert("Employee", ["name": "Ada", "salary": 10, "department": tools])
    let bob = try context.insert("Employee", ["name": "Bob", "department": tools])
    #expect(
      try ada.committedValues(forKeys: ["name", "department"]).mapValues { $0 == nil } == [
        "name": true, "department": true,
      ])
    try context.save()
    try ada.setValue("Eda", forKey: "name")
    try ada.setValue(nil, forKey: "department")
    let values = try ada.committedValues(forKeys: ["name", "salary", "department", "manager"])
    #expect(values["name"] as? String == "Ada" && values["salary"] as? Int64 == 10)
    #expect(
      values["department"] as? ManagedObject === tools && values["manager"] as? ManagedObject? == .some(nil))
    let members = try tools.committedValues(forKeys: ["employees"])["employees"] as? Set<ManagedObject>
    #expect(members == [ada, bob])
    #expect(try tools.objects(forKey: "employees") == [bob])
    try context.save()
    #expect(try ada.committedValues(forKeys: ["name"])["name"] as? String == "Eda")
    #expect(try Set(ada.committedValues().keys) == Set(ada.entity.properties.map(\.name)))

    let other = try stack.newContext().all("Employee", "name == 'Bob'")[0]
    #expect(try other.isFault && other.changedValues().isEmpty && other.isFault)
    #expect(try other.committedValues(forKeys: ["name"])["name"] as? String == "Bob" && !other.isFault)
  }

  @Test("CTX-035: a key that is no persistent property has no committed value")
  func unknownCommitted() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    #expect { try ada.committedValues(forKeys: ["nam"]) } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .unknownKey && error?.suggestions.first == "name"
    }
  }

  @Test("OBJ-103, FLT-030: identifiers of a relationship make no member and read no more than its links")
  func identifiers() throws {
    let tools = try context.insert("Department", ["name": "Tools"])
    let ids = try ["Ada", "Bob", "Cas"].map {
      try context.insert("Employee", ["name": $0, "department": tools])
    }
    try context.save()
    let other = stack.newContext()
    let department = try other.all("Department")[0]
    #expect(try department.objectIDs(forRelationshipNamed: "employees") == ids.map(\.objectID))
    #expect(try department.hasFault(forRelationshipNamed: "employees") && other.registeredCount == 1)
    let bob = try other.object(with: ids[1].objectID)
    try bob.setValue(nil, forKey: "department")
    let new = try other.insert("Employee", ["department": department])
    #expect(
      try department.objectIDs(forRelationshipNamed: "employees") == [
        ids[0].objectID, ids[2].objectID, new.objectID,
      ])
    #expect(try new.objectIDs(forRelationshipNamed: "department") == [department.objectID])
    #expect(try new.queryValue(forKey: "department") == .object(ObjectReference(department.objectID)))
    #expect(try bob.objectIDs(forRelationshipNamed: "department") == [])
    #expect(throws: GraphStoreError.self) { try bob.objectIDs(forRelationshipNamed: "name") }
  }

  @Test("OBJ-102, FLT-034: the state of being a fault, without firing")
  func faultingState() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    #expect(ada.faultingState == 0)
    try context.save()
    try context.refresh(ada, mergeChanges: false)
    #expect(ada.faultingState != 0 && ada.isFault)
    _ = try ada.value(forKey: "name")
    #expect(ada.faultingState == 0)
  }
}
