import Testing

@testable import GraphStore

@Suite("Moving objects between stores")
struct ObjectMoveTests {
  private let stack: SeveralStores
  private var context: ManagedObjectContext { stack.context }
  private let department: ManagedObject
  private let ada: ManagedObject

  init() throws {
    stack = try SeveralStores(TestModels.company(employees: .cascade, isOrdered: true))
    department = try stack.insert("Department", ["name": "Labs"], into: 0)
    ada = try stack.insert("Employee", ["name": "Ada", "salary": 7, "department": department], into: 0)
    for name in ["Bob", "Eve"] {
      try stack.insert("Employee", ["name": name, "department": department, "manager": ada], into: 0)
    }
    try stack.insert("Project", ["name": "P", "members": [ada]], into: 0)
    try stack.insert("Desk", ["name": "D", "owner": ada], into: 0)
    try stack.context.save()
  }

  private func whole() -> CopyRules {
    var rules = CopyRules()
    rules["Department", "employees"] = .copy
    rules["Employee", "manager"] = .copy
    return rules
  }

  @Test("STO-145, OBJ-466, STO-316: an object moves with what is copied along; its identifier is new")
  func move() throws {
    let id = department.objectID
    let moved = try context.move(department, to: stack.stores[1], rules: whole())
    #expect(moved.objectID != id && !moved.objectID.isTemporaryID && !context.hasChanges)
    #expect(try moved.names("employees") == ["Ada", "Bob", "Eve"])
    #expect(department.managedObjectContext == nil)
    #expect(try stack.names("Department", in: 0).isEmpty && stack.names("Employee", in: 0).isEmpty)
    #expect(try stack.names("Department", in: 1) == ["Labs"])
    #expect(try stack.names("Employee", in: 1) == ["Ada", "Bob", "Eve"])
    #expect(try stack.findings().isEmpty)
    try context.checkInvariants()
  }

  @Test("STO-145: where the object is already nothing happens; a new one is assigned")
  func noMove() throws {
    #expect(try context.move(ada, to: stack.stores[0]) === ada && !context.hasChanges)
    let new = try context.insert("Employee", ["name": "new"])
    #expect(try context.move(new, to: stack.stores[1]) === new && new.isInserted)
    try context.save()
    #expect(try stack.names("Employee", in: 1) == ["new"])
  }

  @Test("STO-145, REL-157: a move that cannot be saved leaves the object where it is, and no copy")
  func refused() throws {
    var rules = CopyRules()
    rules["Employee", "department"] = .reference
    #expect(code { try context.move(ada, to: stack.stores[1], rules: rules) } == .crossStoreRelationship)
    #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
    #expect(try department.names("employees") == ["Ada", "Bob", "Eve"])
    try context.save()
    #expect(try stack.names("Employee", in: 0) == ["Ada", "Bob", "Eve"])
    #expect(try stack.names("Employee", in: 1).isEmpty && stack.findings().isEmpty)
  }

  @Test("STO-145: a move whose deletion a rule forbids inserts nothing")
  func denied() throws {
    let stack = try SeveralStores(TestModels.company(employees: .deny))
    let department = try stack.insert("Department", ["name": "Labs"], into: 0)
    try stack.insert("Employee", ["name": "Ada", "department": department], into: 0)
    try stack.context.save()
    #expect(code { try stack.context.move(department, to: stack.stores[1]) } == .deleteDenied)
    #expect(!stack.context.hasChanges)
    #expect(try stack.names("Department", in: 1).isEmpty)
  }
}
