import GraphStore
import Testing

struct PendingChangesFetchTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    for (name, salary) in [("Ada", 10), ("Bob", 20), ("Cy", 30)] {
      try stack.context.insert("Employee", ["name": name, "salary": salary, "department": department])
    }
    try stack.context.save()
  }

  private func names(_ predicate: String?, sort: [String] = ["name"]) throws -> [String] {
    try stack.context.all("Employee", predicate, sort: sort).compactMap { try $0.string("name") }
  }

  @Test("FET-059, FET-060: inserted, changed and deleted objects count, at their place in the order")
  func correction() throws {
    try stack.context.insert("Employee", ["name": "Abe", "salary": 25])
    try stack.context.all("Employee", "name == 'Ada'")[0].setValue(40, forKey: "salary")
    try stack.context.delete(stack.context.all("Employee", "name == 'Cy'")[0])
    #expect(try names("salary > 15") == ["Abe", "Ada", "Bob"])
    #expect(try names("salary > 15", sort: ["-salary"]) == ["Ada", "Abe", "Bob"])
    #expect(try stack.context.count(for: FetchRequest(entityName: "Employee")) == 3)
    let unsaved = try stack.context.insert("Employee", [:])
    #expect(try names("salary > 15").count == 3)
    try stack.context.delete(unsaved)
    var stored = FetchRequest(entityName: "Employee")
    stored.includesPendingChanges = false
    #expect(try stack.context.fetch(stored).count == 3)
  }

  @Test("FET-061: nil follows the store's logic for unsaved objects too")
  func threeValued() throws {
    try stack.context.insert("Employee", ["name": "Nil"])
    #expect(try names("salary != 10") == ["Bob", "Cy"])
    #expect(try names("NOT salary == 10") == ["Bob", "Cy"])
    #expect(try names("salary == nil") == ["Nil"])
  }

  @Test("FET-062: an unsaved change of a related object counts")
  func related() throws {
    try stack.context.all("Department")[0].setValue("Labs", forKey: "name")
    #expect(try names("department.name == 'Labs'") == ["Ada", "Bob", "Cy"])
    #expect(try names("department.name == 'R&D'") == [])
  }

  @Test("FET-051: the window is cut after the correction")
  func window() throws {
    try stack.context.insert("Employee", ["name": "Aaa"])
    var request = FetchRequest(entityName: "Employee")
    request.sortDescriptors = try [QuerySortDescriptor(parsing: "name")]
    request.fetchLimit = 2
    request.fetchOffset = 1
    #expect(try stack.context.fetch(request).map { try $0.string("name") } == ["Ada", "Bob"])
  }

  @Test("FET-010: sub-entities count unless they are left out")
  func subentities() throws {
    try stack.context.insert("Manager", ["name": "Max"])
    for isSaved in [false, true] {
      if isSaved { try stack.context.save() }
      #expect(try names(nil) == ["Ada", "Bob", "Cy", "Max"])
      var request = FetchRequest(entityName: "Employee")
      request.includesSubentities = false
      #expect(try stack.context.fetch(request).count == 3)
      #expect(try stack.context.all("Manager").count == 1)
    }
  }

  @Test("FET-024: a fetch is one statement; with prefetching one more a step")
  func statements() throws {
    stack.context.reset()
    var held: [ManagedObject] = []
    #expect(try stack.statements { held = try stack.context.all("Employee", sort: ["name"]) } == 1)
    #expect(try stack.statements { for object in held { _ = try object.string("name") } } == 0)
    stack.context.reset()
    held = []
    var request = FetchRequest(entityName: "Employee")
    request.relationshipKeyPathsForPrefetching = ["department"]
    #expect(try stack.statements { held = try stack.context.fetch(request) } == 2)
    #expect(
      try stack.statements {
        for object in held { _ = try object.object(forKey: "department")?.string("name") }
      } == 0)
  }

  @Test("FLT-013: a fault whose row is not cached costs one statement")
  func fault() throws {
    stack.context.reset()
    let id = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p2"))
    let object = try stack.context.object(with: id)
    #expect(object.isFault)
    #expect(try stack.statements { try check(try object.string("name") == "Bob") } == 1)
    #expect(!object.isFault)
  }
}
