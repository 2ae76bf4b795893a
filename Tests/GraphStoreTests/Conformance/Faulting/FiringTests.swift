import Foundation
import Testing

@testable import GraphStore

@Suite("Firing", .everyStore)
struct FiringTests {
  private let stack: TestStack
  private let ids: [ManagedObjectID]
  private var context: ManagedObjectContext { stack.context }
  /// What one statement counts as in the store that is tested.
  private var one: Int { stack.has(.statements) ? 1 : 0 }

  init() throws {
    var model = TestModels.company()
    model.entities[1].attributes.append(AttributeDefinition("note", .string, isTransient: true))
    stack = try TestStack(model)
    let tools = try stack.context.insert("Department", ["name": "Tools"])
    let people = try ["Ada", "Bob", "Cas"].map { [context = stack.context] in
      try context.insert("Employee", ["name": $0, "salary": 7, "department": tools])
    }
    for person in people.dropFirst() { try person.setValue(people[0], forKey: "manager") }
    try stack.context.save()
    ids = people.map(\.objectID)
    stack.context.reset()
  }

  @Test(
    "FLT-009: each way to read or set a property fires, transient ones too, and the caller asks for nothing")
  func ways() throws {
    let ways: [(String, (ManagedObject) throws -> Void)] = [
      ("typed", { try check($0[AttributeKey<ManagedObject, String>("name")] == "Ada") }),
      ("by key", { try check($0.string("name") == "Ada") }),
      ("without throwing", { try check($0["salary"] as? Int64 == 7) }),
      ("key path", { try check($0.value(forKeyPath: "salary") as? Int64 == 7) }),
      ("to-one", { try check($0.object(forKey: "department") != nil) }),
      ("typed to-one", { try check($0[ToOneKey<ManagedObject, ManagedObject>("department")] != nil) }),
      ("transient", { try check($0.string("note") == nil) }),
      ("set", { try $0.setValue(8, forKey: "salary") }),
      ("typed set", { $0[AttributeKey<ManagedObject, Int64>("salary")] = 8 }),
      ("path set", { try $0.setValue(8, forKeyPath: "salary") }),
      ("transient set", { try $0.setValue("n", forKey: "note") }),
      ("to-one set", { try $0.setValue(nil, forKey: "spouse") }),
      ("dictionary", { try check($0.dictionaryWithValues(forKeys: ["name"]).count == 1) }),
    ]
    for (name, use) in ways {
      context.reset()
      let fault = try context.object(with: ids[0])
      #expect(fault.isFault)
      #expect(try stack.statements { try use(fault) } == one, "\(name)")
      #expect(!fault.isFault, "\(name)")
      #expect(try fault.string("name") == "Ada", "\(name)")
    }
  }

  @Test("FLT-014: a fired object shares the cached row until it is written to, and keeps what it read")
  func snapshot() throws {
    let ada = try context.existingObject(with: ids[0])
    let second = stack.newContext()
    let same = try second.existingObject(with: ids[0])
    let row = try #require(ada.block)
    #expect(same.block === row && same.rowIndex == ada.rowIndex && !ada.isFault)
    try ada.setValue("Eve", forKey: "name")
    #expect(ada.block !== row && same.block === row)
    #expect(try same.string("name") == "Ada")
    #expect(try ada.committedValues(forKeys: ["name"])["name"] as? String == "Ada")
  }

  @Test("FLT-014: the version of the snapshot decides whether another has written meanwhile")
  func version() throws {
    let ada = try context.existingObject(with: ids[0])
    let other = stack.newContext()
    try other.existingObject(with: ids[0]).setValue(8, forKey: "salary")
    try other.save()
    try ada.setValue(9, forKey: "salary")
    #expect(failure { try context.save() }?.code == .mergeConflict)
    try context.refresh(ada, mergeChanges: false)
    try ada.setValue(9, forKey: "salary")
    try context.save()
  }

  @Test("FLT-015: firing changes nothing and fires no other object")
  func quiet() throws {
    let faults = try ids.map { try context.object(with: $0) }
    _ = try faults[1].string("name")
    #expect(!faults[1].isFault && faults[0].isFault && faults[2].isFault)
    let manager = try #require(try faults[1].object(forKey: "manager"))
    #expect(manager === faults[0] && manager.isFault && context.registeredCount == 3)
    #expect(try !context.hasChanges && faults[1].changedValues().isEmpty && !faults[1].hasChanges)
    #expect(context.updatedObjects.isEmpty && context.insertedObjects.isEmpty)
  }

  @Test("FLT-022: a key path fires what it crosses, the faults of one step with one statement")
  func keyPaths() throws {
    let bob = try context.object(with: ids[1])
    #expect(try bob.value(forKeyPath: "manager.department.name") as? String == "Tools")
    #expect(try stack.statements { _ = try bob.value(forKeyPath: "manager.department.name") } == 0)
    context.reset()
    let tools = try context.all("Department")[0]
    _ = try tools.string("name")
    // The members, then their values.
    #expect(try stack.statements { _ = try tools.value(forKeyPath: "employees.name") } == 2 * one)
    #expect(
      try stack.statements {
        try check(tools.value(forKeyPath: "employees.@sum.salary") as? Int64 == 21)
        try check(tools.value(forKeyPath: "employees.@count") as? Int == 3)
      } == 0)
    context.reset()
    let again = try context.all("Department")[0]
    _ = try again.string("name")
    #expect(try stack.statements { _ = try again.value(forKeyPath: "employees.@avg.salary") } == 2 * one)
    context.reset()
    let counted = try context.all("Department")[0]
    _ = try counted.string("name")
    #expect(try stack.statements { _ = try counted.value(forKeyPath: "employees.@count") } == one)
    #expect(try counted.objects(forKey: "employees").allSatisfy(\.isFault))
  }

  @Test("FLT-024: from one fetched object all others are reached by their relationships")
  func traversal() throws {
    let start = try context.all("Employee", "name == 'Cas'")[0]
    var seen: Set<ManagedObject> = []
    var waiting = [start]
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      for relationship in next.entity.relationships {
        waiting +=
          relationship.isToMany
          ? try next.objects(forKey: relationship.name)
          : [try next.object(forKey: relationship.name)].compactMap { $0 }
      }
    }
    #expect(try seen.compactMap { try $0.string("name") }.sorted() == ["Ada", "Bob", "Cas", "Tools"])
  }

  @Test("FLT-032: a fault that becomes a destination stays one, and its to-many unresolved")
  func destination() throws {
    let tools = try context.all("Department")[0]
    let new = try context.insert("Employee", ["name": "Di"])
    #expect(tools.isFault)
    #expect(try stack.statements { try new.setValue(tools, forKey: "department") } == 0)
    #expect(try tools.isFault && tools.hasFault(forRelationshipNamed: "employees"))
    #expect(try tools.objects(forKey: "employees").count == 4)
  }
}
