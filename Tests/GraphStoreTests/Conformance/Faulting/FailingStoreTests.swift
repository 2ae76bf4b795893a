import GraphStore
import GraphStoreSQLite
import Testing

@Suite("A store that fails while a fault fires", .everyStore, .needs(.statements))
struct FailingStoreTests {
  private let stack: TestStack
  private let fault: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    stack.context.reset()
    let id = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p1"))
    fault = try stack.context.object(with: id)
  }

  /// Does something while the table of employees is away.
  private func withoutTable(_ body: () throws -> Void) throws {
    try stack.connection().execute("ALTER TABLE ZEMPLOYEE RENAME TO AWAY")
    try body()
    try stack.connection().execute("ALTER TABLE AWAY RENAME TO ZEMPLOYEE")
  }

  @Test(
    "FLT-021: a throwing access throws the store's error, the object stays a fault, and the next one tries again"
  )
  func throwing() throws {
    try withoutTable {
      for _ in 0..<2 {
        #expect(code { _ = try fault.string("name") } == .storeCorrupt)
        #expect(code { try fault.setValue("x", forKey: "name") } == .storeCorrupt)
        #expect(fault.isFault && !fault.isDeleted && !fault.hasChanges)
      }
    }
    #expect(try fault.string("name") == "Ada" && !stack.context.hasChanges)
  }

  @Test("FLT-021: an access that cannot throw leaves the error to the next save, until it is taken")
  func notThrowing() throws {
    try withoutTable {
      #expect(
        fault[AttributeKey<ManagedObject, String>("name")] == nil && fault["salary"] == nil && fault.isFault)
    }
    #expect(fault[AttributeKey<ManagedObject, String>("name")] == "Ada")
    for _ in 0..<2 { #expect(code { try stack.context.save() } == .storeCorrupt) }
    #expect(stack.context.takeDeferredErrors().count == 2)
    try stack.context.save()
  }
}
