import Foundation
import Testing

@testable import GraphStore

private final class Worker: ManagedObject {}

@Suite("What a fault is", .everyStore)
struct FaultTests {
  private let stack: TestStack
  private let ids: [ManagedObjectID]
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    var model = TestModels.company()
    model.entities[1].className = "Worker"
    stack = try TestStack(model, classes: ["Worker": Worker.self])
    let tools = try stack.context.insert("Department", ["name": "Tools"])
    let people = try ["Ada", "Bob", "Cas"].map { [context = stack.context] in
      try context.insert("Employee", ["name": $0, "department": tools])
    }
    for person in people.dropFirst() { try person.setValue(people[0], forKey: "manager") }
    try stack.context.save()
    ids = people.map(\.objectID)
    stack.context.reset()
  }

  @Test("FLT-001: a fault is an instance of its entity's class, registered, and the same one after firing")
  func instance() throws {
    let fault = try context.object(with: ids[0])
    #expect(type(of: fault) == Worker.self && fault.isFault && fault.managedObjectContext === context)
    #expect(fault.objectID == ids[0] && fault.entity.name == "Employee")
    #expect(context.registeredObject(for: ids[0]) === fault)
    let address = ObjectIdentifier(fault)
    _ = try fault.string("name")
    let again = try #require(context.registeredObject(for: ids[0]))
    #expect(ObjectIdentifier(again) == address && type(of: again) == Worker.self && !again.isFault)
  }

  @Test("FLT-002: a to-many waits for its members, a to-one is its destination, which may be a fault")
  func relationships() throws {
    let ada = try context.existingObject(with: ids[0])
    #expect(try ada.hasFault(forRelationshipNamed: "reports"))
    let tools = try #require(try ada.object(forKey: "department"))
    #expect(type(of: tools) == ManagedObject.self && tools.isFault && tools.entity.name == "Department")
    #expect(try ada.hasFault(forRelationshipNamed: "reports"))
    #expect(try ada.objects(forKey: "reports").map(\.objectID) == Array(ids[1...]))
    #expect(try !ada.hasFault(forRelationshipNamed: "reports"))
  }

  @Test("FLT-003: a fault has no values, and nothing that it relates to is in memory")
  func empty() throws {
    let fault = try context.object(with: ids[0])
    #expect(fault.block == nil && fault.extra == nil)
    #expect(context.registeredCount == 1 && stack.cachedRows == 0)
  }

  @Test("FLT-004: fetching and firing make no object of another record")
  func noOthers() throws {
    let people = try context.all("Employee")
    #expect(context.registeredCount == 3)
    for person in people { _ = try person.string("name") }
    #expect(context.registeredCount == 3 && people.allSatisfy { !$0.isFault })
    let some = stack.newContext()
    var request = FetchRequest(entityName: "Employee", predicate: try QueryPredicate("manager.name == 'Ada'"))
    request.returnsObjectsAsFaults = false
    let found = try some.fetch(request)
    #expect(found.count == 2 && some.registeredCount == 2)
  }

  @Test("FLT-005: fault or not tells of the object's values, not of the row cache")
  func rowCache() throws {
    let people = try context.all("Employee")
    #expect(people.allSatisfy(\.isFault) && stack.cachedRows == 3)
    #expect(try stack.statements { _ = try people[0].string("name") } == 0)
    #expect(!people[0].isFault && people[1].isFault)
    try context.refresh(people[0], mergeChanges: false)
    #expect(people[0].isFault && stack.cachedRows == 3)
  }

  @Test("FLT-006: a new object is realised from the start, through its first save and afterwards")
  func inserted() throws {
    let new = try context.insert("Employee", ["name": "Di"])
    #expect(!new.isFault)
    try context.processPendingChanges()
    #expect(!new.isFault)
    try context.obtainPermanentIDs(for: [new])
    #expect(!new.isFault)
    try context.save()
    #expect(try !new.isFault && stack.statements { _ = try new.string("name") } == 0)
  }

  @Test("FLT-007: reading, fetching, saving others and what others save leave a realised object as it is")
  func held() throws {
    let ada = try context.existingObject(with: ids[0])
    let other = stack.newContext()
    try other.existingObject(with: ids[0]).setValue("Eve", forKey: "name")
    try other.save()
    _ = try (ada.string("name"), ada.objects(forKey: "reports"), ada.object(forKey: "department"))
    _ = try context.all("Employee", "name == 'Eve'")
    _ = try context.existingObjects(with: ids)
    try context.existingObject(with: ids[1]).setValue("Rob", forKey: "name")
    try context.save()
    context.rollback()
    _ = try context.object(with: ids[0])
    #expect(!ada.isFault)
    #expect(try ada.string("name") == "Ada")
  }

  @Test("FLT-119: becoming a fault sets nothing to nil: no change is tracked, and the values come back")
  func noChange() throws {
    let ada = try context.existingObject(with: ids[0])
    _ = try ada.objects(forKey: "reports")
    try context.refresh(ada, mergeChanges: false)
    #expect(try !ada.hasChanges && !context.hasChanges && ada.changedValues().isEmpty)
    #expect(try stack.statements { try context.save() } == 0)
    #expect(try ada.string("name") == "Ada" && ada.object(forKey: "department") != nil)
    #expect(try ada.objects(forKey: "reports").count == 2)
    #expect(try context.existingObject(with: ids[1]).object(forKey: "manager") === ada)
  }
}

@Suite("Words for faults")
struct FaultWordTests {
  @Test("FLT-008: no text of the library and its commands says \"unfault\"")
  func words() throws {
    let sources = Repository.root.appendingPathComponent("Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.allObjects as? [URL])
    let texts = files.filter { ["swift", "md", "c", "h"].contains($0.pathExtension) }
    #expect(texts.count > 100)
    for file in texts {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.range(of: "unfault", options: .caseInsensitive) == nil, "\(file.lastPathComponent)")
    }
  }
}
