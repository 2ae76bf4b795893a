import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Mappings spelt out")
struct MappingDraftTests {
  private func draft(_ old: ModelDefinition, _ new: ModelDefinition) throws -> MappingModel {
    let models = try MappingSamples.models(old, new)
    return MappingModel.draft(from: models.old, to: models.new)
  }

  /// The property mappings of an entity mapping, each as its JSON on one line.
  private func lines(_ mapping: EntityMapping) -> [String] {
    (mapping.attributeMappings + mapping.relationshipMappings).map { property in
      let value =
        switch property.value {
        case .inferred: "inferred"
        case .none: "null"
        case .expression(let expression): expression.expressionFormat
        case .objects(let name, let expression): "\(name) of \(expression)"
        }
      return "\(property.name): \(value)" + (property.userInfo["note"] == nil ? "" : " !")
    }
  }

  @Test("MIG-144: everything is spelt out as it is inferred, with a note where it is not")
  func notes() throws {
    let mapping = try draft(MappingSamples.old, MappingSamples.new)
    #expect(mapping.entityMappings.map(\.name) == ["ContinentToContinent", "CountryToCountry", "MoodToMood"])
    #expect(
      lines(mapping.entityMappings[1]) == [
        "code: $source.code", "name: $source.name", "isoContinent: null !",
        "continent: ContinentToContinent of $source.continent", "moods: MoodToMood of $source.moods",
      ])
    #expect(lines(mapping.entityMappings[2]).last == "continent: null")
    let note = mapping.entityMappings[1].attributeMappings[2].userInfo["note"]
    #expect(
      note
        == "objects that exist already would lack a value. Make it optional, give it a default, or write a mapping for this step."
    )
    var text = mapping
    (text.source, text.destination) = ("1", "2")
    #expect(try MappingModel(json: text.jsonData()) == text)
    #expect(
      try MappingSamples.problems(String(decoding: text.jsonData(), as: UTF8.self)) == [],
      "null is a value: the data then break the rule")
  }

  @Test("MIG-144: values that become defaults, conversions and added or removed entities")
  func values() throws {
    let old = ModelDefinition(entities: [
      EntityDefinition(
        "A",
        attributes: [
          .init("n", .int64), .init("s", .string), .init("b", .boolean),
          .init("c", .composite, elements: [.init("e", .string)]),
        ]), EntityDefinition("Gone"),
    ])
    let new = ModelDefinition(entities: [
      EntityDefinition(
        "A",
        attributes: [
          .init("n", .int16), .init("s", .string, isOptional: false, defaultValue: "-"), .init("b", .int16),
          .init("c", .composite, elements: [.init("e", .string), .init("f", .string)]),
          .init("d", .date, defaultValue: "2020-01-01T00:00:00Z"), .init("t", .string, isTransient: true),
          .init("u", .string, derivation: "uppercase:(s)"),
        ]), EntityDefinition("Added"),
    ])
    let mapping = try draft(old, new)
    #expect(mapping.entityMappings.map(\.name) == ["AToA", "ToAdded", "GoneTo"])
    #expect(mapping.entityMappings[2].destinationEntityName == nil)
    #expect(
      lines(mapping.entityMappings[0]) == [
        "n: $source.n", "s: TERNARY($source.s == nil, \"-\", $source.s)", "b: inferred", "c: inferred",
        "d: CAST(599529600.0, \"NSDate\")",
      ])
  }

  @Test(
    "MIG-144: a side that follows from the other, an order that there was not, and members of several mappings"
  )
  func relationships() throws {
    func model(_ inverse: String?, ordered: Bool) -> ModelDefinition {
      ModelDefinition(entities: [
        EntityDefinition("A", relationships: [.init("b", to: "B", inverse: inverse)]),
        EntityDefinition(
          "B",
          relationships: (inverse.map { [.init($0, to: "A", inverse: "b", isToMany: true)] } ?? [])
            + [
              .init("p", to: "P", isToMany: true, isOrdered: ordered),
              .init("a", to: "A", isToMany: true, isOrdered: ordered),
            ]),
        EntityDefinition("P"), EntityDefinition("Q", parent: "P"),
      ])
    }
    let mapping = try draft(model(nil, ordered: false), model("all", ordered: true))
    #expect(lines(mapping.entityMappings[0]) == ["b: BToB of $source.b"])
    #expect(lines(mapping.entityMappings[1]) == ["p: inferred", "a: inferred"])
    #expect(
      try lines(draft(model(nil, ordered: true), model(nil, ordered: true)).entityMappings[1])[1]
        == "a: AToA of $source.a")
  }

  @Test(
    "MIG-071, MIG-144: what is inferred is spelt out, and checks; else there are the reasons",
    arguments: TestSeed.sequence(60))
  func random(_ seed: TestSeed) throws {
    var generator = RandomModel(seed)
    let models = try MappingSamples.models(generator.definition(), generator.definition())
    for (old, new) in [(models.old, models.new), (models.new, models.old), (models.old, models.old)] {
      let isInferable = ModelDifference(from: old, to: new).isInferable
      do {
        var mapping = try MappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        #expect(isInferable, "\(seed)")
        let inferred = try CheckedMapping(mapping: nil, from: old, to: new)
        let checked = try CheckedMapping(mapping: mapping, from: old, to: new)
        #expect(checked.entityMappings.map(\.name) == inferred.entityMappings.map(\.name), "\(seed)")
        #expect(checked.losses == inferred.losses, "\(seed)")
        (mapping.source, mapping.destination) = ("1", "2")
        #expect(try MappingModel(json: mapping.jsonData()) == mapping, "\(seed)")
      } catch let error as InferenceError {
        #expect(!isInferable && !error.refusals.isEmpty, "\(seed)")
        let mapping = MappingModel.draft(from: old, to: new)
        let notes = mapping.entityMappings.flatMap { entity in
          [entity.userInfo] + (entity.attributeMappings + entity.relationshipMappings).map(\.userInfo)
        }.filter { $0["note"] != nil }
        #expect(!notes.isEmpty, "\(seed)")
      }
    }
  }
}
