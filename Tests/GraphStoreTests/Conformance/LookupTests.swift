import GraphStore
import Testing

@Suite(.everyKindOfStore)
struct LookupTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.company())
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.insert("Manager", ["name": "Max", "budget": 3])
    try stack.context.save()
    stack.context.reset()
  }

  private func id(_ text: String) throws -> ManagedObjectID {
    try #require(stack.coordinator.managedObjectID(forShortForm: text))
  }

  @Test("OBJ-119: the name of a super-entity leads to the record, that of another entity to nothing")
  func names() throws {
    #expect(throws: GraphStoreError.self) { try stack.context.existingObject(with: id("Manager/p1")) }
    let held = try stack.context.existingObject(with: id("Employee/p1"))
    #expect(throws: GraphStoreError.self) { try stack.context.existingObject(with: id("Manager/p1")) }
    let manager = try stack.context.existingObject(with: id("Employee/p2"))
    #expect(manager.entity.name == "Manager" && manager.objectID.shortForm == "Manager/p2")
    #expect(try manager.string("name") == "Max")
    _ = held
  }

  @Test("FLT-092: a fault under a wrong entity gives way to the record that a fetch or look-up finds")
  func wrongFault() throws {
    let wrong = try stack.context.object(with: id("Manager/p1"))
    let general = try stack.context.object(with: id("Employee/p2"))
    let found = try stack.context.all("Employee", sort: ["name"])
    #expect(found.map(\.entity.name) == ["Employee", "Manager"])
    #expect(try found.map { try $0.string("name") } == ["Ada", "Max"])
    #expect(try found[1].value(forKey: "budget") != nil)
    _ = (wrong, general)
    stack.context.reset()
    let again = try stack.context.object(with: id("Employee/p2"))
    let real = try stack.context.existingObject(with: id("Manager/p2"))
    #expect(real.entity.name == "Manager")
    #expect(try real.string("name") == "Max")
    _ = again
  }

  @Test("REL-008, FLT-029: what has to be loaded is told without loading it")
  func relationshipFaults() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    let employee = try stack.context.all("Employee", "name == 'Ada'")[0]
    try employee.setValue(department, forKey: "department")
    #expect(try !employee.hasFault(forRelationshipNamed: "department"))
    try stack.context.save()
    stack.context.reset()
    let stored = try stack.context.all("Employee", "name == 'Ada'")[0]
    #expect(try stored.hasFault(forRelationshipNamed: "department"))
    _ = try stored.string("name")
    #expect(try stored.hasFault(forRelationshipNamed: "department"))
    #expect(try !stored.hasFault(forRelationshipNamed: "spouse"))
    _ = try stored.object(forKey: "department")?.string("name")
    #expect(try !stored.hasFault(forRelationshipNamed: "department"))
  }

  @Test("FLT-084: a deleted record is found by no call")
  func deleted() throws {
    let object = try stack.context.existingObject(with: id("Employee/p1"))
    try stack.context.delete(object)
    #expect(try stack.context.object(with: object.objectID) === object)
    #expect(try stack.context.existingObject(with: object.objectID) === object)
    try stack.context.save()
    #expect(stack.context.registeredObject(for: object.objectID) == nil)
    #expect(throws: GraphStoreError.self) { try stack.context.existingObject(with: object.objectID) }
    #expect(try stack.context.object(with: object.objectID) !== object)
  }

  @Test("FLT-134: after the coordinator has closed its stores nothing traps, and identifiers stay")
  func closed() throws {
    let fault = try stack.context.object(with: id("Employee/p1"))
    let name = fault.objectID.uriText
    stack.coordinator.close()
    #expect(throws: GraphStoreError.self) { try fault.string("name") }
    #expect(throws: GraphStoreError.self) { try fault.objects(forKey: "reports") }
    #expect(fault.objectID.uriText == name)
    #expect(throws: GraphStoreError.self) { try stack.context.all("Employee") }
  }

  @Test("OBJ-113, STO-269: keys are given once, also after deletion and reopening")
  func keys() throws {
    var seen: Set<Int64> = [1, 2]
    for _ in 0..<3 {
      let context = try stack.otherProcess()
      let made = try context.insert("Manager", ["name": "x"])
      try context.save()
      #expect(seen.insert(try #require(Int64(made.objectID.shortForm.dropFirst(9)))).inserted)
      try context.delete(made)
      try context.save()
    }
  }

  @Test(
    "FET-126, FLT-097: several identifiers give their objects in order, without those that are gone, by one statement"
  )
  func several() throws {
    let stack = try TestStack(TestModels.company())
    let people = try ["a", "b", "c"].map { try stack.context.insert("Employee", ["name": $0]) }
    let boss = try stack.context.insert("Manager", ["name": "d"])
    try stack.context.save()
    let ids = [boss, people[2], people[0], people[1]].map(\.objectID)
    try stack.context.delete(people[1])
    try stack.context.save()
    let other = stack.newContext()
    var found: [ManagedObject] = []
    #expect(try stack.statements { found = try other.existingObjects(with: ids + [ids[1]]) } <= 1)
    #expect(try found.map { try $0.string("name") } == ["d", "c", "a", "c"])
    #expect(found.allSatisfy { !$0.isFault } && found[1] === found[3] && found[0].entity.name == "Manager")
    #expect(try stack.statements { found = try other.existingObjects(with: Array(ids.prefix(3))) } == 0)
    #expect(try other.existingObjects(with: []).isEmpty)
    let new = try other.insert("Employee", [:])
    #expect(
      try other.existingObjects(with: [new.objectID, ids[0]]) == [new, found[0]])
    #expect { try stack.newContext().existingObjects(with: [new.objectID]) } throws: {
      ($0 as? GraphStoreError)?.code == .temporaryIDUnknown
    }
  }

  @Test("FLT-083, OBJ-123: an object that is to be deleted is found with its values")
  func pendingDeletion() throws {
    let ids = try stack.newContext().all("Employee", sort: ["name"]).map(\.objectID)
    let context = stack.newContext()
    for id in ids { try context.delete(context.object(with: id)) }
    let found = try context.existingObjects(with: ids) + [context.existingObject(with: ids[0])]
    #expect(
      try found.map { try $0.string("name") } == ["Ada", "Max", "Ada"] && found.allSatisfy(\.isDeleted))
    context.rollback()
    #expect(try found[1].string("name") == "Max")
  }
}
