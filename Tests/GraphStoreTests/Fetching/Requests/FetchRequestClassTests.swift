import GraphStore
import Testing

private class Animal: ManagedObject {}
private final class Bird: Animal {}
private final class Fish: Animal {}
private final class Stone: ManagedObject {}

private enum ZooModel: ObjectModel {
  static let loaded = Result {
    func animal(_ name: String, _ className: String?) -> EntityDefinition {
      EntityDefinition(name, parent: name == "Animal" ? nil : "Animal", className: className)
    }
    var definition = ModelDefinition(
      name: "Zoo",
      entities: [
        animal("Animal", "Animal"), animal("Eagle", "Bird"), animal("Carp", "Fish"), animal("Pike", "Fish"),
        animal("Worm", nil), animal("Cow", "Animal"),
      ])
    definition.entities[0].attributes = [AttributeDefinition("weight", .int64)]
    definition.fetchRequests = [
      FetchRequestDefinition(
        "heavy", entity: "Animal", predicate: "weight > $LEAST", sort: ["-weight"], limit: 1, offset: 1,
        includesSubentities: true),
      FetchRequestDefinition("counted", entity: "Animal", resultType: .count),
    ]
    return try ManagedObjectModel(definition)
  }

  static var model: ManagedObjectModel { get throws { try loaded.get() } }
  static var classes: [String: ManagedObject.Type] {
    ["Animal": Animal.self, "Bird": Bird.self, "Fish": Fish.self]
  }
}

@Suite("Requests of a class")
struct FetchRequestClassTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(try ZooModel.model.definition, classes: ZooModel.classes) }

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? GraphStoreError)?.code
    }
  }

  @Test("MDL-069: a class alone says which entity is inserted; of several it is the one they descend from")
  func inserting() throws {
    #expect(try context.insert(Bird.self).entity.name == "Eagle")
    #expect(try context.insert(Animal.self).entity.name == "Animal")
  }

  @Test("MDL-071: a class that represents no entity, or several apart, is refused with what it represents")
  func refused() throws {
    #expect(code { _ = try context.insert(Stone.self) } == .classMismatch)
    #expect(code { _ = try context.insert(Fish.self) } == .classMismatch)
    #expect(code { _ = try context.insert(ManagedObject.self) } == .classMismatch)
    #expect(code { _ = try context.fetch(Fish.fetchRequest()) } == .classMismatch)
    #expect(code { _ = try context.count(for: Stone.fetchRequest()) } == .classMismatch)
    #expect(try context.fetch(FetchRequest<Fish>(entityName: "Pike")).isEmpty)
  }

  @Test("A request of a class gives its instances, counts them, and takes what a request takes")
  func fetching() throws {
    let bird = try context.insert(Bird.self)
    try bird.setValue(3, forKey: "weight")
    let fish = try context.insert(Fish.self, entityNamed: "Carp")
    try context.save()
    #expect(try context.fetch(Bird.fetchRequest()) == [bird])
    #expect(Set(try context.fetch(Animal.fetchRequest())) == [bird, fish])
    #expect(try context.fetchIdentifiers(Bird.fetchRequest()) == [bird.objectID])
    var request = Animal.fetchRequest()
    request.predicate = try QueryPredicate(parsing: "weight == 3")
    request.fetchLimit = 5
    #expect(request.untyped.fetchLimit == 5)
    #expect(try context.count(for: request) == 1)
    #expect(try context.fetch(request).first === bird)
    #expect(try context.explain(request).rows.total == 2)
    var found: [ManagedObjectID] = []
    try context.enumerateFields(request, keyPaths: ["weight"]) { found.append($0.objectID) }
    #expect(found == [bird.objectID])
  }

  @Test("A request keeps its condition, order, window and options when the class of its results changes")
  func otherClassOfResults() throws {
    var request = FetchRequest(
      entityName: "Animal", predicate: try QueryPredicate(parsing: "weight > $LEAST"),
      sortDescriptors: try QuerySortDescriptor.list(parsing: "-weight"), fetchLimit: 3, fetchOffset: 1,
      includesSubentities: false)
    request.variables = ["LEAST": .int(4)]
    request.returnsObjectsAsFaults = false
    request.includesPendingChanges = false
    request.inMemoryEvaluation = .refused
    let typed = FetchRequest<Animal>(request)
    func parts<Object>(_ request: FetchRequest<Object>) -> [String] {
      Mirror(reflecting: request).children.map { "\($0.label ?? ""): \($0.value)" }
    }
    #expect(parts(typed) == parts(request))
    #expect(parts(typed.untyped) == parts(request))
    #expect(parts(typed).count > 10)
  }

  @Test("The class of a request is that of its results, and a name alone gives any objects")
  func inference() throws {
    let bird = try context.insert(Bird.self)
    let named = FetchRequest(entityName: "Eagle")
    #expect(type(of: named) == FetchRequest<ManagedObject>.self)
    let birds: [Bird] = try context.fetch(FetchRequest(entityName: "Eagle"))
    #expect(birds == [bird])
    #expect(type(of: try context.fetch(FetchRequest(entityName: "Eagle"))) == [ManagedObject].self)
  }

  @Test("OBJ-025: an object of another class fails the typed fetch and is never cast")
  func otherClass() throws {
    try context.insert(entityNamed: "Worm")
    #expect(code { _ = try context.fetch(Animal.fetchRequest()) } == .resultTypeMismatch)
  }

  @Test("MDL-235: a template becomes a request with its order, window and the values of its variables")
  func templates() throws {
    for weight in [1, 5, 7, 9] { try context.insert(Bird.self).setValue(weight, forKey: "weight") }
    let request = try ZooModel.fetchRequest(Animal.self, fromTemplate: "heavy", variables: ["LEAST": .int(4)])
    #expect(try context.fetch(request).map { try $0.queryValue(forKey: "weight") } == [.int(7)])
    #expect(throws: QueryPredicateError.self) {
      try ZooModel.fetchRequest(Animal.self, fromTemplate: "heavy")
    }
    #expect(throws: ModelLookupError.self) { try ZooModel.fetchRequest(Animal.self, fromTemplate: "light") }
    let counted = try ZooModel.fetchRequest(Animal.self, fromTemplate: "counted")
    #expect(code { _ = try context.fetch(counted) } == .resultTypeMismatch)
  }

  @Test("A model in code makes and opens stores with its classes")
  func stores() throws {
    let path = stack.folder.appending(path: "zoo.db").path
    let made = ManagedObjectContext(coordinator: try ZooModel.createStore(at: path))
    _ = try made.insert(Bird.self)
    try made.save()
    let coordinator = try ZooModel.openStore(at: path)
    #expect(try ManagedObjectContext(coordinator: coordinator).fetch(Bird.fetchRequest()).count == 1)
    #expect(coordinator.managedObjectModel === (try ZooModel.model))
  }
}
