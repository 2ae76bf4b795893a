import GraphStoreCodegen
import GraphStoreModel
import Testing

@Suite("What generated code leaves out")
struct LeftOutTests {
  private let thing = EntityDefinition(
    "Thing",
    attributes: [
      AttributeDefinition("plain", .string), AttributeDefinition("t", .transformable),
      AttributeDefinition("u", .undefined, isTransient: true),
      AttributeDefinition("c", .composite, elements: [AttributeDefinition("x", .double)]),
    ], fetchedProperties: [FetchedPropertyDefinition("f", entity: "Thing")])

  @Test("OBJ-028: a fetched property is an array of its destination's class, with a key and without a path")
  func fetchedProperty() throws {
    let code = try code(thing)
    #expect(code.rules.isEmpty)
    let text = code.text("Thing+Properties.swift")
    #expect(text.contains("var plain: String?"))
    #expect(text.contains("static let f = FetchedPropertyKey<Thing, Thing>(\"f\")"))
    #expect(text.contains("var f: [Thing] { self[Keys.f] }"))
    #expect(!text.contains("property(\"f\")") && text.contains("property(\"plain\")"))
  }

  @Test("OBJ-027: a property that is said to be written by hand is left out without a word")
  func manual() throws {
    var entity = thing
    for position in entity.attributes.indices { entity.attributes[position].userInfo = ["codegen": "manual"] }
    entity.fetchedProperties[0].userInfo = ["codegen": "manual"]
    let code = try code(entity)
    #expect(code.rules.isEmpty)
    let text = code.text("Thing+Properties.swift")
    #expect(!text.contains("plain") && !text.contains("var f"))
  }

  @Test("MDL-235: a template that returns no objects is left out and told")
  func templates() throws {
    let code = try code(
      EntityDefinition("Thing", attributes: [AttributeDefinition("plain", .string)]),
      requests: [
        FetchRequestDefinition("all", entity: "Thing"),
        FetchRequestDefinition("rows", entity: "Thing", resultType: .dictionaries, properties: ["plain"]),
        FetchRequestDefinition("number", entity: "Thing", resultType: .count),
      ])
    #expect(code.rules == ["template-left-out fetchRequests[1]", "template-left-out fetchRequests[2]"])
    #expect(code.files.contains { $0.text.contains("func all(") || $0.text.contains("var all:") })
    #expect(!code.files.contains { $0.text.contains("func rows(") })
  }
}
