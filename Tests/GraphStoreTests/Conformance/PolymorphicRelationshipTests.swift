import GraphStore
import Testing

private final class CatObject: ManagedObject {}

/// Relationships whose destination has sub-entities.
@Suite(.everyStore)
struct PolymorphicRelationshipTests {
  private static let model = ModelDefinition(
    name: "Zoo",
    entities: [
      EntityDefinition(
        "Animal", isAbstract: true, attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("owner", to: "Owner", inverse: "pet"),
          RelationshipDefinition("keepers", to: "Owner", inverse: "kept", isToMany: true),
        ]),
      EntityDefinition("Dog", parent: "Animal", attributes: [AttributeDefinition("tricks", .int16)]),
      EntityDefinition(
        "Cat", parent: "Animal", className: "CatObject", attributes: [AttributeDefinition("lives", .int16)]),
      EntityDefinition(
        "Lion", parent: "Cat", className: "CatObject", attributes: [AttributeDefinition("mane", .boolean)]),
      EntityDefinition(
        "Owner", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("pet", to: "Animal", inverse: "owner"),
          RelationshipDefinition("kept", to: "Animal", inverse: "keepers", isToMany: true, isOrdered: true),
          RelationshipDefinition("feline", to: "Cat"),
        ]),
    ])

  private let stack: TestStack
  private let owners: [ManagedObject]
  private let animals: [ManagedObject]

  init() throws {
    stack = try TestStack(Self.model, classes: ["CatObject": CatObject.self])
    let context = stack.context
    let kinds = ["Dog", "Cat", "Lion"]
    animals = try kinds.map { try context.insert($0, ["name": $0]) }
    owners = try animals.map { try context.insert("Owner", ["name": "of", "pet": $0]) }
    try owners[0].addObjects([animals[2], animals[0], animals[1]], forKey: "kept")
    try owners[1].setValue(animals[2], forKey: "feline")
    try context.save()
  }

  private func reloaded() throws -> [ManagedObject] {
    stack.context.reset()
    return try stack.context.all("Owner", sort: ["pet.name"]).sorted { $0.objectID < $1.objectID }
  }

  @Test("REL-009, STO-237, REL-005: entity and class of a destination are known before it is loaded")
  func knownAtOnce() throws {
    let owners = try reloaded()
    #expect(try owners.map { try $0.string("name") } == ["of", "of", "of"])
    var pets: [ManagedObject] = []
    let statements = try stack.statements { pets = try owners.compactMap { try $0.object(forKey: "pet") } }
    #expect(statements == 0)
    #expect(pets.map(\.entity.name) == ["Dog", "Cat", "Lion"])
    #expect(pets.map(\.objectID.shortForm) == ["Dog/p1", "Cat/p2", "Lion/p3"])
    #expect(pets.map(\.isFault) == [true, true, true])
    #expect(pets.map { type(of: $0) == CatObject.self } == [false, true, true])
    #expect(try pets.map { try $0.string("name") } == ["Dog", "Cat", "Lion"])
    #expect(try pets[2].value(forKey: "mane") == nil)
    let feline = try owners[1].object(forKey: "feline")
    #expect(feline === pets[2])
  }

  @Test("REL-009: members of several entities keep their order and entities")
  func members() throws {
    let owner = try reloaded()[0]
    let kept = try owner.objects(forKey: "kept")
    #expect(kept.map(\.entity.name) == ["Lion", "Dog", "Cat"])
    #expect(kept.map { type(of: $0) == CatObject.self } == [true, false, true])
    #expect(try kept.allSatisfy { try $0.objects(forKey: "keepers").first === owner })
  }

  @Test("STO-237: pointing to another entity of the tree changes the entity that is read back")
  func changed() throws {
    let owners = try reloaded()
    let lion = try #require(try owners[2].object(forKey: "pet"))
    try owners[0].setValue(lion, forKey: "pet")
    try stack.context.save()
    let other = try stack.otherProcess().all("Owner").sorted { $0.objectID < $1.objectID }
    #expect(try other[0].object(forKey: "pet")?.objectID.shortForm == "Lion/p3")
    #expect(try other[2].object(forKey: "pet") == nil)
    #expect(try stack.otherProcess().all("Dog")[0].object(forKey: "owner") == nil)
    try owners[0].setValue(nil, forKey: "pet")
    try stack.context.save()
    let last = try stack.otherProcess().all("Owner").sorted { $0.objectID < $1.objectID }
    #expect(try last[0].object(forKey: "pet") == nil)
  }

  @Test("MDL-090, OBJ-141: an object of a sibling entity is refused where a sub-entity is asked for")
  func wrongKind() throws {
    let owner = owners[0]
    #expect {
      try owner.setValue(animals[0], forKey: "feline")
    } throws: {
      ($0 as? GraphStoreError)?.code == .wrongDestination
    }
    try owner.setValue(animals[1], forKey: "feline")
    #expect(try owner.object(forKey: "feline") === animals[1])
  }

  @Test("MDL-088: key paths and fetches over the super-entity reach every sub-entity")
  func fetches() throws {
    #expect(try stack.context.all("Owner", "pet.name == 'Lion'").count == 1)
    #expect(try stack.context.all("Animal", sort: ["name"]).map(\.entity.name) == ["Cat", "Dog", "Lion"])
    #expect(
      try stack.context.all("Cat", "owner != nil", sort: ["name"]).map(\.entity.name) == ["Cat", "Lion"])
    #expect(try stack.context.all("Owner", "ANY kept.name == 'Dog'").count == 1)
  }
}
