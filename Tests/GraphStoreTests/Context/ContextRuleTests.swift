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

  @Test(
    "CTX-005: without a store fetching, looking up and saving changes throw no-store, and inserting works")
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
}
