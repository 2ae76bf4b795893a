import GraphStore
import Testing

@Suite(.everyKindOfStore)
struct OneWayRelationshipTests {
  private static func model(_ rule: DeleteRule = .nullify, optional: Bool = true) -> ModelDefinition {
    ModelDefinition(
      name: "OneWay",
      entities: [
        EntityDefinition("Department", attributes: [AttributeDefinition("name", .string)]),
        EntityDefinition(
          "Employee", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("department", to: "Department", isOptional: optional, deleteRule: rule),
            RelationshipDefinition("visited", to: "Department", isToMany: true, deleteRule: rule),
          ]),
      ])
  }

  private func filled(_ optional: Bool = false) throws -> (TestStack, ManagedObject, ManagedObject) {
    let stack = try TestStack(Self.model(.deny, optional: optional))
    let department = try stack.context.insert("Department", ["name": "R&D"])
    let employee = try stack.context.insert("Employee", ["name": "Ada", "department": department])
    try stack.context.save()
    return (stack, department, employee)
  }

  @Test("REL-131, REL-132, REL-300: the destination goes, and the source is left with a fault to nowhere")
  func dangling() throws {
    let (stack, department, employee) = try filled()
    _ = try employee.object(forKey: "department")
    let id = department.objectID
    try stack.context.delete(department)
    #expect(!employee.isUpdated)
    try stack.context.save()
    let fault = try #require(try employee.object(forKey: "department"))
    #expect(fault.objectID == id && fault.isFault && fault.managedObjectContext != nil)
    #expect(try fault.string("name") == nil)
    stack.context.rollback()
    let stored = try stack.otherProcess().all("Employee")[0]
    #expect(try stored.object(forKey: "department")?.objectID.shortForm == id.shortForm)
  }

  @Test("REL-305: another property of an object with a stored dangling reference may change")
  func laterChange() throws {
    let (stack, department, employee) = try filled()
    _ = try employee.object(forKey: "department")
    try stack.context.delete(department)
    try stack.context.save()
    try employee.setValue("Eve", forKey: "name")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee")[0].string("name") == "Eve")
  }

  @Test("REL-133: in the same save it is 1550, or 1570 if the reference is set to nil")
  func sameSave() throws {
    let (stack, department, employee) = try filled()
    try stack.context.delete(department)
    try employee.setValue("Eve", forKey: "name")
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.number == 1550 }
    try employee.setValue(nil, forKey: "department")
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.number == 1570 }
    #expect(try stack.otherProcess().all("Department").count == 1)
  }

  @Test(
    "REL-305: a new link to an object that was never saved, and is deleted, is told of as such, whatever its key is",
    arguments: [false, true], [false, true])
  func neverSaved(hasPermanentKey: Bool, isRead: Bool) throws {
    let stack = try TestStack(Self.model())
    let employee = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let department = try stack.context.insert("Department", ["name": "R&D"])
    if hasPermanentKey { try stack.context.obtainPermanentIDs(for: [department]) }
    try employee.setValue(department, forKey: "department")
    try stack.context.processPendingChanges()
    try stack.context.delete(department)
    try stack.context.processPendingChanges()
    if isRead { _ = try employee.object(forKey: "department") }
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.number == 1550 }
    try employee.setValue(nil, forKey: "department")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Department").isEmpty)
  }

  @Test(
    "REL-134: a member belongs to one owner, the last that it was given to, and goes from it when deleted (REL-135)"
  )
  func oneOwner() throws {
    let stack = try TestStack(Self.model())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    let all = try ["A", "B"].map { try stack.context.insert("Employee", ["name": $0]) }
    func visited() throws -> [[String]] {
      try ["A", "B"].map { try stack.otherProcess().all("Employee", "name == '\($0)'")[0].names("visited") }
    }
    try all[0].addObjects([department], forKey: "visited")
    try stack.context.save()
    #expect(try visited() == [["R&D"], []])
    try all[1].addObjects([department], forKey: "visited")
    try stack.context.save()
    #expect(try visited() == [[], ["R&D"]])
    // The former owner, whose set was read before, has nothing to take away any more.
    try all[0].removeObjects([department], forKey: "visited")
    try stack.context.save()
    #expect(try visited() == [[], ["R&D"]])
    try stack.context.delete(department)
    try stack.context.save()
    #expect(try all[1].objects(forKey: "visited").isEmpty)
    #expect(try visited() == [[], []])
    try all[0].addObjects([try stack.context.insert("Department", ["name": "new"])], forKey: "visited")
    try stack.context.save()
    #expect(try visited() == [["new"], []])
  }

  @Test("REL-134, REL-136: members stay when their owner goes, and can be given to another")
  func ownerDeleted() throws {
    let stack = try TestStack(Self.model())
    let departments = try ["R", "S"].map { try stack.context.insert("Department", ["name": $0]) }
    let (old, new) = (
      try stack.context.insert("Employee", ["name": "old"]),
      try stack.context.insert("Employee", ["name": "new"])
    )
    try old.addObjects(departments, forKey: "visited")
    try stack.context.save()
    try stack.context.delete(old)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Department").count == 2)
    try new.addObjects([departments[0]], forKey: "visited")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee", "ANY visited.name == 'R'")[0].names("visited") == ["R"])
  }

  @Test(
    "REL-134, MDL-174: what the former owner derives from its members is computed anew with the new one's")
  func derivedOfFormerOwner() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Box",
          attributes: [
            AttributeDefinition("name", .string),
            AttributeDefinition("n", .int64, derivation: "things.@count"),
          ], relationships: [RelationshipDefinition("things", to: "Thing", isToMany: true)]),
        EntityDefinition("Thing"),
      ]))
    let boxes = try ["A", "B"].map { try stack.context.insert("Box", ["name": $0]) }
    let thing = try stack.context.insert("Thing", [:])
    for box in boxes {
      try box.addObjects([thing], forKey: "things")
      try stack.context.save()
      let counts = try stack.otherProcess().all("Box", sort: ["name"]).map {
        try $0.value(forKey: "n") as? Int64
      }
      #expect(counts == (box === boxes[0] ? [1, 0] : [0, 1]))
    }
  }
}
