import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Model checks")
struct ModelLinterTests {
  private func entities(_ entities: EntityDefinition...) -> [String] {
    problemSummaries(ModelDefinition(entities: entities))
  }

  @Test(
    "MDL-061: names are letters, digits and underscores", arguments: ["", "1a", "a-b", "é", "a b", "a.b"])
  func badNames(name: String) {
    #expect(entities(EntityDefinition(name)) == ["model-bad-name entities[0].name"])
    #expect(
      entities(EntityDefinition("A", attributes: [AttributeDefinition(name, .string)]))
        == ["model-bad-name entities[0].attributes[0].name"])
    #expect(
      entities(
        EntityDefinition(
          "A", attributes: [AttributeDefinition("x", .string)],
          indexes: [IndexDefinition(name, elements: [.init("x")])])) == [
          "model-bad-name entities[0].indexes[0].name"
        ])
  }

  @Test("MDL-061: names of requests and configurations are free but for control characters")
  func freeNames() {
    let definition = ModelDefinition(
      entities: [EntityDefinition("A")],
      fetchRequests: [.init("all of them!", entity: "A"), .init("a\nb", entity: "A")],
      configurations: [.init("", entities: []), .init("für alle", entities: ["A"])])
    #expect(
      problemSummaries(definition) == [
        "model-bad-name fetchRequests[1].name", "model-bad-name configurations[0].name",
      ])
  }

  @Test("MDL-062: a name is used once")
  func duplicateNames() {
    let index = IndexDefinition("i", elements: [.init("x")])
    let definition = ModelDefinition(
      entities: [
        EntityDefinition(
          "A", attributes: [.init("x", .string), .init("x", .date)],
          relationships: [.init("x", to: "A")], indexes: [index, index]),
        EntityDefinition("A"),
      ],
      fetchRequests: [.init("f", entity: "A"), .init("f", entity: "A")],
      configurations: [.init("c", entities: []), .init("c", entities: [])])
    #expect(
      problemSummaries(definition) == [
        "model-duplicate-name entities[0].attributes[1].name",
        "model-duplicate-name entities[0].relationships[0].name",
        "model-duplicate-name entities[0].indexes[1].name", "model-duplicate-name entities[1].name",
        "model-duplicate-name fetchRequests[1].name", "model-duplicate-name configurations[1].name",
      ])
  }

  @Test("MDL-063: entity names that differ only in case are a problem, property names are not")
  func namesByCase() {
    #expect(
      entities(EntityDefinition("Thing"), EntityDefinition("THING")) == [
        "model-duplicate-name entities[1].name"
      ])
    #expect(
      entities(EntityDefinition("A", attributes: [.init("x", .string), .init("X", .string)])).isEmpty)
  }

  @Test(
    "MDL-064: a property is not named like the object itself", arguments: ["self", "SELF"])
  func reservedNames(name: String) {
    #expect(
      entities(EntityDefinition("A", attributes: [.init(name, .string)]))
        == ["model-reserved-name entities[0].attributes[0].name"])
  }

  @Test(
    "MDL-064, MDL-065: words of the predicate language and members of every object are allowed names",
    arguments: ["in", "size", "first", "_x", "isDeleted", "hash", "entity", "init"])
  func allowedNames(name: String) {
    #expect(entities(EntityDefinition("A", attributes: [.init(name, .string)])).isEmpty)
  }

  @Test("MDL-082: an unknown parent gives the nearest name")
  func unknownParent() throws {
    let found = problems(#"{"entities":[{"name":"Person"},{"name":"B","parent":"Persn"}]}"#)
    #expect(found.map(\.code) == [.unknownEntity])
    #expect(found.first?.suggestion == "Person")
  }

  @Test("MDL-083: a cycle of parents is reported once, with the chain")
  func inheritanceCycle() {
    let found = problems(
      """
      {"entities":[{"name":"A","parent":"C"},{"name":"B","parent":"A"},{"name":"C","parent":"B"},
        {"name":"D","parent":"A"},{"name":"E","parent":"E"}]}
      """)
    #expect(
      found.map { "\($0.code.rawValue) \($0.path)" } == [
        "model-inheritance-cycle entities[0].parent", "model-inheritance-cycle entities[4].parent",
      ])
    #expect(found.first?.message.contains("A → C → B → A") == true)
  }

  @Test("MDL-084: a property of an ancestor cannot be defined again, not even alike")
  func redefinedProperty() {
    #expect(
      entities(
        EntityDefinition("A", attributes: [.init("x", .string)]), EntityDefinition("B", parent: "A"),
        EntityDefinition("C", parent: "B", attributes: [.init("x", .string)]))
        == ["model-property-redefined entities[2].attributes[0].name"])
  }

  @Test("MDL-085: siblings may use one name with different types")
  func siblings() {
    #expect(
      entities(
        EntityDefinition("A"), EntityDefinition("B", parent: "A", attributes: [.init("x", .string)]),
        EntityDefinition("C", parent: "A", attributes: [.init("x", .date)])
      ).isEmpty)
  }

  @Test("MDL-203: an unknown destination gives the nearest name")
  func unknownDestination() {
    let found = problems(
      #"{"entities":[{"name":"Team","relationships":[{"name":"r","destination":"Taem"},{"name":"s","destination":"Teams"}]}]}"#
    )
    #expect(found.map(\.code) == [.unknownEntity, .unknownEntity])
    #expect(found.last?.suggestion == "Team")
  }

  private func pair(_ first: RelationshipDefinition, _ second: RelationshipDefinition) -> [String] {
    entities(
      EntityDefinition("A", relationships: [first]), EntityDefinition("B", relationships: [second]),
      EntityDefinition("C"))
  }

  @Test("MDL-204: an inverse exists, leads back and names this relationship")
  func badInverses() {
    #expect(
      pair(.init("b", to: "B", inverse: "x"), .init("a", to: "A"))
        == ["model-bad-inverse entities[0].relationships[0].inverse"])
    #expect(
      pair(.init("b", to: "B", inverse: "a"), .init("a", to: "C"))
        == ["model-bad-inverse entities[0].relationships[0].inverse"])
    #expect(
      entities(
        EntityDefinition(
          "A", relationships: [.init("b", to: "B", inverse: "a"), .init("c", to: "B", inverse: "a")]),
        EntityDefinition("B", relationships: [.init("a", to: "A", inverse: "b")]))
        == ["model-bad-inverse entities[0].relationships[1].inverse"])
  }

  @Test("MDL-205: an inverse named on one side only shows the line to add")
  func oneSidedInverse() {
    let found = problems(
      """
      {"entities":[{"name":"A","relationships":[{"name":"b","destination":"B","inverse":"a"}]},
        {"name":"B","relationships":[{"name":"a","destination":"A"}]}]}
      """)
    #expect(
      found.map { "\($0.code.rawValue) \($0.path)" } == ["model-bad-inverse entities[1].relationships[0]"])
    #expect(found.first?.remedy == "Add \"inverse\": \"b\".")
  }

  @Test("MDL-206: a relationship may be its own inverse; MDL-208: or have none")
  func ownInverse() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "Person",
          relationships: [
            .init("cousins", to: "Person", inverse: "cousins", isToMany: true), .init("boss", to: "Person"),
          ])
      ]))
    let cousins = try #require(model.entities[0].relationship(named: "cousins"))
    #expect(cousins.inverse === cousins)
    #expect(cousins.isManyToMany)
    #expect(model.entities[0].relationship(named: "boss")?.inverse == nil)
  }

  @Test("MDL-214: a transient relationship needs a transient inverse")
  func transientInverse() {
    #expect(
      pair(.init("b", to: "B", inverse: "a", isTransient: true), .init("a", to: "A", inverse: "b")) == [
        "model-bad-inverse entities[0].relationships[0].inverse",
        "model-bad-inverse entities[1].relationships[0].inverse",
      ])
  }

  @Test(
    "MDL-209: counts fit the kind of relationship",
    arguments: [
      (true, 3, 40, nil), (true, 3, 2, "maxCount"), (true, -1, 0, "minCount"), (false, 2, 0, "minCount"),
      (false, 1, 1, nil), (false, 0, 5, "maxCount"), (true, 5, 0, nil),
    ] as [(Bool, Int, Int, String?)])
  func counts(isToMany: Bool, minCount: Int, maxCount: Int, key: String?) {
    let found = entities(
      EntityDefinition(
        "A", relationships: [.init("r", to: "A", isToMany: isToMany, minCount: minCount, maxCount: maxCount)])
    )
    #expect(found == (key.map { ["model-bad-value entities[0].relationships[0].\($0)"] } ?? []))
  }

  @Test("MDL-211: only a to-many is ordered")
  func orderedToOne() {
    #expect(
      entities(EntityDefinition("A", relationships: [.init("r", to: "A", isOrdered: true)]))
        == ["model-not-applicable entities[0].relationships[0].ordered"])
  }

  @Test("MDL-212: another word than the four delete rules is a problem that names them")
  func deleteRule() {
    let found = problems(
      #"{"entities":[{"name":"A","relationships":[{"name":"r","destination":"A","deleteRule":"cascad"}]}]}"#)
    #expect(found.map(\.code) == [.badValue])
    #expect(found.first?.message.contains("nullify, cascade, deny, noAction") == true)
    #expect(found.first?.suggestion == "cascade")
  }

  @Test(
    "MDL-121: an unknown type names the right one",
    arguments: [
      ("integer", "int64"), ("Integer 16", "int16"), ("bool", "boolean"), ("data", "binary"), ("url", "uri"),
    ])
  func otherTypes(word: String, expected: String) {
    let found = problems(thing(attributes: #"{"name":"a","type":"\#(word)","default":3,"min":"x"}"#))
    #expect(found.map(\.code) == [.badValue])
    #expect(found.first?.suggestion == expected)
  }

  @Test(
    "MDL-291, MDL-292: a uniqueness constraint lists stored attributes of one value and to-ones, each once")
  func uniquenessConstraints() {
    let entity = EntityDefinition(
      "A",
      attributes: [
        .init("x", .string), .init("t", .string, isTransient: true), .init("b", .binary),
        .init("d", .string, derivation: "x"),
      ],
      relationships: [.init("r", to: "A"), .init("m", to: "A", isToMany: true)],
      uniquenessConstraints: [["x"], [], ["x", "x"], ["y"], ["t"], ["b"], ["d"], ["m"], ["r", "x"]])
    let path = "entities[0].uniquenessConstraints"
    #expect(
      entities(entity) == [
        "model-bad-value \(path)[1]", "model-duplicate-name \(path)[2][1]",
        "model-unknown-property \(path)[3][0]",
        "model-not-applicable \(path)[4][0]", "model-not-applicable \(path)[6][0]",
        "model-not-applicable \(path)[7][0]",
      ])
  }

  @Test("MDL-282, MDL-283, MDL-285: what an index may hold")
  func indexes() {
    let entity = EntityDefinition(
      "A",
      attributes: [
        .init("x", .double), .init("t", .string, isTransient: true), .init("s", .string),
        .init("c", .composite, elements: [.init("e", .int16)]),
      ],
      relationships: [.init("one", to: "A"), .init("many", to: "A", isToMany: true)],
      indexes: [
        .init("fine", elements: [.init("x"), .init("one"), .init("c.e", order: .descending)]),
        .init("none", elements: [.init()]), .init("gone", elements: [.init("y")]),
        .init("transient", elements: [.init("t")]), .init("toMany", elements: [.init("many")]),
        .init("mixed", elements: [.init("x", kind: .rtree), .init("s")]),
        .init("text", elements: [.init("s", kind: .rtree)]), .init("empty", elements: []),
        .init("whole", elements: [.init("c")]),
        .init("five", elements: .init(repeating: .init("x", kind: .rtree), count: 5)),
        .init("six", elements: .init(repeating: .init("x", kind: .rtree), count: 6)),
      ])
    let path = "entities[0].indexes"
    #expect(
      entities(entity) == [
        "model-bad-value \(path)[1].elements[0]", "model-unknown-property \(path)[2].elements[0].property",
        "model-not-applicable \(path)[3].elements[0].property",
        "model-not-applicable \(path)[4].elements[0].property", "model-bad-value \(path)[5].elements",
        "model-bad-value \(path)[6].elements[0].property", "model-bad-value \(path)[7].elements",
        "model-not-applicable \(path)[8].elements[0].property", "model-bad-value \(path)[10].elements",
      ])
  }

  @Test("MDL-257: a configuration names entities of the model, each once")
  func configurations() {
    let definition = ModelDefinition(
      entities: [EntityDefinition("A")], configurations: [.init("c", entities: ["A", "B", "A"])])
    #expect(
      problemSummaries(definition) == [
        "model-unknown-entity configurations[0].entities[1]",
        "model-duplicate-name configurations[0].entities[2]",
      ])
  }

  @Test("MDL-002: a model built in code has the problems of the same model in a file")
  func codeAndFile() throws {
    let definition = ModelDefinition(entities: [
      EntityDefinition("A", parent: "X", attributes: [.init("a", .int16, defaultValue: 99_999)]),
      EntityDefinition("B", relationships: [.init("r", to: "Q", isOrdered: true)]),
    ])
    #expect(
      problemSummaries(definition) == problemSummaries(String(decoding: definition.jsonData(), as: UTF8.self))
    )
  }

  @Test("MDL-384: a chain of parents beyond all measure is a problem, not a load on memory")
  func endlessTree() {
    let chain = (0..<2_000).map { level in
      EntityDefinition(
        "E\(level)", parent: level == 0 ? nil : "E\(level - 1)", attributes: [.init("a\(level)", .string)])
    }
    #expect(
      problemSummaries(ModelDefinition(entities: chain))
        == [512, 1_024, 1_536].map { "model-bad-value entities[\($0)].parent" })
    #expect(problemSummaries(ModelDefinition(entities: Array(chain.prefix(512)))).isEmpty)
  }

  @Test("MDL-384: a file full of problems is reported whole, with suggestions for the first ones")
  func manyProblems() {
    let entities = (0..<2_000).map { number in
      EntityDefinition("Entity\(number)", relationships: [.init("r", to: "Entitx\(number)")])
    }
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(ModelDefinition(entities: entities))
    }
    #expect(error?.problems.count == 2_000)
    #expect(error?.problems.first?.suggestion == "Entity0")
    #expect(error?.problems.last?.suggestion == nil)
  }
}
