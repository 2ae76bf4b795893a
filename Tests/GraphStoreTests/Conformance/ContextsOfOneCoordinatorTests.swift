import GraphStore
import Testing

/// Two contexts of one coordinator over one row cache.
@Suite(.everyKindOfStore)
struct ContextsOfOneCoordinatorTests {
  private let stack: TestStack
  private let other: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    try stack.context.insert("Employee", ["name": "Ada", "salary": 1, "department": department])
    try stack.context.save()
    stack.context.reset()
    other = stack.newContext()
  }

  @Test("FLT-056, FLT-011: a fault of a fetch fires with what another context has saved since")
  func faultAfterSave() throws {
    let fault = try other.all("Employee")[0]
    #expect(fault.isFault)
    try stack.context.all("Employee")[0].setValue("Eve", forKey: "name")
    try stack.context.save()
    #expect(try stack.statements { try check(try fault.string("name") == "Eve") } == 0)
    try fault.setValue(2, forKey: "salary")
    try other.save()
    #expect(try stack.otherProcess().all("Employee")[0].string("name") == "Eve")
  }

  @Test("FLT-124, FLT-060: a fault of a fetch whose record another context has deleted is inaccessible")
  func faultAfterDeletion() throws {
    let fault = try other.all("Employee")[0]
    try stack.context.delete(stack.context.all("Employee")[0])
    try stack.context.save()
    #expect(try fault.string("name") == nil)
    #expect(fault.isDeleted)
    try other.save()
    #expect(!other.hasChanges)
  }

  @Test("FLT-056, CTX-170: a realised object keeps its values and conflicts at its save")
  func conflict() throws {
    let mine = try other.all("Employee")[0]
    #expect(try mine.string("name") == "Ada")
    try stack.context.all("Employee")[0].setValue("Eve", forKey: "name")
    try stack.context.save()
    #expect(try mine.string("name") == "Ada")
    try mine.setValue(2, forKey: "salary")
    #expect {
      try other.save()
    } throws: {
      ($0 as? GraphStoreError)?.code == .mergeConflict
    }
    #expect(mine.isUpdated)
    try other.refresh(mine, mergeChanges: true)
    #expect(try mine.string("name") == "Eve" && mine.value(forKey: "salary") as? Int64 == 2)
    try other.save()
    let stored = try stack.otherProcess().all("Employee")[0]
    #expect(try stored.string("name") == "Eve" && stored.value(forKey: "salary") as? Int64 == 2)
  }

  @Test("FLT-061: a row that one context holds costs the other no statement")
  func sharing() throws {
    let held = try stack.context.all("Employee")
    let object = try other.object(with: held[0].objectID)
    #expect(try stack.statements { try check(try object.string("name") == "Ada") } == 0)
  }

  @Test("REL-317, CTX-174: both add a member to one to-many, and both save")
  func members() throws {
    for (context, name) in [(stack.context, "Bob"), (other, "Cy")] {
      let department = try context.all("Department")[0]
      _ = try department.objects(forKey: "employees")
      try context.insert("Employee", ["name": name, "department": department])
    }
    try stack.context.save()
    try other.save()
    #expect(try stack.otherProcess().all("Department")[0].names("employees") == ["Ada", "Bob", "Cy"])
  }

  @Test("REL-318: both move one employee: the second is a conflict")
  func moves() throws {
    for context in [stack.context, other] {
      let employee = try context.all("Employee")[0]
      _ = try employee.string("name")
      try employee.setValue(context.insert("Department", ["name": "new"]), forKey: "department")
    }
    try stack.context.save()
    #expect(throws: GraphStoreError.self) { try other.save() }
    #expect(try stack.otherProcess().all("Department").count == 2)
  }

  @Test("CTX-108: a second save right after runs no statement, and further changes do not conflict")
  func twice() throws {
    let employee = try stack.context.all("Employee")[0]
    for salary in 2...5 {
      try employee.setValue(salary, forKey: "salary")
      try stack.context.save()
      #expect(try stack.statements { try stack.context.save() } == 0)
    }
  }

  @Test("FLT-058, FLT-162: rows go with the last object of the last context")
  func rowsGo() throws {
    var first = try stack.context.all("Employee")
    var second = try other.all("Employee")
    #expect(stack.cachedRows == 1)
    try first[0].setValue(3, forKey: "salary")
    try stack.context.save()
    try other.refresh(second[0], mergeChanges: false)
    first = []
    #expect(stack.cachedRows == 1 || stack.cachedRows == 0)
    second = []
    #expect(stack.cachedRows == 0)
    first = try stack.context.all("Employee")
    try stack.context.delete(first[0])
    try stack.context.save()
    #expect(stack.cachedRows == 0)
    first = []
    #expect(stack.context.registeredCount == 0)
  }
}
