import GraphStore
import Testing

/// References to records that are gone, left by a relationship without inverse.
@Suite("Dangling references", .everyStore)
struct DanglingReferenceTests {
  private let stack: TestStack
  private let person: ManagedObject
  private let lost: ManagedObjectID
  private var context: ManagedObjectContext { stack.context }

  /// Ada was born in a city that is gone, Bob in none, Cas in Oslo.
  init() throws {
    stack = try TestStack(GraphModels.city())
    let context = stack.context
    let cities = try ["Rome", "Oslo"].map { try context.insert("City", ["name": $0]) }
    for (name, city) in [("Ada", cities[0]), ("Bob", nil), ("Cas", cities[1])] {
      let person = try context.insert("Person", ["name": name])
      try person.setValue(city, forKey: "birthplace")
    }
    try context.save()
    lost = cities[0].objectID
    try context.delete(cities[0])
    try context.save()
    context.reset()
    person = try context.all("Person", "name == 'Ada'")[0]
  }

  private func names(_ predicate: String, _ context: ManagedObjectContext) throws -> [String] {
    try context.all("Person", predicate, sort: ["name"]).compactMap { try $0.string("name") }
  }

  @Test(
    "REL-300, REL-301, REL-431, FLT-049, FLT-194: it reads as a fault whose values are nil, and stays what it is",
    arguments: [true, false])
  func reading(_ marks: Bool) throws {
    context.shouldDeleteInaccessibleFaults = marks
    let fault = try #require(try person.object(forKey: "birthplace"))
    #expect(fault.objectID == lost && fault.isFault && fault.entity.name == "City")
    if marks {
      #expect(try fault.string("name") == nil && fault.objects(forKey: "residents").isEmpty)
      #expect(fault.isDeleted && !fault.isFault)
    } else {
      #expect(failure { _ = try fault.string("name") }?.number == 133_000)
      #expect(!fault.isDeleted && fault.isFault)
    }
    #expect(!person.hasChanges)
    try context.save()
    #expect(
      try stack.otherProcess().all("Person", "name == 'Ada'")[0].object(forKey: "birthplace")?.objectID
        .uriText == lost.uriText)
  }

  @Test("DGN-145: the error of a fault names the objects and relationships that lead to what is gone")
  func detail() throws {
    context.shouldDeleteInaccessibleFaults = false
    let fault = try #require(try person.object(forKey: "birthplace"))
    let cas = try context.all("Person", "name == 'Cas'")[0]
    let error = failure { _ = try fault.string("name") }
    #expect(error?.code == .inaccessibleObject)
    #expect(error?.details == ["\(person.objectID.shortForm).birthplace leads to it"])
    try cas.setValue(fault, forKey: "birthplace")
    #expect(failure { _ = try fault.string("name") }?.details.count == 2)
    let elsewhere = try #require(stack.coordinator.managedObjectID(forShortForm: "City/p99"))
    #expect(failure { _ = try context.object(with: elsewhere).string("name") }?.details == [])
  }

  @Test(
    "REL-302, FLT-139: a look-up says that there is no such record, and a fetch by identifier finds nothing")
  func lookingUp() throws {
    let fault = try #require(try person.object(forKey: "birthplace"))
    // These do not tell.
    #expect(context.registeredObject(for: lost) === fault && fault.isFault)
    #expect(try context.object(with: lost) === fault)
    #expect(failure { _ = try context.existingObject(with: lost) }?.number == 133_000)
    #expect(failure { _ = try context.existingObject(with: lost) }?.code == .objectNotFound)
    let request = FetchRequest(entityName: "City", predicate: try QueryPredicate("SELF == %@", lost))
    #expect(try context.fetch(request).isEmpty && context.count(for: request) == 0)
  }

  @Test("REL-303: it is not nil in predicates, and no condition through it holds, in the store and in memory")
  func predicates() throws {
    for context in [context, try stack.otherProcess()] {
      #expect(try names("birthplace == nil", context) == ["Bob"])
      #expect(try names("birthplace != nil", context) == ["Ada", "Cas"])
      #expect(try names("birthplace.name == 'Rome'", context) == [])
      #expect(try names("birthplace.name == 'Oslo'", context) == ["Cas"])
    }
    let people = try context.all("Person", sort: ["name"])
    for (text, expected) in [
      ("birthplace == nil", ["Bob"]), ("birthplace != nil", ["Ada", "Cas"]),
      ("birthplace.name == 'Rome'", []),
      ("birthplace.name == 'Oslo'", ["Cas"]),
    ] {
      let found = try people.filtered(by: QueryPredicate(parsing: text))
      #expect(try found.compactMap { try $0.string("name") } == expected, "\(text)")
    }
  }

  @Test("REL-304: it is repaired by another destination, or by nil")
  func repair() throws {
    for new in [try context.all("City")[0], nil] {
      try person.setValue(new, forKey: "birthplace")
      try context.save()
      let stored = try stack.otherProcess().all("Person", "name == 'Ada'")[0]
      #expect(try stored.object(forKey: "birthplace")?.objectID.uriText == new?.objectID.uriText)
    }
  }

  @Test("REL-304: of a mandatory relationship nil is not saved")
  func mandatory() throws {
    let stack = try TestStack(TestModels.company(employees: .noAction, isDepartmentOptional: false))
    let department = try stack.context.insert("Department", ["name": "D"])
    let ada = try stack.context.insert("Employee", ["name": "Ada", "department": department])
    try stack.context.save()
    try stack.context.delete(department)
    try stack.context.save()
    try ada.setValue(nil, forKey: "department")
    #expect(failure { try stack.context.save() }?.number == 1570)
    try ada.setValue(stack.context.insert("Department", ["name": "E"]), forKey: "department")
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee")[0].nameOf("department") == "E")
  }

  @Test(
    "REL-284: after a save no relationship of a loaded object has a deleted member",
    arguments: RelationshipShape.all.filter(\.hasInverse), [DeleteRule.nullify, .cascade])
  func noneLeft(_ shape: RelationshipShape, _ rule: DeleteRule) throws {
    let stack = try TestStack(shape.model(rule))
    let context = stack.context
    let sources = try (0..<3).map { try context.insert("Source", ["name": "s\($0)"]) }
    let others = try (0..<3).map { try context.insert(shape.destination, ["name": "d\($0)"]) }
    for (index, source) in sources.enumerated() {
      try shape.link(source, others[index])
      try shape.link(source, others[(index + 1) % 3])
    }
    try context.save()
    let all = sources + others
    for object in all where object.entity.name == "Source" { _ = try shape.links(object) }
    for object in all where object.entity.name == shape.destination { _ = try shape.backs(object) }
    try context.delete(sources[1])
    try context.save()
    for object in all where object.managedObjectContext != nil {
      for relationship in object.entity.relationships {
        let members =
          try relationship.isToMany
          ? object.objects(forKey: relationship.name)
          : [object.object(forKey: relationship.name)].compactMap { $0 }
        #expect(
          members.allSatisfy { $0.managedObjectContext === context && !$0.isDeleted }, "\(relationship)")
      }
    }
  }
}
