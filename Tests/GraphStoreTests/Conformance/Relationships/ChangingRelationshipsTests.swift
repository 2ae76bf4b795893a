import Foundation
import GraphStore
import Testing

@Suite("Changing relationships", .everyStore)
struct ChangingRelationshipsTests {
  private let stack: TestStack
  private let people: [ManagedObject]
  private let rome: ManagedObject
  private let oslo: ManagedObject
  private var context: ManagedObjectContext { stack.context }
  private var ada: ManagedObject { people[0] }

  /// Ada and Bob live in Rome and have visited it; Cas lives in Oslo. Ada is mayor of Rome.
  init() throws {
    stack = try TestStack(GraphModels.city())
    let context = stack.context
    people = try ["Ada", "Bob", "Cas"].map { try context.insert("Person", ["name": $0]) }
    rome = try context.insert("City", ["name": "Rome"])
    oslo = try context.insert("City", ["name": "Oslo"])
    try rome.setValue([people[0], people[1]], forKey: "residents")
    try rome.setValue([people[0], people[1]], forKey: "visitors")
    try rome.setValue(people[0], forKey: "mayor")
    try oslo.setValue([people[2]], forKey: "residents")
    try context.save()
  }

  private func flagged() -> Set<String> {
    Set((people + [rome, oslo]).filter(\.isUpdated).compactMap { try? $0.string("name") })
  }

  @Test(
    "REL-020: a to-one is set by typed key, key and key path alike, to an object and to nil",
    arguments: ["typed", "key", "subscript", "path"])
  func toOne(_ way: String) throws {
    for new in [oslo, nil] {
      switch way {
      case "typed": ada[ToOneKey<ManagedObject, ManagedObject>("homeTown")] = new
      case "key": try ada.setValue(new, forKey: "homeTown")
      case "subscript": ada["homeTown"] = new
      default: try rome.setValue(new, forKeyPath: "mayor.homeTown")
      }
      #expect(try ada.object(forKey: "homeTown") === new)
      #expect(try rome.names("residents") == ["Bob"])
      #expect(try oslo.names("residents") == (new == nil ? ["Cas"] : ["Ada", "Cas"]))
      #expect(flagged() == ["Ada", "Rome", "Oslo"])
    }
    try context.save()
    let stored = try stack.otherProcess().all("Person", "name == 'Ada'")[0]
    #expect(try stored.object(forKey: "homeTown") == nil)
  }

  @Test("REL-021, REL-055: setting a whole to-many touches those that leave and join, with to-one inverses")
  func wholeToMany() throws {
    try rome.setValue([people[1], people[2]], forKey: "residents")
    #expect(flagged() == ["Ada", "Cas", "Rome", "Oslo"])
    #expect(try people.map { try $0.nameOf("homeTown") } == [nil, "Rome", "Rome"])
    #expect(try oslo.names("residents").isEmpty)
    try context.save()
    let stored = try stack.otherProcess().all("Person", sort: ["name"])
    #expect(try stored.map { try $0.nameOf("homeTown") } == [nil, "Rome", "Rome"])
  }

  @Test("REL-021: with to-many inverses too, and nil stands for none", arguments: [true, false])
  func wholeManyToMany(_ isCleared: Bool) throws {
    try rome.setValue(isCleared ? nil : Set([people[1], people[2]]), forKey: "visitors")
    #expect(flagged() == (isCleared ? ["Ada", "Bob", "Rome"] : ["Ada", "Cas", "Rome"]))
    let expected = isCleared ? [[], [], []] : [[], ["Rome"], ["Rome"]]
    #expect(try people.map { try $0.names("citiesVisited") } == expected)
    try context.save()
    let stored = try stack.otherProcess().all("Person", sort: ["name"])
    #expect(try stored.map { try $0.names("citiesVisited") } == expected)
  }

  @Test("REL-025: adding who is there and removing who is not changes and flags nothing, many-to-many")
  func nothingNew() throws {
    for city in [rome, oslo] { _ = try city.objects(forKey: "visitors") }
    for person in people { _ = try person.objects(forKey: "citiesVisited") }
    try rome.addObjects([ada], forKey: "visitors")
    try people[1].addObjects([rome], forKey: "citiesVisited")
    try rome.removeObjects([people[2]], forKey: "visitors")
    try people[2].removeObjects([rome, oslo], forKey: "citiesVisited")
    #expect(flagged().isEmpty && !context.hasChanges)
    #expect(try rome.names("visitors") == ["Ada", "Bob"])
  }

  @Test("REL-025: nor one-to-many, whether the to-many is resolved or not", arguments: [true, false])
  func nothingNewToMany(_ isResolved: Bool) throws {
    if !isResolved { try context.refresh(rome, mergeChanges: false) }
    _ = try isResolved ? rome.objects(forKey: "residents") : []
    try rome.removeObjects([people[2]], forKey: "residents")
    #expect(flagged().isEmpty && !context.hasChanges)
    try rome.addObjects([ada], forKey: "residents")
    #expect(flagged().isEmpty && !context.hasChanges)
    #expect(try rome.names("residents") == ["Ada", "Bob"])
  }

  @Test(
    "REL-025: setting a to-one to what it has flags the source alone", arguments: ["homeTown", "mayorOf"])
  func sameDestination(_ key: String) throws {
    try ada.setValue(rome, forKey: key)
    #expect(flagged() == ["Ada"] && !ada.hasPersistentChangedValues)
    try context.save()
    #expect(try ada.object(forKey: key) === rome)
  }

