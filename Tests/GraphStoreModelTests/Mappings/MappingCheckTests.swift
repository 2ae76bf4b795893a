import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Mappings checked against two models")
struct MappingCheckTests {
  @Test(
    "MIG-137: names that neither model has are errors with path and nearest name",
    arguments: [
      (
        #"{"source":"Contry","destination":"Country"}"#, "mapping-unknown-entity entityMappings[0].source",
        "Country"
      ),
      (
        #"{"source":"Mood","destination":"Moood"}"#, "mapping-unknown-entity entityMappings[0].destination",
        "Mood"
      ),
      (
        MappingSamples.country(#""attributes":[{"name":"isoContinet","value":"1"}]"#),
        "mapping-unknown-property entityMappings[0].attributes[0].name", "isoContinent"
      ),
      (
        MappingSamples.country(#""relationships":[{"name":"mods","value":null}]"#),
        "mapping-unknown-property entityMappings[0].relationships[0].name", "moods"
      ),
      (
        MappingSamples.country(
          #""relationships":[{"name":"moods","mapping":"MoodToMod","from":"$source.moods"}]"#),
        "mapping-unknown-mapping entityMappings[0].relationships[0].mapping", "MoodToMood"
      ),
    ])
  func names(mapping: String, problem: String, suggestion: String) throws {
    let found = try MappingSamples.errors(MappingSamples.file(mapping))
    #expect(found.map { "\($0.code) \($0.path)" } == [problem])
    #expect(found.map(\.suggestion) == [suggestion])
    #expect(found.allSatisfy { $0.line == 1 && ($0.column ?? 0) > 1 })
  }

  @Test(
    "MIG-137, MIG-151, MIG-152: what cannot be is refused",
    arguments: [
      (#"{"source":null,"destination":null}"#, "mapping-missing-key entityMappings[0]"),
      (
        #"{"source":"Mood","destination":"Mood"},{"source":"Mood","destination":"Mood"}"#,
        "mapping-duplicate-name entityMappings[1].name"
      ),
      (#"{"name":"","source":"Mood","destination":"Mood"}"#, "mapping-bad-value entityMappings[0].name"),
      (
        MappingSamples.country(
          #""attributes":[{"name":"isoContinent","value":"1"},{"name":"isoContinent","value":"2"}]"#),
        "mapping-duplicate-name entityMappings[0].attributes[1].name"
      ),
      (
        MappingSamples.country(#""attributes":[{"name":"moods","value":"1"}]"#),
        "mapping-unknown-property entityMappings[0].attributes[0].name"
      ),
      (
        MappingSamples.country(#""relationships":[{"name":"code","value":"1"}]"#),
        "mapping-unknown-property entityMappings[0].relationships[0].name"
      ),
      (
        #"{"source":"Mood","destination":null,"attributes":[{"name":"rating","value":"1"}]}"#,
        "mapping-not-applicable entityMappings[0].attributes"
      ),
      (#"{"destination":"Mood","where":"rating > 1"}"#, "mapping-not-applicable entityMappings[0].where"),
      (
        #"{"source":"Mood","destination":"Mood","where":"ratng > 1"}"#,
        "mapping-bad-expression entityMappings[0].where"
      ),
      (
        #"{"source":"Mood","destination":"Mood","where":"rating > $source.rating"}"#,
        "mapping-bad-expression entityMappings[0].where"
      ),
    ])
  func impossible(mapping: String, problem: String) throws {
    #expect(try MappingSamples.problems(MappingSamples.file(mapping)) == [problem])
  }

  @Test("MIG-137: the store computes derived attributes, and keeps no transient ones: neither is stated")
  func computed() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "A",
        attributes: [
          .init("x", .string), .init("d", .string, derivation: "uppercase:(x)"),
          .init("t", .string, isTransient: true),
        ])
    ])
    for name in ["d", "t"] {
      let text = MappingSamples.file(
        #"{"source":"A","destination":"A","attributes":[{"name":"\#(name)","value":"'a'"}]}"#)
      #expect(
        try MappingSamples.problems(text, model, model) == [
          "mapping-not-applicable entityMappings[0].attributes[0].name"
        ])
    }
  }

  @Test("MIG-137: nothing can be made of an abstract entity, unless the source's own became abstract")
  func abstractDestination() throws {
    func model(_ isAbstract: Bool) -> ModelDefinition {
      ModelDefinition(entities: [
        EntityDefinition("B", isAbstract: isAbstract), EntityDefinition("S", parent: "B"),
      ])
    }
    let text = MappingSamples.file(#"{"source":"S","destination":"B"}"#)
    #expect(
      try MappingSamples.problems(text, model(true), model(true)) == [
        "mapping-bad-value entityMappings[0].destination"
      ])
    let own = MappingSamples.file(#"{"source":"B","destination":"B"}"#)
    #expect(try MappingSamples.problems(own, model(false), model(true)) == [])
  }

  @Test("MIG-152: the type follows from the rest, and one that contradicts it is refused")
  func kinds() throws {
    func kind(_ mapping: String) throws -> [String] {
      let rest =
        #"{"source":"Country","destination":"Country","attributes":[{"name":"isoContinent","value":"1"}]}"#
      return try MappingSamples.checked(MappingSamples.file(mapping, rest)).summary
    }
    #expect(try kind(#"{"name":"m","destination":"Mood"}"#).first == "m add")
    #expect(try kind(#"{"name":"m","source":"Mood","destination":null}"#).first == "m remove")
    #expect(try kind(#"{"name":"m","source":"Mood","destination":"Mood"}"#).first == "m transform")
    #expect(try kind(#"{"name":"m","source":"Mood","destination":"Mood","policy":"P"}"#).first == "m custom")
    #expect(
      try kind(#"{"name":"m","source":"Mood","destination":"Mood","type":"transform"}"#).first
        == "m transform")
    let same = ModelDefinition(entities: [EntityDefinition("A", attributes: [.init("x", .string)])])
    for (mapping, kind) in [
      (#"{"source":"A","destination":"A"}"#, "copy"),
      (#"{"source":"A","destination":"A","type":"transform"}"#, "copy"),
      (#"{"source":"A","destination":"A","where":"x == 'a'"}"#, "transform"),
      (#"{"source":"A","destination":"A","attributes":[{"name":"x","value":"$source.x"}]}"#, "transform"),
    ] {
      #expect(
        try MappingSamples.checked(MappingSamples.file(mapping), same, same).summary == ["AToA \(kind)"])
    }
    for (mapping, suggestion) in [
      (#"{"source":"Mood","destination":"Mood","type":"copy"}"#, "transform"),
      (#"{"source":"Mood","destination":"Mood","type":"custom"}"#, "transform"),
      (#"{"source":"Mood","destination":"Mood","type":"add"}"#, "transform"),
      (#"{"destination":"Mood","type":"remove"}"#, "add"),
      (#"{"destination":"Mood","policy":"P","type":"add"}"#, "custom"),
    ] {
      let found = try MappingSamples.errors(MappingSamples.file(mapping))
      #expect(found.map { "\($0.code) \($0.path)" } == ["mapping-bad-value entityMappings[0].type"])
      #expect(found.map(\.suggestion) == [suggestion])
    }
  }

  @Test(
    "MIG-139, MIG-159: what is not mentioned is inferred, after what is written and in the order of the model"
  )
  func completion() throws {
    let mapping = try MappingSamples.checked(MappingSamples.file(MappingSamples.country()))
    #expect(
      mapping.summary == [
        "CountryToCountry transform", "ContinentToContinent transform", "MoodToMood transform",
      ])
    #expect(mapping.entityMappings.map(\.isInferred) == [false, true, true])
    #expect(
      mapping.properties(of: "CountryToCountry") == [
        "code: Country.code", "name: Country.name", "isoContinent: = 1", "continent: Country.continent",
        "moods: Country.moods",
      ])
    #expect(
      mapping.properties(of: "MoodToMood") == [
        "rating: Mood.rating", "country: Mood.country", "continent: empty",
      ])
    #expect(mapping.entityMappings[0].attributes.map(\.isInferred) == [true, true, false])
  }

  @Test("MIG-140: complete mappings leave out what they do not mention, but for what they say is inferred")
  func complete() throws {
    let country = MappingSamples.country(
      #""complete":true,"attributes":[{"name":"code"},{"name":"isoContinent","value":"2"}],"relationships":[{"name":"moods"}]"#
    )
    let some = try MappingSamples.checked(MappingSamples.file(country))
    #expect(
      some.properties(of: "CountryToCountry") == [
        "code: Country.code", "name: default", "isoContinent: = 2", "continent: empty",
        "moods: Country.moods",
      ])
    let all = try MappingSamples.checked(MappingSamples.file(country, rest: #","complete":true"#))
    #expect(
      all.summary == [
        "CountryToCountry transform", "ToContinent add", "ToMood add", "ContinentTo remove", "MoodTo remove",
      ])
  }

  @Test("MIG-141: what is left out and cannot be inferred refuses the step with the reasons")
  func refusal() throws {
    let models = try MappingSamples.models()
    let mapping = MappingModel(entityMappings: [
      EntityMapping(from: "Country", to: "Country", attributeMappings: [PropertyMapping("code", .none)])
    ])
    #expect(
      throws: InferenceError([
        InferenceRefusal(
          entity: "Country", property: "isoContinent", new: "int16, required",
          reason: "objects that exist already would lack a value",
          remedy:
            "Make it optional, give it a default, or write a mapping for this step."
        )
      ])
    ) { try CheckedMapping(mapping: mapping, from: models.old, to: models.new) }
    let error = try #require(throws: InferenceError.self) {
      try CheckedMapping(mapping: mapping, from: models.old, to: models.new)
    }
    #expect(error.number == 134_190 && error.code == "not-inferable")
  }

  @Test("MIG-143: a mapping in code and its file behave alike")
  func code() throws {
    let models = try MappingSamples.models()
    let text = MappingSamples.file(
      MappingSamples.country(#""attributes":[{"name":"isoContinent","value":"$source.continent.code"}]"#))
    let mapping = MappingModel(entityMappings: [
      EntityMapping(
        from: "Country", to: "Country",
        attributeMappings: [
          PropertyMapping("isoContinent", .expression(try QueryExpression(parsing: "$source.continent.code")))
        ])
    ])
    let (file, code) = (
      try MappingSamples.checked(text), try CheckedMapping(mapping: mapping, from: models.old, to: models.new)
    )
    #expect(file.summary == code.summary)
    for name in file.entityMappings.map(\.name) {
      #expect(file.properties(of: name) == code.properties(of: name))
    }
    let wrong = MappingModel(entityMappings: [EntityMapping(from: "Contry", to: "Country")])
    let error = try #require(throws: ModelError.self) {
      try CheckedMapping(mapping: wrong, from: models.old, to: models.new)
    }
    #expect(
      error.problems.map { "\($0.code) \($0.path)" } == ["mapping-unknown-entity entityMappings[0].source"])
    #expect(error.problems[0].line == nil)
  }

  @Test("MIG-155: one entity may feed several mappings, and several one entity")
  func several() throws {
    let mapping = try MappingSamples.checked(
      MappingSamples.file(
        #"{"name":"a","source":"Country","destination":"Country","where":"code > 1","attributes":[{"name":"isoContinent","value":"1"}]}"#,
        #"{"name":"b","source":"Country","destination":"Continent"}"#,
        #"{"name":"c","source":"Continent","destination":"Continent"}"#))
    #expect(mapping.summary == ["a transform", "b transform", "c transform", "MoodToMood transform"])
    #expect(mapping.properties(of: "b").contains("code: Country.code"))
  }

  @Test(
    "MIG-158: sub-entities inherit what a mapping between abstract entities states, unless they state their own"
  )
  func inheritance() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition("P", isAbstract: true, attributes: [.init("x", .string), .init("y", .string)]),
      EntityDefinition("Q", parent: "P", isAbstract: true), EntityDefinition("A", parent: "Q"),
      EntityDefinition("B", parent: "P"),
    ])
    func x(_ value: String, _ rest: String = "") -> String {
      #""attributes":[{"name":"x","value":"'\#(value)'"}]\#(rest)"#
    }
    let mapping = try MappingSamples.checked(
      MappingSamples.file(
        #"{"source":"P","destination":"P",\#(x("p"))}"#, #"{"source":"Q","destination":"Q",\#(x("q"))}"#,
        #"{"source":"B","destination":"B",\#(x("b"))}"#), model, model)
    #expect(mapping.summary == ["BToB transform", "AToA transform"])
    #expect(mapping.properties(of: "AToA") == ["x: = \"q\"", "y: P.y"])
    #expect(mapping.properties(of: "BToB") == ["x: = \"b\"", "y: P.y"])
    let complete = try MappingSamples.checked(
      MappingSamples.file(#"{"source":"P","destination":"P",\#(x("p", #","complete":true"#))}"#), model, model
    )
    #expect(complete.properties(of: "BToB") == ["x: = \"p\"", "y: default"])
    for (key, value) in [("where", "x == 'a'"), ("policy", "P")] {
      let text = MappingSamples.file(#"{"source":"P","destination":"P","\#(key)":"\#(value)"}"#)
      #expect(
        try MappingSamples.problems(text, model, model) == ["mapping-not-applicable entityMappings[0].\(key)"]
      )
    }
    let reference = MappingSamples.file(
      #"{"source":"P","destination":"P"},{"source":"A","destination":"A","attributes":[{"name":"x","value":"FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'PToP', $source)"}]}"#
    )
    #expect(
      try MappingSamples.errors(reference, model, model).map(\.message) == [
        "The entity mapping \"PToP\" is between abstract entities and makes no objects."
      ])
  }

  @Test("MIG-138: a mapping that records hashes is refused for other versions")
  func hashes() throws {
    let models = try MappingSamples.models()
    var mapping = try MappingModel(json: MappingSamples.file(MappingSamples.country()).utf8)
    mapping.sourceHashes = models.old.entityVersionHashesByName.mapValues { Array($0) }
    mapping.destinationHashes = models.new.entityVersionHashesByName.mapValues { Array($0) }
    #expect(try CheckedMapping(mapping: mapping, from: models.old, to: models.new).entityMappings.count == 3)
    mapping.sourceHashes?["Mood"]?[0] ^= 1
    mapping.destinationHashes?["Other"] = []
    let error = try #require(throws: ModelError.self) {
      try CheckedMapping(mapping: mapping, from: models.old, to: models.new)
    }
    #expect(
      error.problems.map { "\($0.code) \($0.path) \($0.value ?? "")" } == [
        "mapping-bad-version sourceHashes Mood", "mapping-bad-version destinationHashes Other",
      ])
  }

  @Test(
    "MIG-136, MIG-227: the files of one step are its parts, and what none mentions is inferred in the last")
  func parts() throws {
    let models = try MappingSamples.models()
    func parts(_ files: String...) throws -> [CheckedMapping] {
      try CheckedMapping.parts(
        files.map { try MappingFile(Array($0.utf8)) }, from: models.old, to: models.new)
    }
    let mood = #"{"source":"Mood","destination":"Mood"}"#
    let found = try parts(MappingSamples.file(mood), MappingSamples.file(MappingSamples.country()))
    #expect(
      found.map(\.summary) == [
        ["MoodToMood transform"], ["CountryToCountry transform", "ContinentToContinent transform"],
      ])
    func problems(_ files: String...) -> [String] {
      do {
        _ = try CheckedMapping.parts(
          try files.enumerated().map { try MappingFile(Array($1.utf8), path: "\($0).json") },
          from: models.old,
          to: models.new)
        return []
      } catch let error as ModelError {
        return error.problems.map { "\($0.file ?? "") \($0.code) \($0.path)" }
      } catch {
        return ["\(error)"]
      }
    }
    let twice =
      #"{"name":"other","source":"Country","destination":"Country","attributes":[{"name":"isoContinent","value":"1"}]}"#
    #expect(
      problems(MappingSamples.file(MappingSamples.country()), MappingSamples.file(twice)) == [
        "1.json mapping-duplicate-name entityMappings[0]"
      ])
    let later =
      #"{"source":"Mood","destination":"Mood","relationships":[{"name":"country","mapping":"CountryToCountry","from":"$source.country"}]}"#
    #expect(
      problems(MappingSamples.file(later), MappingSamples.file(MappingSamples.country())) == [
        "0.json mapping-bad-value entityMappings[0].relationships[0].mapping"
      ])
    #expect(problems(MappingSamples.file(MappingSamples.country()), MappingSamples.file(later)) == [])
  }

  @Test("MIG-227: a one-way relationship to objects of a later mapping is refused")
  func laterMembers() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition("A", relationships: [.init("b", to: "B")]), EntityDefinition("B"),
    ])
    let models = try MappingSamples.models(model, model)
    func code(_ names: String...) -> String? {
      do {
        let mappings = names.map { MappingModel(entityMappings: [EntityMapping(from: $0, to: $0)]) }
        _ = try CheckedMapping.parts(mappings, from: models.old, to: models.new)
        return nil
      } catch {
        return (error as? ModelError)?.code
      }
    }
    #expect(code("A", "B") == "mapping-bad-value")
    #expect(code("B", "A") == nil)
  }
}
