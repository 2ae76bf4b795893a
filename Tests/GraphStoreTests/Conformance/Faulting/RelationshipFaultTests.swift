import Testing

@testable import GraphStore

@Suite("Relationship faults", .everyStore)
struct RelationshipFaultTests {
  private let stack: TestStack
  private let ids: [String: ManagedObjectID]
  private var context: ManagedObjectContext { stack.context }
  /// What one statement counts as in the store that is tested.
  private var one: Int { stack.has(.statements) ? 1 : 0 }

  /// Rome with the residents Cas, Ada and Bob, in that order, who have all visited it and Oslo; Ada is its
  /// mayor.
  init() throws {
    stack = try TestStack(GraphModels.city(isOrdered: true))
    let context = stack.context
    var all: [String: ManagedObject] = [:]
    for name in ["Rome", "Oslo"] { all[name] = try context.insert("City", ["name": name]) }
    for name in ["Ada", "Bob", "Cas"] {
      all[name] = try context.insert(
        "Person", ["name": name, "citiesVisited": Set([all["Rome"]!, all["Oslo"]!])])
    }
    try all["Rome"]!.setValue(["Cas", "Ada", "Bob"].map { all[$0]! }, forKey: "residents")
    try all["Rome"]!.setValue(all["Ada"], forKey: "mayor")
    try context.save()
    ids = all.mapValues(\.objectID)
    context.reset()
  }

  private func object(_ name: String) throws -> ManagedObject {
    try context.object(with: try #require(ids[name]))
  }

  private func fired(_ name: String) throws -> ManagedObject {
    try context.existingObject(with: try #require(ids[name]))
  }

  @Test(
    "FLT-035, FLT-036: a to-one makes its destination when it is read, or finds it, and runs no statement")
  func toOne() throws {
    let ada = try fired("Ada")
    #expect(context.registeredCount == 1)
    var town: ManagedObject?
    #expect(try stack.statements { town = try ada.object(forKey: "homeTown") } == 0)
    #expect(town?.objectID == ids["Rome"] && town?.isFault == true && context.registeredCount == 2)
    let bob = try fired("Bob")
    #expect(try stack.statements { try check(bob.object(forKey: "homeTown") === town) } == 0)
    #expect(try stack.statements { try check(bob.object(forKey: "mayorOf") == nil) } == 0)
    #expect(context.registeredCount == 3)
  }

  @Test("FLT-076, FLT-075, FLT-039: members are the registered objects where there are some, else new faults")
  func members() throws {
    let bob = try fired("Bob")
    let rome = try fired("Rome")
    let residents = try rome.objects(forKey: "residents")
    #expect(residents[2] === bob && residents.map(\.isFault) == [true, true, false])
    #expect(
      try rome.objects(forKey: "visitors").allSatisfy { visitor in residents.contains { $0 === visitor } })
    let oslo = try fired("Oslo")
    #expect(try Set(oslo.objects(forKey: "visitors")) == Set(residents))
    #expect(try rome.object(forKey: "mayor") === residents[1])
  }

  @Test("FLT-043, REL-422: changes at the other ends leave a to-many unresolved, and are in it when it is")
  func kept() throws {
    let (rome, oslo, ada) = (try object("Rome"), try object("Oslo"), try object("Ada"))
    #expect(try stack.statements { try context.insert("Person", ["name": "new", "homeTown": rome]) } == 0)
    try ada.setValue(oslo, forKey: "homeTown")
    try ada.removeObjects([rome], forKey: "citiesVisited")
    try rome.addObjects([try object("Cas")], forKey: "residents")
    for (city, key) in [(rome, "residents"), (oslo, "residents"), (rome, "visitors"), (oslo, "visitors")] {
      #expect(try city.hasFault(forRelationshipNamed: key), "\(key)")
    }
    #expect(try rome.names("residents") == ["Cas", "Bob", "new"] && oslo.names("residents") == ["Ada"])
    #expect(try rome.names("visitors") == ["Bob", "Cas"])
  }

  @Test(
    "FLT-045: an ordered to-many resolves in one statement, in its order, additions behind it",
    .needs(.statements))
  func ordered() throws {
    let rome = try fired("Rome")
    for name in ["y", "x"] { try context.insert("Person", ["name": name, "homeTown": rome]) }
    #expect(try stack.statements { _ = try rome.objects(forKey: "residents") } == 1)
    #expect(try rome.names("residents") == ["Cas", "Ada", "Bob", "y", "x"])
  }

  @Test("FLT-046: a many-to-many resolves in one statement, without members whose record is gone")
  func manyToMany() throws {
    try stack.removeRow(ids["Bob"]!)
    let oslo = try fired("Oslo")
    #expect(try stack.statements { _ = try oslo.objects(forKey: "visitors") } == one)
    #expect(try oslo.names("visitors") == ["Ada", "Cas"])
    // A to-many whose keys lie in the members' rows has lost that row's link with it.
    #expect(try fired("Rome").names("residents") == ["Cas", "Ada"])
  }

  @Test(
    "FLT-201, FLT-038: a miss is one statement, and so is resolving a to-many, count and members together",
    .needs(.statements))
  func figures() throws {
    let rome = try object("Rome")
    #expect(try stack.statements { _ = try rome.string("name") } == 1)
    for key in ["residents", "visitors", "citizens"] {
      let rows = stack.cachedRows
      #expect(
        try stack.statements { try check(rome.objects(forKey: key).count == (key == "citizens" ? 0 : 3)) }
          == 1)
      #expect(try stack.statements { try check(rome.objects(forKey: key).allSatisfy { $0.isFault }) } == 0)
      #expect(stack.cachedRows == rows)
    }
  }
}
