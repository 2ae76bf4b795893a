import GraphStore
import Testing

@Suite(.everyStore)
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

  @Test("REL-134, REL-135: a destination may belong to several sources, and goes from all when deleted")
  func shared() throws {
    let stack = try TestStack(Self.model())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    let all = try ["A", "B"].map { try stack.context.insert("Employee", ["name": $0]) }
    for employee in all { try employee.addObjects([department], forKey: "visited") }
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee").allSatisfy { try $0.names("visited") == ["R&D"] })
    try stack.context.delete(department)
    try stack.context.save()
    for employee in all { #expect(try employee.objects(forKey: "visited").isEmpty) }
    #expect(try stack.otherProcess().all("Employee").allSatisfy { try $0.objects(forKey: "visited").isEmpty })
    try all[0].addObjects([try stack.context.insert("Department", ["name": "new"])], forKey: "visited")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee", "name == 'A'")[0].names("visited") == ["new"])
  }
}
