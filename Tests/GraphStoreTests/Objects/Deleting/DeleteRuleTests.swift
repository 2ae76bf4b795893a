import GraphStore
import Testing

struct DeleteRuleTests {
  private func filled(_ rule: DeleteRule, optional: Bool = true) throws -> TestStack {
    let stack = try TestStack(TestModels.company(employees: rule, isDepartmentOptional: optional))
    let department = try stack.context.insert("Department", ["name": "R&D"])
    for name in ["Ada", "Bob", "Cy"] {
      let desk = try stack.context.insert("Desk", ["name": "\(name)'s"])
      try stack.context.insert("Employee", ["name": name, "department": department, "desk": desk])
    }
    try stack.context.save()
    stack.context.reset()
    return stack
  }

  @Test("REL-194, REL-240: cascade reaches objects that were never loaded")
  func cascade() throws {
    let stack = try filled(.cascade)
    try stack.context.delete(stack.context.all("Department")[0])
    try stack.context.save()
    let other = try stack.otherProcess()
    for entity in ["Department", "Employee", "Desk"] { #expect(try other.all(entity).isEmpty, "\(entity)") }
  }

  @Test("REL-192: nullify clears the other end of objects that were never loaded")
  func nullify() throws {
    let stack = try filled(.nullify)
    try stack.context.delete(stack.context.all("Department")[0])
    try stack.context.save()
    let employees = try stack.otherProcess().all("Employee")
    #expect(employees.count == 3)
    #expect(try employees.allSatisfy { try $0.object(forKey: "department") == nil })
  }

  @Test("REL-193, REL-427: nullify against a mandatory inverse fails at save, all failures together")
  func mandatoryInverse() throws {
    let stack = try filled(.nullify, optional: false)
    try stack.context.delete(stack.context.all("Department")[0])
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .multipleValidationErrors && error?.errors.map(\.number) == [1570, 1570, 1570]
    }
    #expect(try stack.otherProcess().all("Department").count == 1)
  }

  @Test("REL-195, REL-197: deny fails at save and names the objects in the way")
  func deny() throws {
    let stack = try filled(.deny)
    let department = try stack.context.all("Department")[0]
    try stack.context.delete(department)
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .deleteDenied && error?.number == 1600 && error?.relatedObjects.count == 3
        && error?.property == "employees"
    }
    #expect(department.isDeleted)
    #expect(try stack.otherProcess().all("Department").count == 1)
  }

  @Test("REL-196, REL-280: a deny is lifted by deleting the objects in the way in the same save")
  func denyLifted() throws {
    let stack = try filled(.deny)
    try stack.context.delete(stack.context.all("Department")[0])
    #expect(throws: GraphStoreError.self) { try stack.context.save() }
    for employee in try stack.context.all("Employee") { try stack.context.delete(employee) }
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }

  @Test("REL-200, REL-300: no action leaves a dangling reference that reads as a fault")
  func noAction() throws {
    let stack = try filled(.noAction)
    try stack.context.delete(stack.context.all("Department")[0])
    try stack.context.save()
    let employee = try stack.otherProcess().all("Employee")[0]
    #expect(try employee.object(forKey: "department")?.objectID.shortForm == "Department/p1")
  }

  @Test("REL-176, REL-241: what was moved away unsaved is spared")
  func movedAway() throws {
    let stack = try filled(.cascade)
    let ada = try stack.context.all("Employee", "name == 'Ada'")[0]
    let department = try stack.context.all("Department")[0]
    try stack.context.delete(department)
    try ada.setValue(nil, forKey: "department")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee").map { try $0.string("name") } == ["Ada"])
  }

  @Test(
    "REL-242, REL-441: statements of a cascade do not grow with the number of objects",
    arguments: [10, 1_000])
  func statementCount(_ count: Int) throws {
    let stack = try TestStack(TestModels.company(employees: .cascade))
    let department = try stack.context.insert("Department", [:])
    for _ in 0..<count { try stack.context.insert("Employee", ["department": department]) }
    try stack.context.save()
    stack.context.reset()
    let stored = try stack.context.all("Department")[0]
    try stack.context.delete(stored)
    #expect(try stack.statements { try stack.context.save() } <= 24)
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }

  @Test("REL-265, REL-270, REL-275: what is inserted and deleted leaves no trace")
  func insertedAndDeleted() throws {
    let stack = try TestStack(TestModels.company(employees: .deny))
    let department = try stack.context.insert("Department", [:])
    try stack.context.insert("Employee", ["department": department])
    for object in stack.context.insertedObjects { try stack.context.delete(object) }
    #expect(try stack.statements { try stack.context.save() } == 0)
    #expect(!stack.context.hasChanges && department.managedObjectContext == nil)
  }

  @Test("REL-283: join rows of a deleted object are gone")
  func joinRows() throws {
    let stack = try TestStack(TestModels.company())
    let ada = try stack.context.insert("Employee", ["name": "Ada"])
    let bob = try stack.context.insert("Employee", ["name": "Bob"])
    let project = try stack.context.insert("Project", ["name": "P"])
    try project.addObjects([ada, bob], forKey: "members")
    try stack.context.save()
    try stack.context.delete(ada)
    try stack.context.save()
    #expect(try project.names("members") == ["Bob"])
    #expect(try stack.otherProcess().all("Project")[0].names("members") == ["Bob"])
  }

  @Test("REL-234: a chain of 100,000 cascades does not exhaust the stack")
  func deepCascade() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "Node",
        relationships: [
          RelationshipDefinition("next", to: "Node", inverse: "previous", deleteRule: .cascade),
          RelationshipDefinition("previous", to: "Node", inverse: "next"),
        ])
    ])
    let stack = try TestStack(model)
    let first = try stack.context.insert(entityNamed: "Node")
    var last = first
    for _ in 1..<100_000 {
      let next = try stack.context.insert(entityNamed: "Node")
      try last.setValue(next, forKey: "next")
      last = next
    }
    try stack.context.save()
    try stack.context.delete(first)
    try stack.context.save()
    #expect(try stack.otherProcess().count(for: FetchRequest(entityName: "Node")) == 0)
  }

  @Test(
    "REL-330, REL-335: a preview says what the deed does and does nothing", arguments: TestSeed.sequence(12)
  )
  func preview(_ seed: TestSeed) throws {
    var random = seed.generator
    let rules: [DeleteRule] = [.cascade, .nullify, .deny]
    let stack = try filled(rules[Int(seed.number % 3)])
    let employees = try stack.context.all("Employee", sort: ["name"])
    try employees[0].setValue(employees[1], forKey: "manager")
    let project = try stack.context.insert("Project", ["name": "P"])
    try project.addObjects(employees, forKey: "members")
    try stack.context.save()
    let everything = try ["Department", "Employee", "Desk", "Project"].flatMap { try stack.context.all($0) }
    let seeds = everything.shuffled(using: &random).prefix(2)
    let before = stack.context.hasChanges
    let preview = try stack.context.deletionPreview(of: Array(seeds))
    #expect(stack.context.hasChanges == before && !everything.contains(where: \.isDeleted))
    for object in seeds { try stack.context.delete(object) }
    try stack.context.processPendingChanges()
    #expect(
      Set(preview.deletions.map(\.objectID)) == Set(stack.context.deletedObjects.map(\.objectID)),
      "\(seed)")
    #expect(
      Set(preview.clearings.flatMap(\.objectIDs)) == Set(stack.context.updatedObjects.map(\.objectID)),
      "\(seed)")
    let saved = Result { try stack.context.save() }
    #expect(((try? saved.get()) != nil) == preview.wouldSucceed, "\(seed): \(saved)")
  }
}
