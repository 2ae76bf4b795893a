import GraphStore
import Testing

@Suite(.everyStore)
struct InaccessibleObjectTests {
  private func filled(_ rule: DeleteRule) throws -> TestStack {
    let stack = try TestStack(TestModels.company(employees: rule))
    let department = try stack.context.insert("Department", ["name": "R&D"])
    for name in ["Ada", "Bob", "Cy"] {
      try stack.context.insert("Employee", ["name": name, "department": department])
    }
    try stack.context.save()
    stack.context.reset()
    return stack
  }

  /// Reads its manager in a hook of the save that its context names.
  private final class Reader: ManagedObject {
    private func read(in hook: String) {
      guard managedObjectContext?.userInfo["hook"] as? String == hook else { return }
      _ = try? object(forKey: "manager")?.string("name")
    }

    override func validateForUpdate() throws {
      try super.validateForUpdate()
      read(in: "validateForUpdate")
    }

    override func willSave() { read(in: "willSave") }
  }

  @Test(
    "FLT-126, CTX-092: a record that a hook of a save finds gone leaves with that save",
    arguments: ["validateForUpdate", "willSave"])
  func goneDuringSave(_ hook: String) throws {
    var model = TestModels.company()
    for index in model.entities.indices where model.entities[index].name == "Employee" {
      model.entities[index].className = "Reader"
    }
    let stack = try TestStack(model, classes: ["Reader": Reader.self])
    let context = stack.context
    let boss = try context.insert("Employee", ["name": "Boss"])
    let worker = try context.insert("Employee", ["name": "Ada", "manager": boss])
    try context.save()
    try context.refresh(boss, mergeChanges: false)
    try stack.removeRow(boss.objectID)
    context.forgetCachedRows()
    context.userInfo["hook"] = hook
    try worker.setValue("Eve", forKey: "name")
    try context.save()
    #expect(boss.managedObjectContext == nil && context.deletedObjects.isEmpty && !context.hasChanges)
    #expect(context.registeredObjects == [worker])
    #expect(try stack.otherProcess().all("Employee").map { try $0.string("name") } == ["Eve"])
  }

  private func remove(_ stack: TestStack, first count: Int) throws {
    let request = FetchRequest(
      entityName: "Employee", sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
    for id in try stack.newContext().fetchIdentifiers(request).prefix(count) { try stack.removeRow(id) }
  }

  @Test(
    "REL-245: records gone meanwhile are taken as deleted, whatever the setting, at no extra statement",
    arguments: [true, false])
  func goneDuringPropagation(_ marks: Bool) throws {
    let counts = try [0, 3].map { gone in
      let stack = try filled(.nullify)
      let context = stack.context
      context.shouldDeleteInaccessibleFaults = marks
      let department = try context.all("Department")[0]
      _ = try department.objects(forKey: "employees")
      try remove(stack, first: gone)
      try context.delete(department)
      return try stack.statements { try context.save() }
    }
    #expect(counts[1] <= counts[0])
  }

  @Test("FLT-128, OBJ-172: what turned out to be gone is dropped from relationships and costs no error")
  func dropped() throws {
    let stack = try filled(.nullify)
    let department = try stack.context.all("Department")[0]
    let members = try department.objects(forKey: "employees")
    try remove(stack, first: 1)
    #expect(try members[0].string("name") == nil)
    #expect(members[0].isDeleted && !members[0].isFault)
    #expect(try department.names("employees") == ["Bob", "Cy"])
    try members[0].setValue("x", forKey: "name")
    try stack.context.save()
    #expect(!stack.context.hasChanges)
  }

  @Test("FLT-130: with marking off every access throws and the object stays a fault")
  func unmarked() throws {
    let stack = try filled(.nullify)
    stack.context.shouldDeleteInaccessibleFaults = false
    let id = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p9"))
    let fault = try stack.context.object(with: id)
    for _ in 0..<2 {
      #expect { try fault.string("name") } throws: { ($0 as? GraphStoreError)?.code == .inaccessibleObject }
      #expect { try fault.setValue("x", forKey: "name") } throws: {
        ($0 as? GraphStoreError)?.code == .inaccessibleObject
      }
    }
    #expect(fault.isFault && !stack.context.hasChanges)
  }
}
