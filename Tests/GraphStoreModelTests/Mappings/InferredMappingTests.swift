import Testing

@testable import GraphStoreModel

@Suite("Inferred mappings")
struct InferredMappingTests {
  private func entity(
    _ name: String, parent: String? = nil, isAbstract: Bool = false, _ attributes: AttributeDefinition...,
    links: [RelationshipDefinition] = []
  ) -> EntityDefinition {
    EntityDefinition(
      name, parent: parent, isAbstract: isAbstract, attributes: attributes, relationships: links)
  }

  private func infer(_ old: [EntityDefinition], _ new: [EntityDefinition]) throws -> CheckedMapping {
    let models = try MappingSamples.models(ModelDefinition(entities: old), ModelDefinition(entities: new))
    return try CheckedMapping(mapping: nil, from: models.old, to: models.new)
  }

  private func refusals(_ old: [EntityDefinition], _ new: [EntityDefinition]) throws -> [String] {
    try MappingSamples.refusals(ModelDefinition(entities: old), ModelDefinition(entities: new))
  }

  @Test("MIG-072, MIG-073, MIG-074: entities are added, left behind and renamed")
  func entities() throws {
    let mapping = try infer(
      [entity("A", .init("x", .string)), entity("B")],
      [
        EntityDefinition("C", attributes: [.init("x", .string)], renamingIdentifier: "A"), entity("D"),
      ])
    #expect(mapping.summary == ["AToC transform", "ToD add", "BTo remove"])
    #expect(mapping.properties(of: "AToC") == ["x: A.x"])
    #expect(mapping.entityMappings.allSatisfy { $0.isInferred && $0.filter == nil && $0.policyName == nil })
    #expect(try infer([entity("A")], [entity("A")]).summary == ["AToA copy"])
  }

