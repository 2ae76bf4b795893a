import Testing

@testable import GraphStore

/// Paths over relationships that sub-entities have declared one each, and over members that several owners
/// share.
@Suite("Paths over relationships of one name", .everyStore)
struct SiblingRelationshipTests {
  private static func marked(_ name: String, _ inverse: String) -> EntityDefinition {
    EntityDefinition(
      name, parent: "Thing",
      relationships: [RelationshipDefinition("marks", to: "Mark", inverse: inverse, isToMany: true)])
  }

  private static let model = ModelDefinition(
    name: "Siblings",
    entities: [
      EntityDefinition(
        "Person", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("items", to: "Thing", inverse: "owners", isToMany: true)]),
      EntityDefinition(
        "Thing",
        relationships: [RelationshipDefinition("owners", to: "Person", inverse: "items", isToMany: true)]),
      marked("A", "as"), marked("B", "bs"),
      EntityDefinition(
        "Mark", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("as", to: "A", inverse: "marks", isToMany: true),
          RelationshipDefinition("bs", to: "B", inverse: "marks", isToMany: true),
        ]),
    ])

  private let stack: TestStack

  /// Two persons with an A that they share, a third with a B; each thing has one mark.
  init() throws {
    stack = try TestStack(Self.model)
    let context = stack.context
    let things = try ["A", "B"].map { entity in
      let mark = try context.insert("Mark", ["name": "é"])
      return try context.insert(entity, ["marks": Set([mark])])
    }
    for (number, thing) in [things[0], things[0], things[1]].enumerated() {
      try context.insert("Person", ["name": "\(number)", "items": Set([thing])])
    }
    try context.save()
    context.reset()
  }

  private func names(_ predicate: String, in context: ManagedObjectContext) throws -> [String] {
    try context.all("Person", predicate, sort: ["name"]).map { try $0.string("name") ?? "" }
  }

  @Test(
    "FET-296: a step that leads to objects of several sub-entities reads the relationship of each")
  func siblings() throws {
    for isChanged in [false, true] {
      let context = stack.newContext()
      if isChanged {
        // Memory filters then, whatever the store could.
        try context.all("Mark")[0].setValue("e", forKey: "name")
      }
      #expect(
        try names("ANY items.marks.name MATCHES[cd] TERNARY(name != '', 'e', '')", in: context)
          == ["0", "1", "2"])
      #expect(try names("SUBQUERY(items, $i, $i.marks.@count > 0).@count == 1", in: context).count == 3)
    }
  }

  @Test("FET-296: members that several owners share are there once for each")
  func shared() throws {
    let context = stack.newContext()
    try context.all("Mark")[1].setValue("x", forKey: "name")
    for _ in 0..<4 {
      #expect(
        try names("SUBQUERY(items.marks, $m, $m.name MATCHES $m.name).@count > 1", in: context).isEmpty)
    }
  }
}
