import Testing

@testable import GraphStore

/// What a context and its children show once its pin has moved.
@Suite("Rows after a pin has moved")
struct MovedPinTests {
  private let stack: TestStack
  private let root: ManagedObjectContext
  private var writer: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    let research = try stack.context.insert("Department", ["name": "Research"])
    for name in ["Ada", "Grace"] {
      try stack.context.insert("Employee", ["name": name, "salary": 10, "department": research])
    }
    try stack.context.save()
    stack.context.reset()
    root = stack.newContext()
    try root.setQueryGenerationFrom(.current)
  }

  private func named(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Employee", "name == '\(name)'").first)
  }

  /// Renames an object, saves it, and returns the save.
  @discardableResult
  private func rename(
    _ name: String, to new: String, of entity: String = "Employee", in context: ManagedObjectContext
  ) throws -> SavedChanges {
    try #require(try context.all(entity, "name == '\(name)'").first).setValue(new, forKey: "name")
    return try save(context)
  }

  private func save(_ context: ManagedObjectContext) throws -> SavedChanges {
    var saved: SavedChanges?
    let token = context.observe(.didSave) { saved = SavedChanges($0) }
    try context.save()
    token.cancel()
    return try #require(saved)
  }

  private func names(_ objects: [ManagedObject]) throws -> [String?] {
    try objects.map { try $0.string("name") }
  }

  @Test("CTX-338, CTX-458: faults of a child are of the state that its root has moved to")
  func childOfNewerState() throws {
    _ = try root.all("Employee")
    try rename("Ada", to: "Augusta", in: writer)
    let child = ManagedObjectContext(childOf: root)
    let faults = try child.all("Employee", sort: ["name"])
    try root.setQueryGenerationFrom(.current)
    #expect(try names(faults) == ["Augusta", "Grace"])
  }

  @Test("CTX-338, CTX-458: faults of a child are of the older state that its root has moved to")
  func childOfOlderState() throws {
    let holder = stack.newContext()
    try holder.setQueryGenerationFrom(.current)
    _ = try holder.all("Employee")
    try root.setQueryGenerationFrom(nil)
    try rename("Ada", to: "Augusta", in: writer)
    let child = ManagedObjectContext(childOf: root)
    let faults = try child.all("Employee", sort: ["name"])
    try root.setQueryGenerationFrom(holder.queryGenerationToken)
    #expect(try names(faults) == ["Ada", "Grace"])
  }

  @Test("CTX-338, CTX-261: a fault whose links alone have changed is of the state that the pin has moved to")
  func changedFault() throws {
    let department = try #require(try root.all("Department").first)
    try root.insert("Employee", ["name": "Zoe"]).setValue(department, forKey: "department")
    try root.mergeChanges(
      fromContextDidSave: rename("Research", to: "R&D", of: "Department", in: writer))
    #expect(try department.string("name") == "R&D" && department.names("employees").contains("Zoe"))
  }

  @Test(
    "CTX-338: members that a fault without values was asked for are of the state that the pin has moved to")
  func membersOfFault() throws {
    let department = try root.object(with: #require(try writer.all("Department").first).objectID)
    #expect(try department.names("employees").sorted() == ["Ada", "Grace"] && department.isFault)
    let zoe = try writer.insert("Employee", ["name": "Zoe"])
    try zoe.setValue(writer.all("Department").first, forKey: "department")
    try writer.save()
    try root.setQueryGenerationFrom(.current)
    #expect(try root.all("Employee").count == 3)
    #expect(try department.names("employees").sorted() == ["Ada", "Grace", "Zoe"])
  }

  @Test("CTX-261, CTX-426: a pending deletion takes in what another coordinator has saved")
  func deletion() throws {
    try root.delete(named("Ada", in: root))
    try root.mergeChanges(fromContextDidSave: rename("Ada", to: "Augusta", in: stack.otherProcess()))
    try root.save()
    #expect(try names(stack.newContext().all("Employee")) == ["Grace"])
  }

  @Test("CTX-268: a merge into changed objects of a pinned context reads them together")
  func statements() throws {
    let mine = try root.all("Employee", sort: ["name"])
    for object in mine { try object.setValue("x", forKey: "name") }
    let other = try stack.otherProcess()
    for object in try other.all("Employee") { try object.setValue(5, forKey: "salary") }
    let saved = try save(other)
    #expect(try stack.statements { try root.mergeChanges(fromContextDidSave: saved) } <= 4)
    #expect(try mine.map { try $0.value(forKey: "salary") as? Int64 } == [5, 5])
    #expect(try names(mine) == ["x", "x"])
    try root.save()
  }

  @Test("CTX-337: members that a fault with values is asked for by the read that chooses the state are kept")
  func firstReadOfMembers() throws {
    let context = stack.newContext()
    let department = try #require(try context.all("Department").first)
    #expect(department.isFault && department.block != nil)
    try context.setQueryGenerationFrom(.current)
    #expect(try department.names("employees").sorted() == ["Ada", "Grace"])
    #expect(try stack.statements { _ = try department.names("employees") } == 0)
  }

  @Test("FET-110, CTX-268: changed objects of a pinned context are refetched by one statement more")
  func refetched() throws {
    let mine = try root.all("Employee", sort: ["name"])
    for object in mine { try object.setValue("x", forKey: "name") }
    let other = try stack.otherProcess()
    for object in try other.all("Employee") { try object.setValue(5, forKey: "salary") }
    try other.save()
    try root.setQueryGenerationFrom(.current)
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.shouldRefreshRefetchedObjects = true
    #expect(try stack.statements { _ = try root.fetch(request) } == 2)
    #expect(try mine.map { try $0.value(forKey: "salary") as? Int64 } == [5, 5])
    #expect(try names(mine) == ["x", "x"])
  }

  @Test(
    "CTX-338, CTX-341: after an own save faults are of the new state, also where other processes saved before"
  )
  func ownSave() throws {
    let faults = try root.all("Employee", sort: ["name"])
    try rename("Grace", to: "Hedy", in: stack.otherProcess())
    try faults[0].setValue(99, forKey: "salary")
    try root.save()
    #expect(try names(faults) == ["Ada", "Hedy"])
  }

  /// The ways in which a pinned context gets to see a newer state.
  enum Way: CaseIterable {
    case merge
    case pinAgain
    case unpin
  }

  @Test(
    "CTX-338, CTX-259, CTX-355: a record that a pin hid is there once the pin has moved",
    arguments: Way.allCases)
  func hiddenRecord(_ way: Way) throws {
    _ = try root.all("Employee")
    let zoe = try writer.insert("Employee", ["name": "Zoe"])
    let saved = try save(writer)
    let fault = try root.object(with: zoe.objectID)
    #expect(try fault.string("name") == nil && root.all("Employee").count == 2)
    switch way {
    case .merge: try root.mergeChanges(fromContextDidSave: saved)
    case .pinAgain: try root.setQueryGenerationFrom(.current)
    case .unpin: try root.setQueryGenerationFrom(nil)
    }
    #expect(try root.count(for: FetchRequest(entityName: "Employee")) == 3)
    #expect(try root.all("Employee").count == 3 && fault.string("name") == "Zoe" && !fault.isDeleted)
    #expect(!root.hasChanges)
    try root.save()
    #expect(try stack.newContext().all("Employee").count == 3)
    try root.checkInvariants()
  }

  @Test("CTX-297: a child has what its pinned parent has of an object, not the newer row of the state")
  func realizedInParent() throws {
    let cached = try named("Ada", in: writer)
    let mine = try named("Ada", in: root)
    #expect(try cached.string("name") == "Ada" && mine.string("name") == "Ada")
    try rename("Ada", to: "Augusta", in: stack.otherProcess())
    try root.setQueryGenerationFrom(.current)
    _ = try root.count(for: FetchRequest(entityName: "Employee"))
    let child = ManagedObjectContext(childOf: root)
    #expect(try mine.string("name") == "Ada" && child.object(with: mine.objectID).string("name") == "Ada")
  }
}
