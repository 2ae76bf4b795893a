import GraphStore
import GraphStoreSQLite
import Testing

/// Delete rules act on what the store has, whatever the context has read before.
@Suite("Deletion across contexts")
struct DeletionAcrossContextsTests {
  /// Where the other writer is.
  enum Writer: CaseIterable {
    case sameCoordinator, otherProcess
  }

  private func stack(_ rule: DeleteRule, isDepartmentOptional: Bool = true) throws -> TestStack {
    let stack = try TestStack(
      TestModels.company(employees: rule, isDepartmentOptional: isDepartmentOptional))
    for name in ["R&D", "Sales"] {
      let department = try stack.context.insert("Department", ["name": name])
      try stack.context.insert("Employee", ["name": "first of \(name)", "department": department])
    }
    try stack.context.save()
    stack.context.reset()
    return stack
  }

  private func context(_ writer: Writer, _ stack: TestStack) throws -> ManagedObjectContext {
    writer == .sameCoordinator ? stack.newContext() : try stack.otherProcess()
  }

  private func department(_ context: ManagedObjectContext, _ name: String = "R&D") throws -> ManagedObject {
    try #require(try context.all("Department", "name == '\(name)'").first)
  }

  private func add(_ name: String, _ context: ManagedObjectContext) throws {
    try context.insert("Employee", ["name": name, "department": department(context)])
    try context.save()
  }

  private func findings(_ stack: TestStack) throws -> [String] {
    try StoreCheck.run(path: stack.path).flatMap(\.findings).map(\.message)
  }

  private func names(_ stack: TestStack) throws -> [String] {
    try stack.otherProcess().all("Employee", sort: ["name"]).compactMap { try $0.string("name") }
  }

  // MARK: Members that came after the relationship was read

  @Test("REL-240: cascade takes members that another context has added", arguments: Writer.allCases)
  func cascade(_ writer: Writer) throws {
    let stack = try stack(.cascade)
    let own = try department(stack.context)
    #expect(try own.objects(forKey: "employees").count == 1)
    try add("late", context(writer, stack))
    try stack.context.delete(own)
    try stack.context.save()
    #expect(try names(stack) == ["first of Sales"])
    #expect(try findings(stack) == [])
  }

  @Test("REL-240: nullify frees members that another context has added", arguments: Writer.allCases)
  func nullify(_ writer: Writer) throws {
    let stack = try stack(.nullify)
    let own = try department(stack.context)
    #expect(try own.objects(forKey: "employees").count == 1)
    try add("late", context(writer, stack))
    try stack.context.delete(own)
    try stack.context.save()
    #expect(try findings(stack) == [])
    let late = try #require(try stack.otherProcess().all("Employee", "name == 'late'").first)
    #expect(try late.object(forKey: "department") == nil)
  }

