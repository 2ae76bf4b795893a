import GraphStore
import Testing

@Suite("Reading relationships", .everyStore)
struct ReadingRelationshipsTests {
  private let stack: TestStack
  private let ids: [String: ManagedObjectID]
  private var context: ManagedObjectContext { stack.context }
  /// What one statement counts as in the store that is tested.
  private var one: Int { stack.has(.statements) ? 1 : 0 }

  /// Ada and Bob live in Rome, of which Ada is mayor; Cas lives nowhere; Ada has visited Oslo.
  init() throws {
    stack = try TestStack(GraphModels.city(isOrdered: true))
    let context = stack.context
    var all: [String: ManagedObject] = [:]
    for name in ["Ada", "Bob", "Cas"] { all[name] = try context.insert("Person", ["name": name]) }
    all["Rome"] = try context.insert("Capital", ["name": "Rome"])
    all["Oslo"] = try context.insert("City", ["name": "Oslo"])
    try all["Rome"]!.setValue([all["Bob"]!, all["Ada"]!], forKey: "residents")
    try all["Rome"]!.setValue(all["Ada"], forKey: "mayor")
    try all["Ada"]!.addObjects([all["Oslo"]!], forKey: "citiesVisited")
    try all["Ada"]!.setValue(all["Oslo"], forKey: "birthplace")
    try context.save()
    ids = all.mapValues(\.objectID)
    context.reset()
  }