  @Test(
    "MIG-075, MIG-076, MIG-077, MIG-078, MIG-079: attributes are added, removed, renamed, and made optional or mandatory"
  )
  func attributes() throws {
    let mapping = try infer(
      [
        entity(
          "A", .init("gone", .string), .init("old", .string), .init("must", .string, isOptional: false),
          .init("may", .string))
      ],
      [
        entity(
          "A", .init("added", .string), .init("fixed", .int16, isOptional: false, defaultValue: 3),
          .init("new", .string, renamingIdentifier: "old"), .init("must", .string),
          .init("may", .string, isOptional: false, defaultValue: "?"))
      ])
    #expect(
      mapping.properties(of: "AToA") == [
        "added: default", "fixed: default", "new: A.old", "must: A.must", "may: A.may",
      ])
  }

  @Test(
    "MIG-061, MIG-062: what has an identifier goes by it, on either side, and everything else by its name")
  func canonicalNames() throws {
    let old = EntityDefinition(
      "B", attributes: [.init("y", .string, renamingIdentifier: "x"), .init("n", .string)],
      renamingIdentifier: "A")
    let new = EntityDefinition(
      "C", attributes: [.init("z", .string, renamingIdentifier: "x"), .init("n", .string)],
      renamingIdentifier: "A")
    #expect(try infer([old], [new]).properties(of: "BToC") == ["z: B.y", "n: B.n"])
  }

  @Test("MIG-069, MIG-093, MIG-097: what is outside of the hashes needs no migration, and copies everything")
  func outsideOfHashes() throws {
    let old = ModelDefinition(entities: [entity("A", .init("x", .string), .init("n", .int16))])
    var new = old
    new.entities[0].renamingIdentifier = "Old"
    new.entities[0].attributes[0].renamingIdentifier = "former"
    new.entities[0].attributes[1].minimum = 3
    new.entities[0].indexes = [.init("i", elements: [.init("x")])]
    let models = try MappingSamples.models(old, new)
    let difference = ModelDifference(from: models.old, to: models.new)
    #expect(!difference.changesHashes && difference.changes.count == 4)
    #expect(difference.changes.allSatisfy { $0.effect == .none })
    #expect(try CheckedMapping(mapping: nil, from: models.old, to: models.new).summary == ["AToA copy"])
  }

  @Test("MIG-094: a hash modifier alone takes everything over as it is")
  func hashModifier() throws {
    let mapping = try infer(
      [entity("A", .init("x", .string))], [entity("A", .init("x", .string, versionHashModifier: "2"))])
    #expect(mapping.summary == ["AToA transform"] && mapping.properties(of: "AToA") == ["x: A.x"])
    #expect(mapping.losses.isEmpty)
  }

  @Test("MIG-154, MIG-157: each concrete entity has a mapping of its own, and a new one has no source")
  func ownMappings() throws {
    let mapping = try infer(
      [entity("P", .init("x", .string)), entity("A", parent: "P")],
      [entity("P", .init("x", .string)), entity("A", parent: "P"), entity("B", parent: "P")])
    #expect(mapping.summary == ["PToP copy", "AToA copy", "ToB add"])
    #expect(mapping.entityMappings[2].source == nil)
    #expect(mapping.properties(of: "ToB") == ["x: default"])
  }

  @Test("MIG-064, MIG-065: names are exchanged by their identifiers")
  func exchange() throws {
    let mapping = try infer(
      [entity("A", .init("a", .string), .init("b", .string))],
      [
        entity(
          "A", .init("a", .string, renamingIdentifier: "b"), .init("b", .string, renamingIdentifier: "a"))
      ])
    #expect(mapping.properties(of: "AToA") == ["a: A.b", "b: A.a"])
  }

  @Test("MIG-080, MIG-102: numbers convert, and nothing else does")
  func types() throws {
    for (old, new) in [(AttributeType.int64, AttributeType.int16), (.double, .decimal), (.float, .int32)] {
      let mapping = try infer([entity("A", .init("x", old))], [entity("A", .init("x", new))])
      #expect(mapping.properties(of: "AToA") == ["x: A.x"])
    }
    let elements = [AttributeDefinition("e", .string)]
    for (old, new) in [
      (AttributeDefinition("x", .string), AttributeDefinition("x", .int16)),
      (.init("x", .date), .init("x", .string)),
      (.init("x", .binary), .init("x", .string)),
      (.init("x", .string), .init("x", .composite, elements: elements)),
    ] {
      #expect(
        try refusals([entity("A", old)], [entity("A", new)]) == [
          "A.x: Source and destination attribute types are incompatible"
        ])
    }
  }

  @Test(
    "MIG-081, MIG-082, MIG-083, MIG-084, MIG-085, MIG-086, MIG-087: relationships go on, whatever becomes of their count, order and end"
  )
  func relationships() throws {
    func model(_ link: RelationshipDefinition, inverse: RelationshipDefinition? = nil) -> [EntityDefinition] {
      [
        entity("A", links: [link]), entity("P"), entity("B", parent: "P", links: inverse.map { [$0] } ?? []),
      ]
    }
    let one = RelationshipDefinition("r", to: "B")
    let many = RelationshipDefinition("r", to: "B", isToMany: true)
    for (old, new) in [
      (one, many), (many, one), (many, RelationshipDefinition("r", to: "B", isToMany: true, isOrdered: true)),
      (one, RelationshipDefinition("r", to: "B", isOptional: false)),
      (one, RelationshipDefinition("r", to: "P")),
      (RelationshipDefinition("r", to: "P"), one),
    ] {
      let mapping = try infer(model(old), model(new))
      #expect(mapping.properties(of: "AToA") == ["r: A.r"])
    }
    let added = try infer(
      model(one), model(.init("r", to: "B", inverse: "s"), inverse: .init("s", to: "A", inverse: "r")))
    #expect(added.properties(of: "BToB") == ["s: empty"] && added.properties(of: "AToA") == ["r: A.r"])
  }

  @Test("MIG-068, MIG-088, MIG-089, MIG-090: entities and properties move within their tree")
  func trees() throws {
    let moved = try infer(
      [
        entity("P"), entity("A", parent: "P", .init("x", .string)),
        entity("B", parent: "P", .init("x", .string)),
      ],
      [entity("P", .init("x", .string)), entity("A", parent: "P"), entity("B", parent: "P")])
    #expect(moved.properties(of: "PToP") == ["x: default"])
    #expect(moved.properties(of: "AToA") == ["x: A.x"] && moved.properties(of: "BToB") == ["x: B.x"])
    let abstract = try infer(
      [entity("P"), entity("A", parent: "P")], [entity("P", isAbstract: true), entity("A", parent: "P")])
    #expect(abstract.summary.contains("PToP transform"), "whether there is an object of it, the data decide")
    let both = [entity("P", isAbstract: true, .init("x", .string)), entity("A", parent: "P")]
    #expect(try infer(both, both).summary == ["AToA copy"])
  }

  @Test("MIG-091, MIG-095: what is not stored or computed takes no values over, whatever its type was")
  func unstored() throws {
    for new in [
      AttributeDefinition("x", .int16, isOptional: false, isTransient: true),
      .init("x", .int16, isOptional: false, derivation: "y"),
    ] {
      let mapping = try infer(
        [entity("A", .init("x", .string), .init("y", .int16))], [entity("A", new, .init("y", .int16))])
      #expect(
        mapping.properties(of: "AToA") == [new.derivation == nil ? "x: default" : "x: derived", "y: A.y"])
    }
    let stored = try infer(
      [entity("A", .init("x", .string, isTransient: true))], [entity("A", .init("x", .int16))])
    #expect(stored.properties(of: "AToA") == ["x: default"])
    let plain = try infer(
      [entity("A", .init("x", .int16), .init("d", .int16, derivation: "x"))],
      [entity("A", .init("x", .int16), .init("d", .int16))])
    #expect(plain.properties(of: "AToA") == ["x: A.x", "d: A.d"])
    #expect(
      try refusals(
        [entity("A", .init("x", .string, isTransient: true))],
        [entity("A", .init("x", .string, isOptional: false))]
      ) == ["A.x: objects that exist already would lack a value"])
  }

  @Test("MIG-096: elements of composites are added, removed and renamed as attributes are")
  func composites() throws {
    func address(_ elements: AttributeDefinition...) -> [EntityDefinition] {
      [entity("A", .init("a", .composite, elements: elements))]
    }
    let mapping = try infer(
      address(.init("city", .string), .init("zip", .int32)),
      address(
        .init("town", .string, renamingIdentifier: "city"), .init("zip", .int64), .init("street", .string)))
    let elements = mapping.entityMappings[0].attributes[0].elements
    #expect(
      elements.map { "\($0.attribute.name): \($0.value.text)" } == [
        "town: A.a.city", "zip: A.a.zip", "street: default",
      ])
    #expect(
      try refusals(
        address(.init("zip", .int32)), address(.init("zip", .string), .init("m", .string, isOptional: false)))
        == [
          "A.a.zip: Source and destination attribute types are incompatible",
          "A.a.m: objects that exist already would lack a value",
        ])
  }

  @Test(
    "MIG-101, MIG-103, MIG-104, MIG-105, MIG-106, MIG-107: all refusals come at once, each with what was, what is, reason and remedy"
  )
  func allRefusals() throws {
    let old = [
      entity("A", .init("x", .string), .init("k", .string), links: [.init("r", to: "B")]), entity("B"),
      entity("C"),
    ]
    let new = [
      entity(
        "A", .init("x", .string, isOptional: false), .init("m", .string, isOptional: false),
        links: [
          .init("r", to: "C"), .init("k", to: "B"), .init("q", to: "B", isOptional: false),
          .init("n", to: "B", isToMany: true, isOptional: false, minCount: 2),
        ]), entity("B"), entity("C"),
    ]
    let models = try MappingSamples.models(ModelDefinition(entities: old), ModelDefinition(entities: new))
    let error = try #require(throws: InferenceError.self) {
      try CheckedMapping(mapping: nil, from: models.old, to: models.new)
    }
    #expect(
      error.refusals.map { "\($0.path) \($0.old ?? "-") > \($0.new ?? "-"): \($0.reason)" } == [
        "A.x optional > required: objects without a value would stay without one",
        "A.m - > string, required: objects that exist already would lack a value",
        "A.r B > C: B and C are not of one family",
        "A.k attribute > relationship: an attribute and a relationship hold different things",
        "A.q - > to-one B, required, nullify: objects that exist already would lack its members",
        "A.n - > to-many B, required, nullify: objects that exist already would lack its members",
      ])
    #expect(error.refusals.allSatisfy { $0.remedy.lowercased().contains("write a mapping") })
    #expect(error.description.split(separator: "\n").count == 6)
  }

  @Test("MIG-104: where the data decide later, an attribute may become mandatory")
  func missingValues() throws {
    let old = ModelDefinition(entities: [entity("A", .init("x", .string))])
    let new = ModelDefinition(entities: [entity("A", .init("x", .string, isOptional: false))])
    #expect(try MappingSamples.refusals(old, new).count == 1)
    #expect(try MappingSamples.refusals(old, new, allowsMissingValues: true).isEmpty)
    let added = ModelDefinition(entities: [
      entity("A", .init("x", .string), .init("y", .string, isOptional: false))
    ])
    #expect(try MappingSamples.refusals(old, added, allowsMissingValues: true).count == 1)
  }

  @Test("MIG-067, MIG-108, MIG-109, MIG-110: what two claim, or two trees and types become, is refused")
  func claims() throws {
    #expect(
      try refusals(
        [entity("A")], [entity("A"), EntityDefinition("B", renamingIdentifier: "A")])
        == ["B: A and B both claim to be A"])
    #expect(
      try refusals(
        [entity("A", .init("x", .string))],
        [entity("A", .init("x", .string), .init("y", .string, renamingIdentifier: "x"))])
        == ["A.y: x and y both claim to be one old property"])
    #expect(
      try refusals(
        [entity("A"), entity("B")], [entity("P"), entity("A", parent: "P"), entity("B", parent: "P")])
        == ["B: B and A have no common ancestor in the old model and get one"])
    #expect(
      try refusals(
        [
          entity("P"), entity("A", parent: "P", .init("x", .int16)),
          entity("B", parent: "P", .init("x", .int32)),
        ],
        [entity("P", .init("x", .int32)), entity("A", parent: "P"), entity("B", parent: "P")])
        == ["P.x: A.x, B.x have different types and become one"])
  }

  @Test("MIG-111, MIG-284: only entities of the configuration count")
  func configurations() throws {
    func model(_ type: AttributeType, local: [String]) -> ModelDefinition {
      ModelDefinition(
        entities: [entity("A", .init("x", .string)), entity("B", .init("x", type)), entity("C")],
        configurations: [.init("Local", entities: local), .init("Other", entities: ["B"])])
    }
    let (old, new) = (model(.string, local: ["A", "C"]), model(.date, local: ["A"]))
    #expect(try MappingSamples.refusals(old, new, configuration: "Local").isEmpty)
    #expect(try MappingSamples.refusals(old, new, configuration: "Other").count == 1)
    #expect(try MappingSamples.refusals(old, new).count == 1)
    let models = try MappingSamples.models(old, new)
    let local = try CheckedMapping(mapping: nil, from: models.old, to: models.new, configuration: "Local")
    #expect(local.summary == ["AToA copy", "CTo remove"])
    #expect(throws: ModelLookupError.self) {
      try CheckedMapping(mapping: nil, from: models.old, to: models.new, configuration: "Nowhere")
    }
  }

  @Test("MIG-139: a mapping that says what cannot be inferred leaves the rest to inference")
  func stated() throws {
    let old = ModelDefinition(entities: [
      entity("A", .init("x", .string), links: [.init("r", to: "B")]), entity("B"), entity("C"),
    ])
    let new = ModelDefinition(entities: [
      entity("A", .init("x", .int16, isOptional: false), links: [.init("r", to: "C")]), entity("B"),
      entity("C"),
    ])
    #expect(try MappingSamples.refusals(old, new).count == 2)
    let mapping = MappingModel(entityMappings: [
      EntityMapping(
        from: "A", to: "A",
        attributeMappings: [PropertyMapping("x", .expression(.constant(7)))]),
      EntityMapping(from: "B", to: "C"),
    ])
    #expect(try MappingSamples.refusals(old, new, mapping: mapping).isEmpty, "what is made of B is of C")
  }

  @Test(
    "MIG-071: a mapping is inferred exactly where the difference says so, and loses what it says",
    arguments: SingleEdit.all)
  func singleEdits(_ edit: SingleEdit) throws {
    var definition = SingleEdit.base
    edit.edit(&definition)
    for (old, new) in [(SingleEdit.base, definition), (definition, SingleEdit.base)] {
      try compare(old, new, "\(edit)")
    }
  }

  @Test("MIG-071: in random models too", arguments: TestSeed.sequence(150))
  func random(_ seed: TestSeed) throws {
    var generator = RandomModel(seed)
    try compare(generator.definition(), generator.definition(), "\(seed)")
  }

  private func compare(_ old: ModelDefinition, _ new: ModelDefinition, _ comment: Comment) throws {
    let models = try MappingSamples.models(old, new)
    let difference = ModelDifference(from: models.old, to: models.new)
    let changes = difference.changes.map { "\(SingleEdit.text($0)) \($0.effect.detail ?? "")" }
    do {
      let mapping = try CheckedMapping(mapping: nil, from: models.old, to: models.new)
      #expect(difference.isInferable, "\(comment) \(changes)")
      #expect(mapping.losses.isEmpty == !difference.isLossy, "\(comment) \(mapping.losses) \(changes)")
    } catch let error as InferenceError {
      #expect(!difference.isInferable, "\(comment) \(error) \(changes)")
    }
  }
}
