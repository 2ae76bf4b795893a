import GraphStore
import Testing

/// Counts what is called on it besides its values.
private final class CountingPerson: ManagedObject {
  nonisolated(unsafe) static var calls: [String] = []

  override class var keyedAccessors: [KeyedAccessor] {
    ["homeTown", "mayorOf", "citiesVisited"].map { key in
      KeyedAccessor(key, of: CountingPerson.self) { object, value in
        calls.append("set \(key)")
        object.willChangeValue(forKey: key)
        try object.setPrimitiveValue(value, forKey: key)
        object.didChangeValue(forKey: key)
      }
    }
  }

  override class var relationshipMutators: [RelationshipMutators] {
    [
      RelationshipMutators(
        "citiesVisited", of: CountingPerson.self,
        add: { object, others in
          calls.append("add citiesVisited")
          object.add(others, to: ToManyKey<CountingPerson, Set<ManagedObject>>("citiesVisited"))
        },
        remove: { object, others in
          calls.append("remove citiesVisited")
          object.remove(others, from: ToManyKey<CountingPerson, Set<ManagedObject>>("citiesVisited"))
        })
    ]
  }

  override func validateProperty(_ key: String, value: inout ProposedValue) throws {
    Self.calls.append("validate \(key)")
  }
}

/// Counts the calls of its mutators.
private final class CountingCity: ManagedObject {
  nonisolated(unsafe) static var fails = false

  override class var relationshipMutators: [RelationshipMutators] {
    ["residents", "visitors"].map { key in
      RelationshipMutators(
        key, of: CountingCity.self,
        add: { object, others in
          CountingPerson.calls.append("add \(key)")
          if fails { throw CancellationError() }
          object.add(others, to: ToManyKey<CountingCity, Set<ManagedObject>>(key))
        },
        remove: { object, others in
          CountingPerson.calls.append("remove \(key)")
          if fails { throw CancellationError() }
          object.remove(others, from: ToManyKey<CountingCity, Set<ManagedObject>>(key))
        })
    }
  }
}

