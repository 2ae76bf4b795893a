import GraphStore
import Testing

@Suite("Descriptions of objects", .everyStore)
struct ObjectDescriptionTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let ada: ManagedObject
  private let tools: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    tools = try stack.context.insert("Department", ["name": "Tools"])
    ada = try stack.context.insert("Employee", ["name": "Ada", "salary": 7, "department": tools])
    try stack.context.save()
  }

  @Test("OBJ-006, FLT-027: a fault shows class, entity and identifier, and is a fault afterwards")
  func fault() throws {
    try context.refresh(ada, mergeChanges: false)
    var texts: [String] = []
    #expect(stack.statements { texts = [ada.description, String(reflecting: ada)] } == 0)
    for text in texts {
      #expect(text.contains("ManagedObject") && text.contains("Employee/p1") && text.contains("<fault>"))
      #expect(!text.contains("Ada"))
    }
    #expect(ada.isFault)
  }

  @Test(
    "OBJ-006, FLT-027: a realised object shows attributes and identifiers of to-ones, and reads no to-many")
  func realised() throws {
    try context.refresh(ada, mergeChanges: false)
    try context.refresh(tools, mergeChanges: false)
    _ = try ada.string("name")
    var text = ""
    #expect(stack.statements { text = ada.description } == 0)
    #expect(text.contains("Ada") && text.contains("7"))
    #expect(text.contains("reports: <relationship fault>") && !text.contains("<fault>"))
    #expect(try tools.isFault && ada.hasFault(forRelationshipNamed: "projects"))
  }

  @Test("OBJ-006: a new object shows its temporary identifier and what was set")
  func inserted() throws {
    let bob = try context.insert("Manager", ["name": "Bob", "manager": ada])
    #expect(bob.description.contains(bob.objectID.shortForm) && bob.description.contains("Manager/t"))
    #expect(bob.description.contains("Bob"))
  }
}
