import Foundation
import GraphStore
import Testing

@Suite("One object a record", .everyStore)
struct UniquingTests {
  private let stack: TestStack
  private let ids: [ManagedObjectID]
  private let tools: ManagedObjectID
  private var context: ManagedObjectContext { stack.context }

  /// Tools with Ada, her reports Bob and Cas, and the manager Max.
  init() throws {
    stack = try TestStack(TestModels.company())
    let context = stack.context
    let department = try context.insert("Department", ["name": "Tools"])
    let people = try ["Ada", "Bob", "Cas"].map {
      try context.insert("Employee", ["name": $0, "department": department])
    }
    for person in people.dropFirst() { try person.setValue(people[0], forKey: "manager") }
    let max = try context.insert("Manager", ["name": "Max", "department": department])
    try context.save()
    ids = (people + [max]).map(\.objectID)
    tools = department.objectID
    context.reset()
  }

  @Test(
    "FLT-076: two objects related to one record share its object, fault or not", arguments: [true, false])
  func shared(_ isFired: Bool) throws {
    let people = try context.all("Employee", "manager != nil")
    let managers = try people.map { try $0.object(forKey: "manager") }
    if isFired { _ = try managers[0]?.string("name") }
    #expect(managers.count == 2 && managers[0] === managers[1] && managers[0]?.isFault == !isFired)
    let department = try #require(try people[0].object(forKey: "department"))
    #expect(try department.objects(forKey: "employees").contains { $0 === managers[0] })
  }

  @Test(
    "FLT-078, FLT-185, FLT-075: fetch, traversal, identifier and the URI of a super-entity lead to one object"
  )
  func everyWay() throws {
    let max = try context.all("Manager")[0]
    let id = try #require(
      stack.coordinator.managedObjectID(forURIRepresentation: max.objectID.uriRepresentation))
    let general = try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p4"))
    #expect(id == max.objectID && general.entity.name == "Employee")
    let members = try context.object(with: tools).objects(forKey: "employees")
    let ways: [ManagedObject?] = [
      context.registeredObject(for: id), try context.object(with: id),
      try context.existingObject(with: general),
      try context.object(with: general), try context.all("Employee", "name == 'Max'").first,
      members.first { $0.objectID == id },
    ]
    for found in ways { #expect(found === max) }
    #expect(context.registeredObjects.filter { $0.objectID == id }.count == 1)
  }

  @Test("FLT-078, FLT-185: the temporary and the permanent identifier lead to one object")
  func temporary() throws {
    let new = try context.insert("Employee", ["name": "new"])
    let temporary = new.objectID
    try context.obtainPermanentIDs(for: [new])
    #expect(temporary.isTemporaryID && !new.objectID.isTemporaryID)
    #expect(
      try context.object(with: new.objectID) === new && context.registeredObject(for: new.objectID) === new)
    #expect(try context.all("Employee", "name == 'new'").allSatisfy { $0 === new })
    try context.save()
    #expect(
      try context.object(with: new.objectID) === new && context.existingObject(with: new.objectID) === new)
    let known = context.registeredObject(for: temporary)
    #expect(known == nil || known === new)
  }

  @Test("FLT-079, FLT-161: objects come and go for one record, with equal identifiers and the same data")
  func coming() throws {
    weak var first: ManagedObject?
    var id: ManagedObjectID?
    do {
      let ada = try context.existingObject(with: ids[0])
      (first, id) = (ada, ada.objectID)
      try ada.setValue(5, forKey: "salary")
      try context.save()
    }
    #expect(first == nil && context.registeredObject(for: ids[0]) == nil)
    for _ in 0..<3 {
      let again = try context.existingObject(with: ids[0])
      #expect(again.objectID == id && again.objectID.hashValue == id?.hashValue)
      #expect(try again.value(forKey: "salary") as? Int64 == 5)
    }
  }

  @Test("FLT-077: different contexts have different objects with values of their own")
  func contexts() throws {
    let other = stack.newContext()
    let (mine, theirs) = (try context.existingObject(with: ids[0]), try other.existingObject(with: ids[0]))
    #expect(mine !== theirs && mine != theirs && mine.objectID == theirs.objectID)
    try mine.setValue("Eve", forKey: "name")
    #expect(try theirs.string("name") == "Ada")
  }

  @Test(
    "FLT-206: after any mix of calls there is exactly one object a record", arguments: TestSeed.sequence(4))
  func random(_ seed: TestSeed) throws {
    var random = seed.generator
    var seen: [ManagedObjectID: ManagedObject] = [:]
    func note(_ objects: [ManagedObject]) {
      for object in objects {
        #expect((seen[object.objectID] ?? object) === object)
        seen[object.objectID] = object
      }
    }
    for _ in 0..<80 {
      let id = ids.randomElement(using: &random)!
      let known = seen.values.filter { $0.entity.name != "Department" }.randomElement(using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: note(try context.all("Employee"))
      case 1: note([try context.object(with: id)])
      case 2: note([try context.existingObject(with: id)])
      case 3: note(try context.existingObjects(with: ids.shuffled(using: &random)))
      case 4: note(try context.all("Department", "ANY employees.name == 'Bob'"))
      case 5:
        note(try [known?.object(forKey: "manager"), known?.object(forKey: "department")].compactMap { $0 })
      case 6: note(try context.object(with: tools).objects(forKey: "employees"))
      case 7: note(try known?.objects(forKey: "reports") ?? [])
      default: if let known { try context.refresh(known, mergeChanges: Bool.random(using: &random)) }
      }
    }
    #expect(seen.count <= 5 && context.registeredCount == seen.count)
    #expect(Set(context.registeredObjects.map(\.objectID)).count == context.registeredCount)
  }
}