@Suite("How inverses are kept in step", .everyStore, .serialized)
struct InverseMaintenanceTests {
  private let stack: TestStack
  private let person: ManagedObject
  private let cities: [ManagedObject]
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    var model = GraphModels.city()
    model.entities[0].className = "CountingPerson"
    stack = try TestStack(model, classes: ["CountingPerson": CountingPerson.self])
    let context = stack.context
    person = try context.insert("Person", ["name": "Ada"])
    cities = try ["Rome", "Oslo"].map { try context.insert("City", ["name": $0]) }
    try context.save()
    CountingPerson.calls = []
  }

  @Test("REL-068: the other end's setters and validators are not called")
  func quiet() throws {
    try cities[0].setValue([person], forKey: "residents")
    try cities[1].addObjects([person], forKey: "residents")
    try cities[0].setValue(person, forKey: "mayor")
    try cities[0].setValue(nil, forKey: "mayor")
    try cities[0].setValue([person], forKey: "visitors")
    #expect(try person.object(forKey: "homeTown") === cities[1])
    #expect(try person.objects(forKey: "citiesVisited") == [cities[0]])
    #expect(CountingPerson.calls.filter { !$0.contains("add") }.isEmpty)
    // The accessors are there: setting the properties themselves calls them.
    try person.setValue(nil, forKey: "homeTown")
    try person.removeObjects(cities, forKey: "citiesVisited")
    #expect(CountingPerson.calls.suffix(2) == ["set homeTown", "remove citiesVisited"])
  }

  @Test("REL-068: mutators that the other end's class declares are called")
  func mutators() throws {
    try cities[0].addObjects([person], forKey: "visitors")
    try cities[0].removeObjects([person], forKey: "visitors")
    #expect(CountingPerson.calls == ["add citiesVisited", "remove citiesVisited"])
    #expect(try person.objects(forKey: "citiesVisited").isEmpty && context.takeDeferredErrors().isEmpty)
    // Called for the property itself they are called once.
    CountingPerson.calls = []
    try person.addObjects([cities[1]], forKey: "citiesVisited")
    #expect(CountingPerson.calls == ["add citiesVisited"])
    #expect(try cities[1].objects(forKey: "visitors") == [person])
    try context.save()
    #expect(try stack.otherProcess().all("City", "name == 'Oslo'")[0].names("visitors") == ["Ada"])
  }

  @Test("REL-068: mutators at both ends, of a to-many whose inverse is to-one, and mutators that fail")
  func mutatorsAtBothEnds() throws {
    var model = GraphModels.city()
    model.entities[0].className = "CountingPerson"
    model.entities[1].className = "CountingCity"
    let stack = try TestStack(
      model, classes: ["CountingPerson": CountingPerson.self, "CountingCity": CountingCity.self])
    let context = stack.context
    let ada = try context.insert("Person", ["name": "Ada"])
    let (rome, oslo) = (
      try context.insert("City", ["name": "Rome"]), try context.insert("City", ["name": "Oslo"])
    )
    try context.save()
    CountingPerson.calls = []
    try ada.addObjects([rome], forKey: "citiesVisited")
    #expect(CountingPerson.calls == ["add citiesVisited", "add visitors"])
    #expect(try rome.objects(forKey: "visitors") == [ada])
    CountingPerson.calls = []
    ada[ToOneKey<ManagedObject, ManagedObject>("homeTown")] = rome
    ada[ToOneKey<ManagedObject, ManagedObject>("homeTown")] = oslo
    #expect(CountingPerson.calls == ["add residents", "remove residents", "add residents"])
    #expect(try rome.objects(forKey: "residents").isEmpty && oslo.objects(forKey: "residents") == [ada])
    #expect(try ada.object(forKey: "homeTown") === oslo)
    try context.save()
    #expect(try stack.otherProcess().all("City", "name == 'Oslo'")[0].names("residents") == ["Ada"])
    // The change is whole whatever a mutator does; its error waits for the save.
    CountingCity.fails = true
    defer { CountingCity.fails = false }
    ada[ToOneKey<ManagedObject, ManagedObject>("homeTown")] = rome
    #expect(try rome.objects(forKey: "residents") == [ada] && oslo.objects(forKey: "residents").isEmpty)
    #expect(context.takeDeferredErrors().count == 2)
  }

  /// The ways in which one end can change; each gives Ada the home Oslo in place of Rome.
  enum Way: String, CaseIterable, Sendable {
    case key, typed, keyPath, otherEnd, wholeOtherEnd, typedOtherEnd, undone, redone, removed
  }

  @Test("REL-069: it makes no difference by which call, or undo, an end has changed", arguments: Way.allCases)
  func ways(_ way: Way) throws {
    let stack = try TestStack(GraphModels.city())
    let context = stack.context
    let (rome, oslo) = (
      try context.insert("City", ["name": "Rome"]), try context.insert("City", ["name": "Oslo"])
    )
    let ada = try context.insert("Person", ["name": "Ada", "homeTown": way == .undone ? oslo : rome])
    try context.insert("Person", ["name": "Bob", "homeTown": rome, "mayorOf": rome])
    try rome.setValue(ada, forKey: "mayor")
    try context.save()
    try context.setUndoManager(GraphUndoManager())
    switch way {
    case .key: try ada.setValue(oslo, forKey: "homeTown")
    case .typed: ada[ToOneKey<ManagedObject, ManagedObject>("homeTown")] = oslo
    case .keyPath: try rome.setValue(oslo, forKeyPath: "mayor.homeTown")
    case .otherEnd: try oslo.addObjects([ada], forKey: "residents")
    case .wholeOtherEnd: try oslo.setValue(Set([ada]), forKey: "residents")
    case .typedOtherEnd: oslo[ToManyKey<ManagedObject, Set<ManagedObject>>("residents")] = [ada]
    case .undone:
      try rome.addObjects([ada], forKey: "residents")
      try context.undo()
    case .redone:
      try ada.setValue(oslo, forKey: "homeTown")
      try context.undo()
      #expect(try rome.names("residents") == ["Ada", "Bob"] && oslo.objects(forKey: "residents").isEmpty)
      try context.redo()
    case .removed:
      try rome.removeObjects([ada], forKey: "residents")
      #expect(try ada.object(forKey: "homeTown") == nil)
      try ada.setValue(oslo, forKey: "homeTown")
    }
    #expect(try ada.object(forKey: "homeTown") === oslo)
    #expect(try rome.names("residents") == ["Bob"] && oslo.names("residents") == ["Ada"])
    #expect(try ada.object(forKey: "mayorOf") === rome)
    try context.save()
    let stored = try stack.otherProcess().all("City", sort: ["name"])
    #expect(try stored.map { try $0.names("residents") } == [["Ada"], ["Bob"]])
  }

  @Test(
    "REL-091: one processing propagates deletions, settles inverses, registers undo and then tells, in that order"
  )
  func order() throws {
    let stack = try TestStack(GraphModels.city(residents: .cascade))
    let context = stack.context
    let manager = GraphUndoManager()
    try context.setUndoManager(manager)
    let (rome, oslo) = (
      try context.insert("City", ["name": "Rome"]), try context.insert("City", ["name": "Oslo"])
    )
    let ada = try context.insert("Person", ["name": "Ada", "homeTown": rome, "mayorOf": oslo])
    try context.save()
    let steps = manager.undoCount
    var told: [ObjectsDidChange] = []
    var seen: (steps: Int, mayor: ManagedObject?)?
    let token = context.observe(.objectsDidChange) {
      told.append($0)
      seen = (manager.undoCount, try? oslo.object(forKey: "mayor"))
    }
    try context.delete(rome)
    #expect(told.isEmpty && !ada.isDeleted && manager.undoCount == steps)
    #expect(try oslo.object(forKey: "mayor") === ada)
    try context.processPendingChanges()
    #expect(told.count == 1 && told[0].deleted == [rome, ada] && told[0].updated == [oslo])
    #expect(seen?.steps == steps + 1 && seen?.mayor == nil)
    token.cancel()
  }

  /// The calls before or behind which changes are processed.
  enum Moment: String, CaseIterable, Sendable {
    case block, save, fetch, count, undo, redo, identifiers, call
  }

  @Test("REL-092: each of these calls processes what is pending", arguments: Moment.allCases)
  func moments(_ moment: Moment) throws {
    let stack = try TestStack(GraphModels.city(residents: .cascade))
    let context = stack.context
    try context.setUndoManager(GraphUndoManager())
    let rome = try context.insert("City", ["name": "Rome"])
    let ada = try context.insert("Person", ["name": "Ada", "homeTown": rome])
    try context.save()
    if moment == .redo {
      try ada.setValue("Eve", forKey: "name")
      try context.undo()
    }
    var isCascaded: [Bool] = []
    let token = context.observe(.objectsDidChange) { isCascaded.append($0.deleted == [rome, ada]) }
    func change() throws { try context.delete(rome) }
    if moment == .block {
      try context.performAndWait {
        try change()
        #expect(isCascaded.isEmpty)
      }
    } else {
      try change()
      #expect(isCascaded.isEmpty)
      switch moment {
      case .save: try context.save()
      case .fetch: #expect(try context.all("Person").isEmpty)
      case .count: #expect(try context.count(for: FetchRequest(entityName: "Person")) == 0)
      case .undo: try context.undo()
      case .redo: try context.redo()
      case .identifiers: try context.obtainPermanentIDs(for: [context.insert("City", [:])])
      default: try context.processPendingChanges()
      }
    }
    #expect(isCascaded.first == true)
    token.cancel()
  }

  @Test("REL-092: a fetch that leaves pending changes out processes nothing")
  func leavingOut() throws {
    let told = Told()
    let token = context.observe(.objectsDidChange) { _ in told.count += 1 }
    try cities[0].setValue("Roma", forKey: "name")
    var request = FetchRequest(entityName: "City")
    request.includesPendingChanges = false
    _ = try (context.fetch(request), context.count(for: request))
    #expect(told.count == 0)
    token.cancel()
  }

  private final class Told {
    var count = 0
  }
}