  @Test("REL-199: deny sees members that another context has added", arguments: Writer.allCases)
  func deny(_ writer: Writer) throws {
    let stack = try stack(.deny)
    let own = try department(stack.context)
    for employee in try own.objects(forKey: "employees") { try stack.context.delete(employee) }
    try stack.context.save()
    #expect(try own.objects(forKey: "employees").isEmpty)
    let other = try context(writer, stack)
    try add("late", other)
    try stack.context.delete(own)
    #expect(try stack.context.deletionPreview(of: [department(stack.context, "Sales")]).denials.count == 1)
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .deleteDenied }
    for employee in try other.all("Employee", "name == 'late'") { try other.delete(employee) }
    try other.save()
    try stack.context.save()
    #expect(try stack.otherProcess().all("Department").count == 1)
    #expect(try findings(stack) == [])
  }

  @Test(
    "REL-241: a member that another context has moved away is spared", arguments: Writer.allCases,
    [DeleteRule.cascade, .deny, .nullify])
  func movedAway(_ writer: Writer, _ rule: DeleteRule) throws {
    let stack = try stack(rule)
    let own = try department(stack.context)
    let member = try own.objects(forKey: "employees")[0]
    #expect(try member.string("name") == "first of R&D")
    let other = try context(writer, stack)
    try #require(try other.all("Employee", "name == 'first of R&D'").first)
      .setValue(department(other, "Sales"), forKey: "department")
    try other.save()
    #expect(try stack.context.deletionPreview(of: [own]).wouldSucceed)
    try stack.context.delete(own)
    try stack.context.save()
    #expect(try names(stack).count == 2)
    #expect(try findings(stack) == [])
  }

  @Test(
    "A member that another context has moved here, while it is known elsewhere, makes the save fail",
    arguments: Writer.allCases, [DeleteRule.cascade, .nullify])
  func movedHere(_ writer: Writer, _ rule: DeleteRule) throws {
    let stack = try stack(rule)
    let own = try department(stack.context)
    let member = try department(stack.context, "Sales").objects(forKey: "employees")[0]
    #expect(try member.string("name") == "first of Sales")
    let other = try context(writer, stack)
    try #require(try other.all("Employee", "name == 'first of Sales'").first)
      .setValue(department(other), forKey: "department")
    try other.save()
    try stack.context.delete(own)
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .mergeConflict && error?.relatedObjects == [member.objectID]
    }
    #expect(try findings(stack) == [])
    #expect(try stack.otherProcess().all("Department").count == 2)
    // What the error proposes helps.
    if rule == .cascade { stack.context.rollback() }
    try stack.context.refresh(member, mergeChanges: true)
    try stack.context.delete(own)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Department").count == 1)
    #expect(try names(stack).count == (rule == .cascade ? 0 : 2))
    #expect(try findings(stack) == [])
  }

  // MARK: Members that come between the rules and the write

  @Test("REL-247: what comes after the rules were applied is freed by nullify", arguments: Writer.allCases)
  func phantomNullify(_ writer: Writer) throws {
    let stack = try stack(.nullify)
    let context = stack.context
    try context.delete(try department(context))
    try context.processPendingChanges()
    let other = try self.context(writer, stack)
    try add("late", other)
    let id = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p3"))
    let fault = try context.object(with: id)
    try context.save()
    #expect(try findings(stack) == [])
    #expect(try fault.string("name") == "late")
    #expect(try fault.object(forKey: "department") == nil)
    let stored = try stack.otherProcess().all("Employee", "name == 'late'")[0]
    #expect(try stored.object(forKey: "department") == nil)
  }

  @Test("REL-247: what comes after the rules were applied is denied by deny", arguments: Writer.allCases)
  func phantomDeny(_ writer: Writer) throws {
    let stack = try stack(.deny)
    let context = stack.context
    let own = try department(context)
    for employee in try own.objects(forKey: "employees") { try context.delete(employee) }
    try context.delete(own)
    try context.processPendingChanges()
    try add("late", self.context(writer, stack))
    #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.code == .deleteDenied }
    #expect(try stack.otherProcess().all("Department").count == 2)
    #expect(try findings(stack) == [])
  }

  @Test("REL-247: what comes after the rules were applied goes with the next save by cascade")
  func phantomCascade() throws {
    let stack = try stack(.cascade)
    let context = stack.context
    try context.delete(try department(context))
    try context.processPendingChanges()
    try add("late", stack.otherProcess())
    #expect {
      try context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .mergeConflict && error?.relatedObjects.map(\.shortForm) == ["Employee/p3"]
        && error?.remedy.hasPrefix("Save again") == true
    }
    #expect(try findings(stack) == [])
    try context.save()
    #expect(try names(stack) == ["first of Sales"])
    #expect(try findings(stack) == [])
  }

  @Test("REL-247: with a context of the same coordinator the first save takes them along")
  func phantomCascadeHere() throws {
    let stack = try stack(.cascade)
    try stack.context.delete(try department(stack.context))
    try stack.context.processPendingChanges()
    try add("late", stack.newContext())
    try stack.context.save()
    #expect(try names(stack) == ["first of Sales"])
    #expect(try findings(stack) == [])
  }

  @Test("REL-247: a member that cannot do without the deleted record makes the save fail")
  func phantomOfMandatoryInverse() throws {
    let stack = try stack(.nullify, isDepartmentOptional: false)
    let context = stack.context
    let own = try department(context)
    for employee in try own.objects(forKey: "employees") { try context.delete(employee) }
    try context.delete(own)
    try context.processPendingChanges()
    try add("late", stack.otherProcess())
    #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.code == .mergeConflict }
    #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.number == 1570 }
    #expect(try findings(stack) == [])
  }

  @Test(
    "REL-267: an object inserted and deleted leaves the context, also where another one has saved meanwhile")
  func insertedAndDeleted() throws {
    let stack = try stack(.cascade)
    let own = try stack.context.insert("Department", ["name": "never saved"])
    try stack.context.delete(own)
    try add("late", stack.newContext())
    try stack.context.save()
    #expect(own.managedObjectContext == nil && !stack.context.hasChanges)
    #expect(try stack.otherProcess().all("Department").count == 2)
  }

  @Test("REL-281: after a save that failed on them a rollback brings everything back")
  func rollback() throws {
    let stack = try stack(.cascade)
    let context = stack.context
    let own = try department(context)
    try context.delete(own)
    try context.processPendingChanges()
    try add("late", stack.otherProcess())
    #expect(throws: GraphStoreError.self) { try context.save() }
    context.rollback()
    #expect(!context.hasChanges && !own.isDeleted)
    #expect(try own.names("employees") == ["first of R&D", "late"])
    try context.save()
    #expect(try names(stack).count == 3)
  }
}