  private func object(_ name: String) throws -> ManagedObject {
    try context.object(with: try #require(ids[name]))
  }

  @Test("REL-001: a to-one reads as its destination or nil, by every accessor")
  func toOne() throws {
    let (ada, cas, rome) = (try object("Ada"), try object("Cas"), try object("Rome"))
    let key = ToOneKey<ManagedObject, ManagedObject>("homeTown")
    #expect(try ada.value(forKey: "homeTown") as? ManagedObject === rome)
    #expect(try ada.object(forKey: "homeTown") === rome && ada[key] === rome)
    #expect(try ada.value(forKeyPath: "homeTown.name") as? String == "Rome")
    #expect(try cas.value(forKey: "homeTown") == nil && cas.object(forKey: "homeTown") == nil)
    #expect(cas[key] == nil)
  }

  @Test("REL-002: a to-many reads as a set, an ordered one in its order, and both empty where nobody is")
  func toMany() throws {
    let (ada, rome, oslo) = (try object("Ada"), try object("Rome"), try object("Oslo"))
    #expect(try (ada.value(forKey: "citiesVisited") as? RelationshipSet)?.objects == [oslo])
    #expect(ada[ToManyKey<ManagedObject, Set<ManagedObject>>("citiesVisited")] == [oslo])
    #expect(
      try (rome.value(forKey: "residents") as? RelationshipOrderedSet)?.members() == [object("Bob"), ada])
    #expect(
      rome[ToManyKey<ManagedObject, OrderedSet<ManagedObject>>("residents")].elements == [
        try object("Bob"), ada,
      ])
    for owner in [try object("Bob"), try context.insert("Person", [:])] {
      #expect(try (owner.value(forKey: "citiesVisited") as? RelationshipSet)?.objects == [])
    }
    for owner in [oslo, try context.insert("City", [:])] {
      #expect(try (owner.value(forKey: "residents") as? RelationshipOrderedSet)?.members() == [])
    }
  }

  @Test("REL-003: a typed to-many is a value: changing it changes nothing, and it stays as it was read")
  func typedValue() throws {
    let (ada, rome, oslo) = (try object("Ada"), try object("Rome"), try object("Oslo"))
    let (visited, residents) = (
      ToManyKey<ManagedObject, Set<ManagedObject>>("citiesVisited"),
      ToManyKey<ManagedObject, OrderedSet<ManagedObject>>("residents")
    )
    var told = 0
    let token = context.observe(.objectsDidChange) { _ in told += 1 }
    defer { token.cancel() }
    #expect(try ada.hasFault(forRelationshipNamed: "citiesVisited"))
    var cities = ada[visited]
    #expect(try !ada.hasFault(forRelationshipNamed: "citiesVisited"))
    var people = rome[residents]
    cities.insert(rome)
    people.removeAll()
    try context.processPendingChanges()
    #expect(!context.hasChanges && told == 0)
    #expect(try rome.objects(forKey: "visitors").isEmpty && ada.object(forKey: "homeTown") === rome)
    let (citiesBefore, peopleBefore) = (ada[visited], rome[residents])
    try ada.removeObjects([oslo], forKey: "citiesVisited")
    try ada.setValue(nil, forKey: "homeTown")
    let bob = try object("Bob")
    #expect(citiesBefore == [oslo] && peopleBefore.elements == [bob, ada])
    #expect(ada[visited].isEmpty && rome[residents].elements == [bob])
  }

  @Test("REL-007, FLT-040: once resolved it stays so, at no cost and blind to others, until a refresh")
  func resolved() throws {
    let rome = try object("Rome")
    #expect(try rome.objects(forKey: "residents").count == 2)
    let other = stack.newContext()
    try other.existingObject(with: ids["Cas"]!).setValue(other.object(with: ids["Rome"]!), forKey: "homeTown")
    try other.save()
    #expect(
      try stack.statements {
        for _ in 0..<3 { try check(rome.objects(forKey: "residents").count == 2) }
        try check(!rome.hasFault(forRelationshipNamed: "residents"))
      } == 0)
    try context.refresh(rome, mergeChanges: false)
    #expect(try rome.hasFault(forRelationshipNamed: "residents"))
    #expect(try rome.names("residents") == ["Bob", "Ada", "Cas"])
  }

  @Test(
    "FLT-047: members are no part of the row cache: who resolves a to-many sees what is stored at that moment"
  )
  func freshMembers() throws {
    let rome = try object("Rome")
    #expect(try rome.string("name") == "Rome" && rome.names("residents") == ["Bob", "Ada"])
    let writer = stack.newContext()
    try writer.existingObject(with: ids["Cas"]!).setValue(
      writer.object(with: ids["Rome"]!), forKey: "homeTown")
    try writer.save()
    // Another context has the owner's row from the row cache, and its members from the store.
    let reader = stack.newContext()
    let same = try reader.existingObject(with: ids["Rome"]!)
    #expect(try stack.statements { try check(same.string("name") == "Rome") } == 0)
    #expect(try same.names("residents") == ["Bob", "Ada", "Cas"])
  }

  @Test(
    "FLT-188, FLT-037: a to-many that is read but not looked into costs nothing, its count and members one statement"
  )
  func laziness() throws {
    let rome = try object("Rome")
    var members: RelationshipCollection?
    #expect(
      try stack.statements { members = try rome.value(forKey: "residents") as? RelationshipCollection } == 0)
    let found = try #require(members)
    #expect(stack.statements { _ = found.description } == 0)
    #expect(
      stack.statements { _ = found.count + found.map(\.objectID).count + (found.isEmpty ? 1 : 0) } == one)
    #expect(found.count == 2)
  }

  @Test("REL-010, REL-066: sub-entities have the relationships of their parents, with inverse and rule")
  func inherited() throws {
    let stack = try TestStack(GraphModels.city(residents: .cascade))
    let context = stack.context
    let capital = try context.insert("Capital", ["name": "Rome"])
    let (own, parents) = (capital.entity, try #require(capital.entity.superentity))
    for name in ["residents", "citizens", "mayor", "visitors"] {
      let (here, there) = (own.relationship(named: name), parents.relationship(named: name))
      #expect(try here?.inverse?.name == #require(there?.inverse?.name), "\(name)")
      #expect(here?.deleteRule == there?.deleteRule, "\(name)")
    }
    let people = try ["Ada", "Bob", "Cas"].map { try context.insert("Person", ["name": $0]) }
    try people[0].setValue(capital, forKey: "homeTown")
    try capital.setValue(people[1], forKey: "mayor")
    try people[2].addObjects([capital], forKey: "citiesVisited")
    #expect(try capital.objects(forKey: "residents") == [people[0]])
    #expect(try people[1].object(forKey: "mayorOf") === capital)
    #expect(try capital.objects(forKey: "visitors") == [people[2]])
    try context.save()
    try context.delete(capital)
    try context.save()
    #expect(
      try stack.otherProcess().all("Person", sort: ["name"]).map { try $0.string("name") } == ["Bob", "Cas"])
  }

  @Test("REL-011, REL-379: five relationships between two entities leave each other alone")
  func several() throws {
    func picture() throws -> [String: [String]] {
      let rome = try object("Rome")
      let (ada, bob) = (try object("Ada"), try object("Bob"))
      var picture = ["mayor": [try rome.nameOf("mayor") ?? "-"]]
      for key in ["residents", "citizens", "visitors"] { picture[key] = try rome.names(key).sorted() }
      for (name, person) in [("ada", ada), ("bob", bob)] {
        picture[name] = try ["homeTown", "citizenOf", "mayorOf", "birthplace"].map {
          try person.nameOf($0) ?? "-"
        }
        picture[name]! += try person.names("citiesVisited")
      }
      return picture
    }
    var expected: [String: [String]] = [
      "mayor": ["Ada"], "residents": ["Ada", "Bob"], "citizens": [], "visitors": [],
      "ada": ["Rome", "-", "Rome", "Oslo", "Oslo"], "bob": ["Rome", "-", "-", "-"],
    ]
    #expect(try picture() == expected)
    try object("Rome").setValue(object("Bob"), forKey: "mayor")
    (expected["mayor"], expected["ada"], expected["bob"]) = (
      ["Bob"], ["Rome", "-", "-", "Oslo", "Oslo"], ["Rome", "-", "Rome", "-"]
    )
    #expect(try picture() == expected)
    try object("Ada").setValue(object("Rome"), forKey: "citizenOf")
    (expected["citizens"], expected["ada"]) = (["Ada"], ["Rome", "Rome", "-", "Oslo", "Oslo"])
    #expect(try picture() == expected)
    try object("Rome").addObjects([object("Bob")], forKey: "visitors")
    (expected["visitors"], expected["bob"]) = (["Bob"], ["Rome", "-", "Rome", "-", "Rome"])
    #expect(try picture() == expected)
    try object("Bob").setValue(nil, forKey: "homeTown")
    (expected["residents"], expected["bob"]) = (["Ada"], ["-", "-", "Rome", "-", "Rome"])
    #expect(try picture() == expected)
    try context.save()
    context.reset()
    #expect(try picture() == expected)
  }

  @Test("REL-012, FLT-044: deleted objects are members until their deletion is propagated")
  func deletedMembers() throws {
    let (ada, rome, oslo) = (try object("Ada"), try object("Rome"), try object("Oslo"))
    _ = try (rome.objects(forKey: "residents"), oslo.objects(forKey: "visitors"))
    try context.delete(ada)
    #expect(try rome.objects(forKey: "residents").map(\.isDeleted) == [false, true])
    #expect(try oslo.objects(forKey: "visitors") == [ada] && rome.object(forKey: "mayor") === ada)
    try context.processPendingChanges()
    #expect(try rome.names("residents") == ["Bob"] && oslo.objects(forKey: "visitors").isEmpty)
    #expect(try rome.object(forKey: "mayor") == nil)
  }

  @Test("FLT-044: a to-many that is resolved after the deletion of a member shows it until then, too")
  func resolvedLate() throws {
    let (bob, rome) = (try object("Bob"), try object("Rome"))
    try context.delete(bob)
    #expect(try rome.names("residents") == ["Bob", "Ada"])
    try context.refresh(rome, mergeChanges: false)
    try context.processPendingChanges()
    #expect(try rome.names("residents") == ["Ada"])
  }

  @Test("REL-013, FLT-041: traversal needs no request and loads what it touches alone")
  func traversal() throws {
    let bob = try object("Bob")
    #expect(try bob.value(forKeyPath: "homeTown.mayor.birthplace.name") as? String == "Oslo")
    let (rome, ada, oslo) = (try object("Rome"), try object("Ada"), try object("Oslo"))
    #expect(context.registeredCount == 4)
    #expect(![bob, rome, ada, oslo].contains { $0.isFault })
    for (object, keys) in [
      (ada, ["citiesVisited"]), (rome, ["residents", "visitors"]), (oslo, ["visitors"]),
    ] {
      for key in keys { #expect(try object.hasFault(forRelationshipNamed: key), "\(key)") }
    }
  }

  @Test("REL-015: a relationship without an inverse leads there and not back")
  func oneWay() throws {
    let ada = try object("Ada")
    #expect(try ada.nameOf("birthplace") == "Oslo")
    #expect(ada.entity.relationship(named: "birthplace")?.inverse == nil)
    let oslo = try object("Oslo")
    for relationship in oslo.entity.relationships where relationship.name != "visitors" {
      #expect(
        try relationship.isToMany
          ? oslo.objects(forKey: relationship.name).isEmpty : oslo.object(forKey: relationship.name) == nil)
    }
  }

  @Test("REL-016, FLT-042: a new object's relationships are resolved and empty, and cost nothing")
  func new() throws {
    let (person, city) = (try context.insert("Person", [:]), try context.insert("City", [:]))
    #expect(
      try stack.statements {
        for (object, keys) in [(person, ["citiesVisited"]), (city, ["residents", "citizens", "visitors"])] {
          for key in keys {
            try check(!object.hasFault(forRelationshipNamed: key))
            try check(object.objects(forKey: key).isEmpty)
          }
        }
        try check(!person.hasFault(forRelationshipNamed: "homeTown"))
        try check(person.object(forKey: "homeTown") == nil)
      } == 0)
  }
}
