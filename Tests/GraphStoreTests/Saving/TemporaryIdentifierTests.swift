import Testing

@testable import GraphStore

@Suite("Temporary identifiers in a save")
struct TemporaryIdentifierTests {
  @Test(
    "OBJ-128, DGN-152: an object with one that is to be updated or deleted stops the save, and nothing is written",
    arguments: [false, true])
  func strays(isDeleted: Bool) throws {
    let stack = try TestStack(TestModels.company())
    let employee = try stack.context.insert("Employee", ["name": "Ada"])
    let other = try stack.context.insert("Employee", ["name": "Bob"])
    try stack.context.save()
    let key = employee.key
    if isDeleted { try stack.context.delete(employee) } else { try employee.setValue("x", forKey: "name") }
    try other.setValue("y", forKey: "name")
    try stack.context.processPendingChanges()
    employee.key = -7
    let statements = stack.statements {
      let error = #expect(throws: GraphStoreError.self) { try stack.context.save() }
      #expect(error?.code == .inconsistentContext)
      #expect(error?.relatedObjects == [employee.objectID] && error?.message.contains("t7") == true)
    }
    #expect(statements == 0)
    employee.key = key
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee", "name == 'y'").count == 1)
    #expect(try stack.otherProcess().all("Employee").count == (isDeleted ? 1 : 2))
  }
}
