import GraphStore
import Testing

/// Uniqueness in a tree of entities.
@Suite(.everyStore)
struct SubentityUniquenessTests {
  private static let model = ModelDefinition(
    name: "Regions",
    entities: [
      EntityDefinition(
        "Region", isAbstract: true,
        attributes: [AttributeDefinition("code", .int16), AttributeDefinition("name", .string)],
        uniquenessConstraints: [["code"]]),
      EntityDefinition("Continent", parent: "Region"),
      EntityDefinition(
        "Country", parent: "Region", attributes: [AttributeDefinition("symbol", .string)],
        uniquenessConstraints: [["name"], ["symbol"]]),
      EntityDefinition("Island", parent: "Country"),
    ])

  private let stack: TestStack

  init() throws { stack = try TestStack(Self.model) }

  private func expectConflict(with id: ManagedObjectID) {
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .constraintConflict && error?.relatedObjects == [id]
    }
  }

  @Test("MDL-293, MDL-375: a constraint of the parent holds across all its sub-entities")
  func acrossSiblings() throws {
    let continent = try stack.context.insert("Continent", ["code": 1])
    try stack.context.save()
    let country = try stack.context.insert("Country", ["code": 1])
    expectConflict(with: continent.objectID)
    try country.setValue(2, forKey: "code")
    try stack.context.insert("Island", ["code": 3])
    try stack.context.save()
    try country.setValue(3, forKey: "code")
    #expect(throws: GraphStoreError.self) { try stack.context.save() }
  }

  @Test("MDL-293: a constraint of a sub-entity over an inherited attribute leaves siblings alone")
  func inheritedAttribute() throws {
    try stack.context.insert("Continent", ["name": "Australia"])
    let country = try stack.context.insert("Country", ["name": "Australia"])
    try stack.context.insert("Continent", ["name": "Australia"])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Region", "name == 'Australia'").count == 3)
    try stack.context.insert("Island", ["name": "Australia"])
    expectConflict(with: country.objectID)
  }

  @Test("MDL-293, MDL-294: its own attribute is unique among it and its sub-entities; nil may repeat")
  func ownAttribute() throws {
    let country = try stack.context.insert("Country", ["symbol": "X"])
    for entity in ["Country", "Island", "Island", "Continent"] { try stack.context.insert(entity, [:]) }
    try stack.context.save()
    let island = try stack.context.insert("Island", ["symbol": "X"])
    expectConflict(with: country.objectID)
    try island.setValue("Y", forKey: "symbol")
    try stack.context.save()
  }

  @Test("CTX-229: objects of two sub-entities exchange their values in one save")
  func exchange() throws {
    let continent = try stack.context.insert("Continent", ["code": 1])
    let island = try stack.context.insert("Island", ["code": 2])
    try stack.context.save()
    try continent.setValue(2, forKey: "code")
    try island.setValue(1, forKey: "code")
    try stack.context.save()
    let stored = try stack.otherProcess().all("Region", sort: ["code"])
    #expect(stored.map(\.entity.name) == ["Island", "Continent"])
  }

  @Test("CTX-229: an exchange works also where one of the two objects changes something else as well")
  func exchangeWithMore() throws {
    let first = try stack.context.insert("Continent", ["code": 1])
    let second = try stack.context.insert("Continent", ["code": 2])
    try stack.context.save()
    try first.setValue(2, forKey: "code")
    try first.setValue("first", forKey: "name")
    try second.setValue(1, forKey: "code")
    try stack.context.save()
    let stored = try stack.otherProcess().all("Region", sort: ["code"])
    #expect(try stored.map { try $0.string("name") } == [nil, "first"])
  }
}