  @Test("REL-029: adding many in one call is told as one change, observed as one, and undone as one")
  func addingMany() throws {
    try context.setUndoManager(GraphUndoManager())
    let many = try (0..<50).map { try context.insert("Person", ["name": "\($0)"]) }
    try context.save()
    var told: [ObjectsDidChange] = []
    var seen: [KeyChange] = []
    let token = context.observe(.objectsDidChange) { told.append($0) }
    let observation = try oslo.observe("residents") { seen.append($0) }
    try oslo.addObjects(many, forKey: "residents")
    try context.processPendingChanges()
    #expect(told.count == 1 && told[0].updated == Set(many + [oslo]))
    #expect(seen.count == 1 && Set(seen[0].inserted) == Set(many))
    try context.undo()
    #expect(try oslo.names("residents") == ["Cas"])
    #expect(try many.allSatisfy { try $0.object(forKey: "homeTown") == nil })
    token.cancel()
    observation.cancel()
  }

  @Test(
    "REL-030: changed relationships are in changed values with the new, in committed ones with the old content"
  )
  func tracking() throws {
    try ada.setValue(oslo, forKey: "homeTown")
    try rome.removeObjects([ada], forKey: "visitors")
    func changed(_ object: ManagedObject, _ key: String) throws -> Any? {
      try object.changedValues()[key] ?? "unchanged"
    }
    func committed(_ object: ManagedObject, _ key: String) throws -> Any? {
      try object.committedValues(forKeys: [key])[key] ?? "missing"
    }
    #expect(try changed(ada, "homeTown") as? ManagedObject === oslo)
    #expect(try committed(ada, "homeTown") as? ManagedObject === rome)
    #expect(try changed(rome, "residents") as? Set<ManagedObject> == [people[1]])
    #expect(try committed(rome, "residents") as? Set<ManagedObject> == [ada, people[1]])
    #expect(try changed(oslo, "residents") as? Set<ManagedObject> == [ada, people[2]])
    #expect(try committed(oslo, "residents") as? Set<ManagedObject> == [people[2]])
    #expect(try changed(rome, "visitors") as? Set<ManagedObject> == [people[1]])
    #expect(try committed(rome, "visitors") as? Set<ManagedObject> == [ada, people[1]])
    #expect(try Set(ada.changedValues().keys) == ["homeTown", "citiesVisited"])
    #expect(try changed(rome, "mayor") as? String == "unchanged")
    #expect(flagged() == ["Ada", "Rome", "Oslo"])
    try context.save()
    #expect(
      try ada.changedValues().isEmpty && committed(rome, "residents") as? Set<ManagedObject> == [people[1]])
  }

  @Test("REL-031: setting a relationship of a fault realises it, and resolves no to-many at the far ends")
  func settingFault() throws {
    let ids = [ada, rome, oslo].map(\.objectID)
    context.reset()
    let objects = try ids.map { try context.object(with: $0) }
    try objects[0].setValue(objects[2], forKey: "homeTown")
    #expect(!objects[0].isFault)
    for city in objects.dropFirst() {
      #expect(try city.hasFault(forRelationshipNamed: "residents") && city.isFault && city.isUpdated)
    }
    #expect(try objects[2].names("residents") == ["Ada", "Cas"])
    #expect(try objects[1].names("residents") == ["Bob"])
  }

  @Test("REL-032: a link to an object that is to be deleted counts for its rules until they were applied")
  func linkBeforePropagation() throws {
    let stack = try TestStack(GraphModels.city(residents: .cascade))
    let context = stack.context
    let city = try context.insert("City", ["name": "Rome"])
    let people = try ["Ada", "Bob"].map { try context.insert("Person", ["name": $0]) }
    try context.save()
    try context.delete(city)
    try people[0].setValue(city, forKey: "homeTown")
    try people[1].setValue(city, forKey: "mayorOf")
    try context.save()
    let left = try stack.otherProcess().all("Person")
    #expect(try left.map { try $0.string("name") } == ["Bob"] && left[0].object(forKey: "mayorOf") == nil)
  }

  @Test("REL-032: afterwards it fails at the save, unless it is changed before")
  func linkAfterPropagation() throws {
    try context.delete(oslo)
    try context.processPendingChanges()
    try ada.setValue(oslo, forKey: "homeTown")
    let error = failure { try context.save() }
    #expect(error?.number == 1550 && error?.property == "homeTown" && error?.objectID == ada.objectID)
    #expect(try stack.otherProcess().all("City").count == 2)
    try ada.setValue(rome, forKey: "homeTown")
    try context.save()
    #expect(try stack.otherProcess().all("City").map { try $0.string("name") } == ["Rome"])
  }

  @Test(
    "REL-033, REL-204: removing, clearing and replacing delete nothing and ask no rule",
    arguments: [DeleteRule.cascade, .deny])
  func removing(_ rule: DeleteRule) throws {
    let stack = try TestStack(GraphModels.city(residents: rule))
    let context = stack.context
    let city = try context.insert("City", ["name": "Rome"])
    let people = try (0..<4).map { try context.insert("Person", ["name": "\($0)", "homeTown": city]) }
    try context.save()
    try city.removeObjects([people[0]], forKey: "residents")
    try people[1].setValue(nil, forKey: "homeTown")
    try city.setValue([people[3]], forKey: "residents")
    try context.processPendingChanges()
    #expect(context.deletedObjects.isEmpty && !people.contains(where: \.isDeleted))
    try context.save()
    try city.setValue(nil, forKey: "residents")
    try context.save()
    #expect(try stack.otherProcess().all("Person").count == 4)
  }
}
