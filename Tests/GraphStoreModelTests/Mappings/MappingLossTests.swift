import Testing

@testable import GraphStoreModel

@Suite("Losses of mappings")
struct MappingLossTests {
  private func losses(
    _ mappings: [String], from old: ModelDefinition = MappingSamples.old,
    to new: ModelDefinition = MappingSamples.new
  ) throws -> [String] {
    let text = MappingSamples.file(mappings.joined(separator: ","))
    return try MappingSamples.checked(text, old, new).losses.map(\.description)
  }

  @Test("MIG-051, MIG-153: what no mapping reads is lost")
  func unread() throws {
    #expect(try losses([MappingSamples.country()]) == ["Country.note: its values are left behind"])
    let joined = MappingSamples.country(
      #""attributes":[{"name":"isoContinent","value":"1"},{"name":"code","value":"length:($source.note)"}]"#)
    #expect(try losses([joined]) == ["Country.code: its values are left behind"])
    let whole = MappingSamples.country(
      #""attributes":[{"name":"isoContinent","value":"TERNARY($source == nil, 1, 2)"}]"#)
    #expect(try losses([whole]).isEmpty, "an expression that has the object may read all of it")
    #expect(
      try losses([#"{"source":"Mood","destination":null}"#, MappingSamples.country()]) == [
        "Mood: its objects are left behind", "Country.note: its values are left behind",
      ])
  }

  @Test("MIG-156: objects that no mapping takes are lost")
  func filters() throws {
    let text = MappingSamples.country(
      #""where":"code > 1","attributes":[{"name":"isoContinent","value":"1"}]"#)
    #expect(
      try losses([text]) == [
        "Country: objects that no mapping takes are left behind", "Country.note: its values are left behind",
      ])
    let rest = #"{"name":"rest","source":"Country","destination":"Continent"}"#
    #expect(try losses([text, rest]) == ["Country.note: its values are left behind"])
  }

  @Test("MIG-051: order, elements, and what is computed or passed to a policy")
  func kinds() throws {
    func model(_ attributes: [AttributeDefinition], ordered: Bool) -> ModelDefinition {
      ModelDefinition(entities: [
        EntityDefinition(
          "A", attributes: attributes,
          relationships: [.init("r", to: "A", isToMany: true, isOrdered: ordered)])
      ])
    }
    let old = model(
      [.init("x", .string), .init("c", .composite, elements: [.init("e", .string), .init("f", .string)])],
      ordered: true)
    let new = model(
      [
        .init("x", .string, derivation: "uppercase:(y)"), .init("y", .string),
        .init("c", .composite, elements: [.init("f", .string)]),
      ],
      ordered: false)
    #expect(
      try losses([], from: old, to: new) == [
        "A.c.e: its values are left behind", "A.x: its values are replaced by computed ones",
        "A.r: the order of its members is left behind",
      ])
    #expect(
      try losses(
        [#"{"source":"A","destination":"A","attributes":[{"name":"y","value":"$source.x"}]}"#], from: old,
        to: new) == [
          "A.c.e: its values are left behind", "A.r: the order of its members is left behind",
        ])
    #expect(try losses([#"{"source":"A","destination":"A","policy":"P"}"#], from: old, to: new).isEmpty)
  }
}
