import Testing

@testable import GraphStore

@Suite("Copying objects")
struct ObjectCopyTests {
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

  @Test("OBJ-441, OBJ-442: a copy has the attributes of its original, and no relationship that is not named")
  func attributes() throws {
    let copy = try context.copy(ada)
    #expect(copy.isInserted && copy !== ada && copy.entity === ada.entity)
    #expect(try copy.string("name") == "Ada" && copy.value(forKey: "salary") as? Int64 == 7)
    for key in ["department", "manager", "spouse", "desk"] { #expect(try copy.value(forKey: key) == nil) }
    #expect(try copy.objects(forKey: "reports").isEmpty && copy.objects(forKey: "projects").isEmpty)
    #expect(!ada.hasChanges)
  }

  @Test("OBJ-442: a rule of a relationship or an entity that there is not is refused")
  func unknown() throws {
    var rules = CopyRules()
    rules["Employee", "boss"] = .copy
    #expect(code { _ = try context.copy(ada, rules: rules) } == .unknownKey)
    rules = CopyRules()
    rules["Staff", "manager"] = .copy
    #expect(code { _ = try context.copy(ada, rules: rules) } == .unknownEntity)
    #expect(!context.hasChanges)
  }

  @Test(
    "OBJ-443, DGN-251: a reference that would take an object away from the original is refused unless moving is allowed"
  )
  func reference() throws {
    var rules = CopyRules()
    rules["Employee", "department"] = .reference
    rules["Employee", "projects"] = .reference
    let copy = try context.copy(ada, rules: rules)
    #expect(try copy.object(forKey: "department") === department)
    #expect(try copy.names("projects") == ["P"] && ada.names("projects") == ["P"])
    context.rollback()
    rules["Employee", "desk"] = .reference
    let error = failure { _ = try context.copy(ada, rules: rules) }
    #expect(error?.code == .copyWouldMove && error?.number == 136080)
    #expect(error?.relatedObjects.map(\.shortForm) == ["Desk/p1"] && error?.property == "desk")
    #expect(!context.hasChanges)
    rules.allowsMoving = true
    #expect(try context.copy(ada, rules: rules).object(forKey: "desk")?.string("name") == "D")
    #expect(try ada.object(forKey: "desk") == nil)
  }

  @Test("OBJ-444: each original is copied once, links between copies lead to copies, and order is kept")
  func graph() throws {
    let copy = try context.copy(department, rules: whole())
    #expect(try copy.names("employees") == ["Ada", "Bob", "Eve"])
    let employees = try copy.objects(forKey: "employees")
    #expect(try employees.allSatisfy { try $0.object(forKey: "department") === copy && $0.isInserted })
    #expect(try employees[1].object(forKey: "manager") === employees[0])
    #expect(context.insertedObjects.count == 4 && context.updatedObjects.isEmpty)
    try context.save()
    #expect(try context.all("Employee").count == 6)
  }

  @Test("OBJ-444: a link back to the owner of a copy leads to its copy, also where it is to be referred to")
  func linkBack() throws {
    var rules = CopyRules()
    rules["Department", "employees"] = .copy
    rules["Employee", "department"] = .reference
    rules["Employee", "manager"] = .reference
    let copy = try context.copy(department, rules: rules)
    #expect(try copy.names("employees") == ["Ada", "Bob", "Eve"])
    #expect(try department.objects(forKey: "employees").count == 3 && !department.hasChanges)
    context.rollback()
    rules["Employee", "reports"] = .copy
    let subtree = try context.copy(ada, rules: rules)
    #expect(try subtree.object(forKey: "department") === department)
    #expect(try subtree.objects(forKey: "reports").count == 2 && ada.objects(forKey: "reports").count == 2)
    #expect(try department.objects(forKey: "employees").count == 6)
  }

  @Test("OBJ-445, DGN-251: a copy with too many objects is refused before anything is inserted")
  func tooLarge() throws {
    var rules = whole()
    rules.maximumObjects = 4
    _ = try context.copy(department, rules: rules)
    context.rollback()
    rules.maximumObjects = 3
    let error = failure { _ = try context.copy(department, rules: rules) }
    #expect(error?.code == .copyTooLarge && error?.number == 136081)
    #expect(!context.hasChanges)
  }
}
