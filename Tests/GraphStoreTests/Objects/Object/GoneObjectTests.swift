import GraphStore
import GraphStoreSQLite
import Testing

/// Objects whose records turned out to be gone, from the access to the end of the save or of the rollback.
@Suite("Objects whose records are gone")
struct GoneObjectTests {
  private let stack: TestStack
  private let object: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    for name in ["Ada", "Bob"] {
      try stack.context.insert("Employee", ["name": name, "department": department])
    }
    try stack.context.save()
    stack.context.reset()
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    try raw.execute("DELETE FROM ZEMPLOYEE WHERE Z_PK = 1")
    raw.close()
    object = try stack.context.object(
      with: try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p1")))
    #expect(try object.string("name") == nil)
  }

  @Test("FLT-127: it is among the deleted objects, and leaves with the save that deletes nothing for it")
  func save() throws {
    #expect(object.isDeleted && !object.isFault)
    #expect(stack.context.deletedObjects == [object])
    #expect(try stack.statements { try stack.context.save() } == 0)
    #expect(!object.isDeleted && object.managedObjectContext == nil)
    #expect(!stack.context.hasChanges && stack.context.deletedObjects.isEmpty)
    #expect(stack.context.registeredObject(for: object.objectID) == nil)
  }

  @Test("FLT-127: after a rollback it is a fault as before")
  func rollback() throws {
    stack.context.rollback()
    #expect(!object.isDeleted && object.isFault && stack.context.deletedObjects.isEmpty)
    #expect(try object.string("name") == nil)
    #expect(stack.context.deletedObjects == [object])
  }

  @Test("FLT-132: a look-up does not find it")
  func lookUp() throws {
    for _ in 0..<2 {
      #expect { try stack.context.existingObject(with: object.objectID) } throws: {
        ($0 as? GraphStoreError)?.code == .objectNotFound
      }
      try stack.context.save()
    }
  }

  @Test("OBJ-333: it is not validated, and another deletion goes on beside it")
  func besides() throws {
    let department = try stack.context.all("Department")[0]
    try stack.context.delete(department)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Department").isEmpty)
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings).isEmpty)
  }
}
