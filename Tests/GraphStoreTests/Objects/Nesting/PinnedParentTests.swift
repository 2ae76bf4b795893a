import Testing

@testable import GraphStore

/// Children of a context that is pinned to a query generation.
@Suite("Nested contexts and query generations")
struct PinnedParentTests {
  private let stack: TestStack
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    parent = stack.context
    let department = try parent.insert("Department", ["name": "R&D"])
    try parent.insert("Employee", ["name": "Ada", "salary": 1, "department": department])
    try parent.save()
    parent.reset()
    child = ManagedObjectContext(childOf: parent)
  }

  private func change() throws {
    let other = stack.newContext()
    try #require(try other.all("Employee").first).setValue("Eve", forKey: "name")
    try other.insert("Employee", ["name": "Bob"])
    try other.save()
  }

  @Test("CTX-347: a child cannot be pinned, and tells its root's token")
  func token() throws {
    #expect {
      try child.setQueryGenerationFrom(.current)
    } throws: {
      GraphStoreError.code(.queryGenerationOnChild) ~= $0
    }
    #expect(child.queryGenerationToken == nil)
    try parent.setQueryGenerationFrom(.current)
    #expect(child.queryGenerationToken == .current)
    #expect(try child.all("Employee").count == 1)
    #expect(
      child.queryGenerationToken == parent.queryGenerationToken && child.queryGenerationToken != .current)
  }

  @Test(
    "CTX-338, CTX-339: a child reads the state that its root is pinned to, by fetches, faults and members")
  func reading() throws {
    try parent.setQueryGenerationFrom(.current)
    let department = try #require(try child.all("Department").first)
    try change()
    let ada = try #require(try child.all("Employee").first)
    #expect(try child.all("Employee").count == 1 && ada.string("name") == "Ada")
    #expect(try department.names("employees") == ["Ada"])
    try child.refresh(ada, mergeChanges: false)
    #expect(try ada.string("name") == "Ada")
    #expect(try child.count(for: FetchRequest(entityName: "Employee")) == 1)
    #expect(try stack.newContext().all("Employee").count == 2)
    try ada.setValue(5, forKey: "salary")
    try child.save()
    try parent.setQueryGenerationFrom(nil)
    #expect(try child.all("Employee").count == 2)
    #expect(throws: GraphStoreError.self) { try parent.save() }
    try child.checkInvariants()
    try parent.checkInvariants()
  }

  @Test("CTX-272, CTX-341: merging a save moves the pin of a pinned context")
  func merging() throws {
    try parent.setQueryGenerationFrom(.current)
    #expect(try parent.all("Employee").count == 1)
    let former = parent.queryGenerationToken
    let other = stack.newContext()
    var changes: SavedChanges?
    let token = other.observe(.didSave) { changes = SavedChanges($0) }
    try other.insert("Employee", ["name": "Bob"])
    try other.save()
    token.cancel()
    #expect(try parent.all("Employee").count == 1)
    try parent.mergeChanges(fromContextDidSave: #require(changes))
    #expect(try parent.all("Employee").count == 2 && child.all("Employee").count == 2)
    #expect(
      parent.queryGenerationToken != former && child.queryGenerationToken == parent.queryGenerationToken)
  }
}
