import GraphStore
import Testing

struct ObjectStateTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.company()) }

  @Test("OBJ-042, OBJ-110: inserting runs no statement and gives a temporary identifier until the save")
  func insertion() throws {
    var object: ManagedObject?
    #expect(try stack.statements { object = try stack.context.insert("Employee", ["name": "Ada"]) } == 0)
    let employee = try #require(object)
    let temporary = employee.objectID
    #expect(temporary.isTemporaryID && employee.isInserted && !employee.isUpdated)
    try stack.context.save()
    #expect(!employee.objectID.isTemporaryID && !employee.isInserted && !employee.hasChanges)
    #expect(employee.objectID.shortForm == "Employee/p1")
    #expect(stack.context.registeredObject(for: temporary) == nil)
  }

  @Test("OBJ-004, OBJ-520: an object is found in a set before and after its identifier changes")
  func hashing() throws {
    let employee = try stack.context.insert("Employee", [:])
    let set: Set<ManagedObject> = [employee]
    try stack.context.save()
    #expect(set.contains(employee))
  }

  @Test(
    "OBJ-044, MDL-087, DGN-137: an abstract entity is not instantiated, its concrete sub-entities are named")
  func abstractEntity() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("Shape", isAbstract: true), EntityDefinition("Circle", parent: "Shape"),
      ]))
    #expect {
      try stack.context.insert(entityNamed: "Shape")
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .abstractEntity && error?.number == 136012
        && error?.remedy.contains("Circle") == true
    }
    #expect(!stack.context.hasChanges)
  }

  @Test("OBJ-045: an unknown entity names the nearest")
  func unknownEntity() throws {
    #expect {
      try stack.context.fetch(FetchRequest(entityName: "Employe"))
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .unknownEntity && error?.suggestions == ["Employee"]
    }
  }

  @Test("OBJ-091, OBJ-094, OBJ-095: an equal value marks the object as updated and writes nothing")
  func equalValue() throws {
    let employee = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    try employee.setValue("Ada", forKey: "name")
    #expect(employee.isUpdated && !employee.hasPersistentChangedValues)
    // The record is looked at, since somebody else may have changed it.
    #expect(try stack.statements { try stack.context.save() } <= 1)
    try employee.setValue("Grace", forKey: "name")
    #expect(employee.changedKeys == ["name"])
    try employee.setValue("Ada", forKey: "name")
    #expect(employee.changedKeys == [])
  }

  @Test("OBJ-003, FLT-075, FLT-077: one object a record and context")
  func uniquing() throws {
    let employee = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    #expect(try stack.context.all("Employee").first === employee)
    let other = try stack.newContext().all("Employee").first
    #expect(other !== employee && other?.objectID == employee.objectID)
  }

  @Test("FET-027: a fetch leaves the values of a changed object alone")
  func fetchKeepsChanges() throws {
    let employee = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    try employee.setValue("Grace", forKey: "name")
    _ = try stack.context.all("Employee")
    #expect(try employee.string("name") == "Grace")
  }

  @Test("OBJ-116, OBJ-118: a URI leads back to the record, other texts to nothing")
  func uris() throws {
    let employee = try stack.context.insert("Employee", [:])
    try stack.context.save()
    let uri = employee.objectID.uriRepresentation
    #expect(uri.absoluteString.hasPrefix("x-coredata://"))
    #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == employee.objectID)
    for text in [
      "Employee/p0", "Employee/p01", "Employee/1", "Nobody/p1", "Employee/p-1",
      "Employee/p99999999999999999999",
    ] {
      #expect(stack.coordinator.managedObjectID(forShortForm: text) == nil)
    }
  }

  @Test("OBJ-123: a look-up of a record that is not there throws")
  func missingRecord() throws {
    let id = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p7"))
    #expect { try stack.context.existingObject(with: id) } throws: {
      ($0 as? GraphStoreError)?.code == .objectNotFound
    }
  }

  @Test("OBJ-172, FLT-126: an object whose record is gone turns deleted when touched")
  func inaccessible() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let context = stack.newContext()
    let id = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p1"))
    stack.context.reset()
    let other = try stack.otherProcess()
    try other.delete(other.all("Employee")[0])
    try other.save()
    let ghost = try context.object(with: id)
    #expect(try ghost.value(forKey: "name") == nil)
    #expect(ghost.isDeleted)
    context.rollback()
    context.shouldDeleteInaccessibleFaults = false
    #expect { try ghost.value(forKey: "name") } throws: {
      ($0 as? GraphStoreError)?.code == .inaccessibleObject
    }
  }

  @Test("FLT-151, FLT-153, FLT-058: an unchanged object nobody holds is freed, and its row with it")
  func freeing() throws {
    for index in 0..<100 { try stack.context.insert("Employee", ["salary": index]) }
    try stack.context.save()
    #expect(stack.context.registeredCount == 0)
    var employees = try stack.context.all("Employee")
    #expect(stack.context.registeredCount == 100 && employees.count == 100)
    employees = []
    #expect(stack.context.registeredCount == 0)
  }

  @Test("A chain of objects that hold each other is let go of without recursion")
  func longChain() throws {
    do {
      var last = try stack.context.insert(entityNamed: "Employee")
      for _ in 0..<60_000 {
        let next = try stack.context.insert(entityNamed: "Employee")
        try last.setValue(next, forKey: "manager")
        last = next
      }
    }
    stack.context.reset()
    #expect(stack.context.registeredCount == 0)
  }

  @Test("OBJ-011, CTX-138, CTX-461: after a reset objects are invalidated")
  func invalidation() throws {
    let employee = try stack.context.insert("Employee", [:])
    stack.context.reset()
    #expect(employee.managedObjectContext == nil)
    #expect { try employee.value(forKey: "name") } throws: {
      ($0 as? GraphStoreError)?.code == .objectInvalidated
    }
  }

  @Test("CTX-132: rollback brings back values and links, and drops what was inserted")
  func rollback() throws {
    let department = try stack.context.insert("Department", ["name": "R&D"])
    let employee = try stack.context.insert("Employee", ["name": "Ada", "department": department])
    try stack.context.save()
    try employee.setValue("Grace", forKey: "name")
    try employee.setValue(nil, forKey: "department")
    let extra = try stack.context.insert("Employee", [:])
    try stack.context.delete(department)
    stack.context.rollback()
    #expect(try employee.string("name") == "Ada")
    #expect(try employee.object(forKey: "department") === department)
    #expect(try department.objects(forKey: "employees") == [employee])
    #expect(extra.managedObjectContext == nil && !department.isDeleted && !stack.context.hasChanges)
  }
}
