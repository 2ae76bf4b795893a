import GraphStore
import Testing

private class Person: ManagedObject {
  static let nameKey = AttributeKey<Person, String>("name")

  var name: String? {
    get { self[Self.nameKey] }
    set { self[Self.nameKey] = newValue }
  }

  /// A title by a primitive read in its bracket.
  var title: String? {
    willAccessValue(forKey: "title")
    defer { didAccessValue(forKey: "title") }
    return (try? primitiveValue(forKey: "title")) as? String
  }

  /// The same with a bracket for the whole object.
  var wholeTitle: String? {
    willAccessValue(forKey: nil)
    defer { didAccessValue(forKey: nil) }
    return (try? primitiveValue(forKey: "title")) as? String
  }

  override class var keyedAccessors: [KeyedAccessor] {
    [
      KeyedAccessor("name", \Person.name),
      KeyedAccessor("shout", of: Person.self) { person, value in
        try person.setPrimitiveTracked((value as? String)?.uppercased(), "shout")
      },
      KeyedAccessor("half", \Person.half),
    ]
  }

  /// Declared for reading alone.
  var half: Int64 { ((try? primitiveValue(forKey: "half")) as? Int64 ?? 0) / 2 }

  func setPrimitiveTracked(_ value: Any?, _ key: String) throws {
    willChangeValue(forKey: key)
    defer { didChangeValue(forKey: key) }
    try setPrimitiveValue(value, forKey: key)
  }
}

/// Overrides a property and goes on to that of its parent.
private final class Doctor: Person {
  override var name: String? {
    get { super.name.map { "Dr. \($0)" } }
    set { super.name = newValue?.replacing("Dr. ", with: "") }
  }

  override class var keyedAccessors: [KeyedAccessor] {
    super.keyedAccessors + [KeyedAccessor("name", \Doctor.name)]
  }
}

@Suite("Accessors of classes", .everyStore)
struct AccessorTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Person", className: "Person",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("title", .string),
            AttributeDefinition("shout", .string), AttributeDefinition("half", .int64),
          ]),
        EntityDefinition("Doctor", parent: "Person", className: "Doctor"),
      ]), classes: ["Person": Person.self, "Doctor": Doctor.self])
  }

  @Test("OBJ-033, DGN-155: an override of a property calls its parent's accessor, typed and by key")
  func overriding() throws {
    let doctor = try context.insert(Doctor.self)
    doctor.name = "Dr. Ada"
    #expect(doctor.name == "Dr. Ada" && (doctor as Person)[Person.nameKey] == "Ada")
    #expect((doctor as Person).name == "Dr. Ada")
    try doctor.setValue("Dr. Eve", forKey: "name")
    #expect(
      try doctor.string("name") == "Dr. Eve" && doctor.primitiveValue(forKey: "name") as? String == "Eve")
    #expect(doctor.changedKeys == ["name"])
    try context.save()
    let read = try #require(try stack.newContext().all("Person")[0] as? Doctor)
    #expect(read.name == "Dr. Eve" && (read as Person)[Person.nameKey] == "Eve")
    #expect(try context.all("Doctor", "name == 'Eve'").count == 1)
  }

  @Test("OBJ-177: the bracket of a read fires the fault; without it a primitive reads nothing")
  func readBracket() throws {
    try context.insert("Person", ["title": "Dame"])
    try context.save()
    let readings: [(Person) -> String?] = [{ $0.title }, { $0.wholeTitle }]
    for read in readings {
      let fault = try #require(try stack.newContext().all("Person")[0] as? Person)
      #expect(try fault.primitiveValue(forKey: "title") == nil && fault.isFault)
      #expect(read(fault) == "Dame" && !fault.isFault && !fault.hasChanges)
    }
  }

  @Test("OBJ-177: a bracket with an unknown key fires nothing, and the next save says so")
  func unknownBracket() throws {
    let person = try context.insert(Person.self)
    try context.save()
    try context.refresh(person, mergeChanges: false)
    person.willAccessValue(forKey: "titel")
    #expect(person.isFault)
    #expect(code { try context.save() } == .unknownKey)
  }

  @Test("OBJ-184: a getter alone leaves setting to the generated setter")
  func getterAlone() throws {
    let person = try context.insert(Person.self)
    try person.setValue(10, forKey: "half")
    #expect(try person.value(forKey: "half") as? Int64 == 5)
    #expect(try person.primitiveValue(forKey: "half") as? Int64 == 10 && person.changedKeys == ["half"])
    #expect(code { try person.setValue("ten", forKey: "half") } == .valueType)
  }

  @Test("OBJ-184: a setter alone leaves reading to the generated getter")
  func setterAlone() throws {
    let person = try context.insert(Person.self)
    try person.setValue("hello", forKey: "shout")
    #expect(try person.string("shout") == "HELLO")
    try context.save()
    let read = try stack.newContext().all("Person")[0]
    #expect(try read.isFault && read.string("shout") == "HELLO")
    person["shout"] = "bye"
    #expect(person["shout"] as? String == "BYE" && person.isUpdated)
  }
}
