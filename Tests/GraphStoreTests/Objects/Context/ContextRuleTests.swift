import Testing

@testable import GraphStore

/// What a context is, whatever store its coordinator has.
@Suite("What a context is", .everyStore)
struct ContextRuleTests {
  private let stack: TestStack
  private let context: ManagedObjectContext

  /// Ada of the department R&D is stored.
  init() throws {
    stack = try TestStack(TestModels.company())
    context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    try context.insert("Employee", ["name": "Ada", "department": department])
    try context.save()
    context.reset()
  }

  private func names(_ context: ManagedObjectContext) throws -> [String] {
    try context.all("Employee", sort: ["name"]).compactMap { try $0.string("name") }
  }

  @Test("CTX-001, CTX-480: no store changes before a save succeeds, and none by a save that fails")
  func scratchPad() throws {
    let ada = try context.all("Employee")[0]
    try ada.setValue("Eve", forKey: "name")
    try context.insert("Employee", ["name": "Bob"])
    try context.delete(context.all("Department")[0])
    try context.processPendingChanges()
    #expect(try names(context) == ["Bob", "Eve"])
    func checkStored(_ expected: [String], departments: Int) throws {
      let other = try stack.otherProcess()
      #expect(try names(other) == expected && other.all("Department").count == departments)
    }
    try checkStored(["Ada"], departments: 1)
    context.saving.deferredErrors = [GraphStoreError(.validation, "a failure of before", remedy: "")]
    #expect(code { try context.save() } == .validation)
    try checkStored(["Ada"], departments: 1)
    _ = context.takeDeferredErrors()
    try context.save()
    try checkStored(["Bob", "Eve"], departments: 0)
  }

  @Test("CTX-002: an object belongs to its context from insertion, fetch or look-up on, and never to another")
  func belonging() throws {
    let other = stack.newContext()
    let inserted = try context.insert("Employee", ["name": "Bob"])
    let fetched = try context.all("Department")[0]
    let lookedUp = try other.object(with: fetched.objectID)
    #expect(inserted.managedObjectContext === context && fetched.managedObjectContext === context)
    #expect(lookedUp !== fetched && lookedUp.managedObjectContext === other)
    #expect(code { try inserted.setValue(lookedUp, forKey: "department") } == .contextMismatch)
    #expect(lookedUp.managedObjectContext === other && inserted.managedObjectContext === context)
    try context.save()
    #expect(inserted.managedObjectContext === context)
    #expect(try other.object(with: inserted.objectID) !== inserted)
  }

  @Test("CTX-003, CTX-004: a context has the coordinator that it was made with as its parent")
  func parent() throws {
    let other = try TestStack(TestModels.company())
    #expect(
      context.source === stack.coordinator && context.parent == nil
        && context.coordinator === stack.coordinator)
    let own = ManagedObjectContext(coordinator: other.coordinator)
    try own.insert("Employee", ["name": "Bob"])
    try own.save()
    #expect(try names(own) == ["Bob"] && names(stack.newContext()) == ["Ada"])
  }

  @Test(
    "CTX-005, DGN-228: without a store fetching, looking up and saving changes throw no-store, and inserting works"
  )
  func withoutStore() throws {
    let id = try context.all("Employee")[0].objectID
    let coordinator = PersistentStoreCoordinator(model: stack.coordinator.managedObjectModel)
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(code { _ = try context.all("Employee") } == .noStore)
    #expect(code { _ = try context.count(for: FetchRequest(entityName: "Employee")) } == .noStore)
    #expect(code { _ = try context.fetchIdentifiers(FetchRequest(entityName: "Employee")) } == .noStore)
    #expect(code { _ = try context.object(with: id) } == .noStore)
    #expect(code { _ = try context.existingObject(with: id) } == .noStore)
    #expect(code { try context.save() } == nil)
    let new = try context.insert("Employee", ["name": "Bob"])
    #expect(try context.object(with: new.objectID) === new)
    #expect(code { try context.save() } == .noStore)
    #expect(new.isInserted && context.hasChanges)
  }

  @Test(
    "CTX-007: both ends agree at once, and what follows from a deletion is in place at the end of the event")
  func consistency() throws {
    let department = try context.all("Department")[0]
    let ada = try context.all("Employee")[0]
    let bob = try context.insert("Employee", ["name": "Bob", "department": department])
    #expect(try department.names("employees").sorted() == ["Ada", "Bob"])
    try department.removeObjects([ada], forKey: "employees")
    #expect(try ada.object(forKey: "department") == nil)
    context.performAndWait {
      #expect(throws: Never.self) { try context.delete(department) }
    }
    #expect(try bob.object(forKey: "department") == nil)
  }

  @Test("CTX-008: edits, discards and saves of one context change no object of another")
  func independence() throws {
    let other = stack.newContext()
    let (mine, theirs) = (try context.all("Employee")[0], try other.all("Employee")[0])
    #expect(try theirs.string("name") == "Ada")
    try theirs.setValue(3, forKey: "salary")
    func isUntouched() throws -> Bool {
      try theirs.string("name") == "Ada" && theirs.value(forKey: "salary") as? Int64 == 3 && theirs.isUpdated
    }
    try mine.setValue("Eve", forKey: "name")
    #expect(try isUntouched())
    context.rollback()
    #expect(try isUntouched())
    try mine.setValue("Eve", forKey: "name")
    try context.save()
    #expect(try isUntouched())
    try context.delete(mine)
    try context.save()
    #expect(try isUntouched())
    context.reset()
    #expect(try isUntouched() && other.updatedObjects == [theirs])
  }

  @Test("CTX-010: one context serves any number of working sets, one after the other")
  func workingSets() throws {
    for number in 0..<20 {
      try context.insert("Employee", ["name": "E\(number)"])
      if number % 2 == 0 { try context.save() } else { context.rollback() }
      context.reset()
      #expect(context.registeredCount == 0 && !context.hasChanges)
    }
    #expect(try names(context).count == 11)
  }

  @Test("CTX-011: when a context ends its unsaved changes are gone and its objects are invalidated")
  func ending() throws {
    var ended: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
    let ada = try #require(try ended?.all("Employee")[0])
    try ada.setValue("Eve", forKey: "name")
    let bob = try #require(try ended?.insert("Employee", ["name": "Bob"]))
    ended = nil
    #expect(try names(context) == ["Ada"])
    for object in [ada, bob] {
      #expect(object.managedObjectContext == nil)
      #expect(code { _ = try object.value(forKey: "name") } == .objectInvalidated)
      #expect(code { try object.setValue("Cy", forKey: "name") } == .objectInvalidated)
    }
  }
}
