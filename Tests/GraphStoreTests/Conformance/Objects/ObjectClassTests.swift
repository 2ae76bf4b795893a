import Foundation
import GraphStore
import Testing

private class Person: ManagedObject {
  static let name = AttributeKey<Person, String>("name")
  /// A stored property, which no model knows.
  var visits = 0

  override func didTurnIntoFault() { if clears { visits = 0 } }
  var clears = false
}

private final class Worker: Person {}
/// The class of a sub-entity that is no subclass of the class of the entity above.
private final class Guest: ManagedObject {}
/// A subclass that no model names.
private final class Shadowed: Person {
  override class var keyedAccessors: [KeyedAccessor] { [KeyedAccessor("visits", \Shadowed.visits)] }
  override func validateProperty(_ key: String, value: inout ProposedValue) throws { value.value = nil }
  override func awakeFromInsert() { (self as Person)[Person.name] = "shadow" }
}

@Suite("Classes of entities", .everyStore)
struct ObjectClassTests {
  private static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Person", className: "Person",
      attributes: [AttributeDefinition("name", .string), AttributeDefinition("age", .int16)],
      relationships: [
        RelationshipDefinition("boss", to: "Person", inverse: "staff"),
        RelationshipDefinition("staff", to: "Person", inverse: "boss", isToMany: true),
      ]),
    EntityDefinition("Worker", parent: "Person", className: "Worker"),
    EntityDefinition("Guest", parent: "Person", className: "Guest"),
  ])
  private static let classes: [String: ManagedObject.Type] = [
    "Person": Person.self, "Worker": Worker.self, "Guest": Guest.self,
  ]

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(Self.model, classes: Self.classes) }

  @Test(
    "OBJ-021: a class stands for an entity where it was given under its name, and is looked up nowhere else")
  func tied() throws {
    #expect(try type(of: context.insert(entityNamed: "Worker")) == Worker.self)
    let swapped = try TestStack(Self.model, classes: ["Person": Worker.self, "Worker": Person.self])
    #expect(try type(of: swapped.context.insert(entityNamed: "Worker")) == Person.self)
    #expect(try type(of: swapped.context.insert(entityNamed: "Person")) == Worker.self)
    #expect(try type(of: swapped.context.insert(entityNamed: "Guest")) == ManagedObject.self)
    let plain = try TestStack(Self.model)
    #expect(try type(of: plain.context.insert(entityNamed: "Worker")) == ManagedObject.self)
  }

  @Test("OBJ-023: whatever makes an object, its own entity names its class")
  func routes() throws {
    let boss = try context.insert(entityNamed: "Worker")
    let ada = try context.insert("Person", ["name": "Ada", "boss": boss])
    let guest = try context.insert("Guest", ["name": "G", "boss": boss])
    #expect(type(of: boss) == Worker.self && type(of: ada) == Person.self && type(of: guest) == Guest.self)
    try context.save()
    let ids = [boss, ada, guest].map(\.objectID)
    let expected: [ObjectIdentifier] = [Worker.self, Person.self, Guest.self].map { ObjectIdentifier($0) }
    func classes(_ objects: [ManagedObject]) -> [ObjectIdentifier] {
      objects.sorted { $0.objectID < $1.objectID }.map { ObjectIdentifier(type(of: $0)) }
    }
    #expect(try classes(stack.newContext().all("Person")) == expected)
    let faults = stack.newContext()
    #expect(try classes(ids.map { try faults.object(with: $0) }) == expected)
    let read = stack.newContext()
    #expect(try classes(ids.map { try read.existingObject(with: $0) }) == expected)
    #expect(try classes(stack.newContext().existingObjects(with: ids)) == expected)
    let related = try stack.newContext().existingObject(with: ids[0])
    let staff = try related.objects(forKey: "staff")
    #expect(classes([related] + staff) == expected)
    #expect(try staff.first?.object(forKey: "boss") === related)
  }

  @Test("OBJ-024: a class of several entities of a family stands for the topmost of them")
  func family() throws {
    let stack = try TestStack(Self.model, classes: ["Person": Person.self, "Worker": Person.self])
    let person = try stack.context.insert(Person.self)
    #expect(person.entity.name == "Person")
    _ = try stack.context.insert(Person.self, entityNamed: "Worker")
    try stack.context.save()
    let found = try stack.newContext().fetch(FetchRequest<Person>())
    #expect(found.map(\.entity.name).sorted() == ["Person", "Worker"])
  }

  @Test("OBJ-024: typed calls with a class of entities without a common top name the candidates")
  func apart() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("One", className: "Person"), EntityDefinition("Two", className: "Person"),
      ]), classes: ["Person": Person.self])
    let error = failure { _ = try stack.context.insert(Person.self) }
    #expect(error?.code == .classMismatch)
    #expect(error?.message.contains("One") == true && error?.message.contains("Two") == true)
    #expect(code { _ = try stack.context.fetch(FetchRequest<Person>()) } == .classMismatch)
    #expect(!stack.context.hasChanges)
    #expect(try stack.context.insert(Person.self, entityNamed: "Two").entity.name == "Two")
  }

  @Test("OBJ-026: what a subclass that the model does not name declares has no effect")
  func unnamed() throws {
    let person = try context.insert(Person.self)
    #expect(type(of: person) == Person.self && !(person is Shadowed))
    #expect(person[Person.name] == nil)
    #expect(code { _ = try person.value(forKey: "visits") } == .unknownKey)
    person[Person.name] = "Ada"
    try context.save()
    #expect(try stack.newContext().all("Person")[0].string("name") == "Ada")
  }

  @Test(
    "OBJ-008: stored properties of a class are neither tracked nor saved, and stay when the object is a fault"
  )
  func storedProperties() throws {
    let person = try context.insert(Person.self)
    try context.save()
    person.visits = 3
    #expect(!person.hasChanges && !context.hasChanges)
    try context.refresh(person, mergeChanges: false)
    #expect(person.isFault && person.visits == 3)
    context.rollback()
    #expect(person.visits == 3)
    #expect(try (stack.newContext().all("Person")[0] as? Person)?.visits == 0)
  }

  @Test("OBJ-008: a class clears them in didTurnIntoFault")
  func cleared() throws {
    let person = try context.insert(Person.self)
    try context.save()
    (person.visits, person.clears) = (3, true)
    try context.refresh(person, mergeChanges: false)
    #expect(person.visits == 0)
  }

  @Test("OBJ-009: what a stored property held is not there in the instance that comes later")
  func laterInstance() throws {
    do {
      let person = try context.insert(Person.self)
      try context.save()
      person.visits = 3
    }
    #expect(context.registeredCount == 0)
    #expect(try (context.all("Person")[0] as? Person)?.visits == 0)
  }

  @Test("OBJ-034: properties that a class does not declare are maintained all the same")
  func undeclared() throws {
    let boss = try context.insert(Person.self)
    let ada = try context.insert("Person", ["name": "Ada", "age": 30, "boss": boss])
    #expect(try boss.objects(forKey: "staff") == [ada] && boss.changedKeys == ["staff"])
    try context.save()
    let read = try stack.newContext().all("Person", "name == 'Ada'")[0]
    #expect(try read.value(forKey: "age") as? Int16 == 30)
    #expect(try read.object(forKey: "boss")?.objects(forKey: "staff") == [read])
    #expect(code { try ada.setValue(70_000, forKey: "age") } == .valueOutOfRange)
  }
}
