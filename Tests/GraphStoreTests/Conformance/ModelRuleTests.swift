import GraphStore
import Testing

@Suite("What a model says and a store keeps", .everyStore)
struct ModelRuleTests {
  private func stack(_ attributes: [AttributeDefinition], unique: [[String]] = []) throws -> TestStack {
    try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("Thing", attributes: attributes, uniquenessConstraints: unique)
      ]))
  }

  @Test(
    "MDL-101, MDL-102: kinds of properties share one name space, and each is optional unless it says otherwise"
  )
  func names() throws {
    let model = try ManagedObjectModel(
      json: #"{"entities": [{"name": "A", "attributes": [{"name": "x", "type": "string"}]}]}"#.utf8)
    #expect(model.entitiesByName["A"]?.attributesByName["x"]?.isOptional == true)
    #expect {
      try ManagedObjectModel(
        ModelDefinition(entities: [
          EntityDefinition(
            "A", attributes: [.init("x", .string)],
            fetchedProperties: [FetchedPropertyDefinition("x", entity: "A")])
        ]))
    } throws: { ($0 as? ModelError)?.code == "model-duplicate-name" }
  }

  @Test("MDL-126: a string reads back with the scalars it was given, whatever their normal form")
  func scalars() throws {
    let stack = try stack([.init("name", .string)])
    let texts =
      ["\u{e9}", "e\u{301}", "\u{1f468}\u{200d}\u{1f469}", "\u{fffd}\u{10ffff}", "\u{212b}"]
      + (stack.has(.everyCharacter) ? ["\u{0}a"] : [])
    for text in texts { try stack.context.insert("Thing", ["name": text]) }
    try stack.context.save()
    stack.context.reset()
    let read = try stack.context.all("Thing").map { try $0.string("name") ?? "" }
    #expect(Set(read.map { Array($0.unicodeScalars) }) == Set(texts.map { Array($0.unicodeScalars) }))
  }

  @Test("MDL-147: another default is no other model, and touches no stored object", .needs(.files))
  func defaults() throws {
    let stack = try stack([.init("size", .int32, defaultValue: .number("1"))])
    try stack.context.insert("Thing", [:])
    try stack.context.save()
    let changed = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition("Thing", attributes: [.init("size", .int32, defaultValue: .number("2"))])
      ]))
    let context = ManagedObjectContext(coordinator: try .open(storeAt: stack.path, model: changed))
    #expect(try context.all("Thing")[0].value(forKey: "size") as? Int32 == 1)
    #expect(try context.insert("Thing", [:]).value(forKey: "size") as? Int32 == 2)
    context.coordinator.close()
  }

  @Test("MDL-152: a missing value breaks no constraint but that of being there")
  func missing() throws {
    let stack = try stack([
      .init("size", .int32, minimum: .number("5")), .init("name", .string, minLength: 3, pattern: "[a-z]+"),
      .init("code", .string, isOptional: false),
    ])
    let thing = try stack.context.insert("Thing", ["code": "x"])
    try stack.context.save()
    try thing.setValue(nil, forKey: "code")
    #expect(throws: (any Error).self) { try stack.context.save() }
  }

  @Test("MDL-295: unique strings differ where their bytes do, numbers are equal by value")
  func equality() throws {
    let stack = try stack(
      [.init("name", .string), .init("price", .decimal)], unique: [["name"], ["price"]])
    for name in ["a", "A", "\u{e9}", "e\u{301}"] { try stack.context.insert("Thing", ["name": name]) }
    try stack.context.save()
    try stack.context.insert("Thing", ["name": "e\u{301}"])
    #expect(throws: (any Error).self) { try stack.context.save() }
  }

  @Test("MDL-201, MDL-207: two entities are joined by several relationships, each with its own inverse")
  func several() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Book",
          relationships: [
            .init("author", to: "Person", inverse: "written"),
            .init("readers", to: "Person", inverse: "read", isToMany: true),
          ]),
        EntityDefinition(
          "Person", attributes: [.init("name", .string)],
          relationships: [
            .init("written", to: "Book", inverse: "author", isToMany: true),
            .init("read", to: "Book", inverse: "readers", isToMany: true),
          ]),
      ]))
    let book = try stack.context.insert("Book", [:])
    let ada = try stack.context.insert("Person", ["name": "Ada"])
    try ada.setValue([book], forKey: "written")
    try book.setValue([ada], forKey: "readers")
    try stack.context.save()
    stack.context.reset()
    let found = try #require(
      try stack.context.all("Book", "author.name == 'Ada' AND ANY readers.name == 'Ada'").first)
    #expect(try found.names("readers") == ["Ada"])
    #expect(try stack.context.all("Person", "written.@count == 1 AND read.@count == 1").count == 1)
  }
}
