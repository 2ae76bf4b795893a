import Testing

@testable import GraphStore

@Suite("Objects whose deletion is saved", .everyStore)
struct SavedDeletionTests {
  private static let name = AttributeKey<ManagedObject, String>("name")

  @Test(
    "OBJ-012, REL-215: until the save the own side of cut links is empty, afterwards every read throws 133000",
    arguments: [true, false])
  func reading(_ isLoaded: Bool) throws {
    let stack = try TestStack(TestModels.company(employees: .cascade))
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    let bob = try context.insert("Employee", ["name": "Bob"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": department, "manager": bob])
    try ada.addObjects([bob], forKey: "friends")
    try context.save()
    if !isLoaded { try context.refreshAllObjects() }
    try context.delete(department)
    try context.processPendingChanges()
    #expect(try department.objects(forKey: "employees").isEmpty && ada.object(forKey: "department") == nil)
    #expect(try ada.object(forKey: "manager") == nil && ada.objects(forKey: "friends").isEmpty)
    #expect(try department.string("name") == "R&D" && ada.string("name") == "Ada")
    #expect(try ada.committedValues(forKeys: ["manager"])["manager"] as? ManagedObject === bob)
    try context.save()
    let reads: [(String, () throws -> Void)] = [
      ("attribute", { _ = try ada.value(forKey: "name") }),
      ("query value", { _ = try ada.queryValue(forKey: "name") }),
      ("to-one", { _ = try ada.value(forKey: "manager") }),
      ("destination", { _ = try ada.object(forKey: "manager") }),
      ("to-many", { _ = try ada.value(forKey: "friends") }),
      ("members", { _ = try ada.objects(forKey: "friends") }),
      ("key path", { _ = try ada.value(forKeyPath: "manager.name") }),
      ("dictionary", { _ = try ada.dictionaryWithValues(forKeys: ["name"]) }),
      ("committed values", { _ = try ada.committedValues(forKeys: ["name"]) }),
      ("of the owner", { _ = try department.value(forKey: "employees") }),
    ]
    for (name, read) in reads {
      let error = failure(read)
      #expect(error?.number == 133000, "\(name): \(error.map { "\($0)" } ?? "no error")")
    }
    #expect(ada[Self.name] == nil && ada.managedObjectContext == nil && context.takeDeferredErrors().isEmpty)
    #expect(try bob.objects(forKey: "reports").isEmpty && bob.string("name") == "Bob")
  }

  @Test("OBJ-012, OBJ-010: an object that never was in a store keeps its values, without links")
  func neverSaved() throws {
    let stack = try TestStack(TestModels.company())
    let bob = try stack.context.insert("Employee", ["name": "Bob"])
    let ada = try stack.context.insert("Employee", ["name": "Ada", "manager": bob])
    try stack.context.delete(ada)
    try stack.context.save()
    #expect(try ada.string("name") == "Ada" && ada.object(forKey: "manager") == nil)
    #expect(ada.managedObjectContext == nil && ada[Self.name] == "Ada")
  }
}
