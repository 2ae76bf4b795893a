import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("The parts of a model")
struct ModelPartsTests {
  private let model: ManagedObjectModel

  init() throws { model = try ManagedObjectModel(fullDefinition) }

  @Test("MDL-001: a model holds entities, and of its own requests, configurations, user info and texts")
  func parts() throws {
    #expect(model.entities.map(\.name) == ["A", "B", "C"])
    #expect(model.fetchRequestTemplates.map(\.name) == ["q"])
    #expect(model.configurations == ["Half", "None"])
    #expect(model.userInfo == ["checkIgnore": ["name-style"]])
    #expect(model.localizationDictionary == ["Entity/A": "Ä"])
  }

  @Test("MDL-003: an entity description holds all that the file says of it")
  func entity() throws {
    let entity = try model.entity(named: "A")
    #expect(entity.className == "MyA" && entity.isAbstract && entity.superentity == nil)
    #expect(entity.attributes.map(\.name) == ["s", "n", "d", "b", "t", "c", "derived", "u"])
    #expect(entity.relationships.map(\.name) == ["many"] && entity.fetchedProperties.map(\.name) == ["f"])
    #expect(entity.indexes.map(\.name) == ["i", "r", "e"])
    #expect(entity.uniquenessConstraints.map { $0.map(\.name) } == [["s"], ["s", "d"]])
    #expect(entity.renamingIdentifier == "OldA" && entity.versionHashModifier == "1")
    #expect(entity.userInfo == ["k": nil])
    #expect(try model.entity(named: "B").subentities.map(\.name) == ["C"])
  }

  @Test(
    "MDL-004: look-ups are exact and case-sensitive, know inherited properties, and give nil for what is absent"
  )
  func lookups() throws {
    #expect(model.entitiesByName["A"] === model.entities[0])
    #expect(model.entitiesByName["a"] == nil)
    let child = try model.entity(named: "C")
    #expect(child.propertiesByName["x"]?.name == "x" && child.propertiesByName["X"] == nil)
    #expect(Set(child.attributesByName.keys) == ["x"] && Set(child.relationshipsByName.keys) == ["one"])
    #expect(child.attributesByName["x"]?.type == .float)
    #expect(child.attributesByName["one"] == nil && child.relationshipsByName["x"] == nil)
  }

  @Test("MDL-007: an entity is one object, whichever way leads to it")
  func identity() throws {
    let entity = try model.entity(named: "B")
    #expect(model.entities[1] === entity && model.entitiesByName["B"] === entity)
    #expect(model.entities[0].relationship(named: "many")?.destination === entity)
    #expect(model.entities[2].superentity === entity)
    #expect(model.fetchRequestTemplates[0].entity === entity)
    #expect(try model.entities(forConfigurationName: "Half")[1] === entity)
  }

  @Test("MDL-014: version identifiers are for people only")
  func identifiers() throws {
    #expect(model.versionIdentifiers == ["3"])
    var definition = fullDefinition
    definition.version = nil
    let other = try ManagedObjectModel(definition)
    #expect(other.versionIdentifiers.isEmpty)
    #expect(
      try other.isConfiguration(withName: nil, compatibleWithHashes: model.entityVersionHashesByName))
  }

  @Test("MDL-022: $schema at the top is read, ignored, and not written")
  func schemaKey() throws {
    let read = try ManagedObjectModel(json: #"{"$schema":"x.json","entities":[{"name":"A"}]}"#.utf8)
    #expect(String(decoding: read.jsonData(), as: UTF8.self).contains("schema") == false)
    #expect(
      problemSummaries(#"{"entities":[{"$schema":"x","name":"A"}]}"#) == [
        "model-unknown-key entities[0].$schema"
      ])
  }

  @Test("MDL-066, MDL-073: an entity without properties, and a model without entities")
  func empty() throws {
    #expect(
      try ManagedObjectModel(ModelDefinition(entities: [EntityDefinition("A")])).entities[0].properties
        .isEmpty)
    #expect(try ManagedObjectModel(ModelDefinition()).entities.isEmpty)
  }

  @Test("MDL-081: a sub-entity has everything of its ancestors")
  func inheritance() throws {
    var definition = fullDefinition
    definition.entities[2].parent = "A"
    let model = try ManagedObjectModel(definition)
    let child = try model.entity(named: "C")
    #expect(child.model === model)
    let parent = try #require(child.superentity)
    #expect(child.attributes == parent.attributes && child.relationships == parent.relationships)
    #expect(child.fetchedProperties == parent.fetchedProperties)
    #expect(child.uniquenessConstraints == parent.uniquenessConstraints)
    #expect(child.ownUniquenessConstraints.isEmpty && child.ownProperties.isEmpty)
    #expect(model.entities[2] === child)
  }

  @Test(
    "MDL-088, MDL-089: an abstract entity is a destination, is fetched, has constraints, and may be a child")
  func abstractEntities() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        entities: [
          EntityDefinition("Concrete"),
          EntityDefinition(
            "Middle", parent: "Concrete", isAbstract: true, attributes: [.init("code", .string)],
            uniquenessConstraints: [["code"]]),
          EntityDefinition("Leaf", parent: "Middle", relationships: [.init("to", to: "Middle")]),
        ], fetchRequests: [.init("all", entity: "Middle", predicate: "code != nil")]))
    #expect(try model.entity(named: "Middle").concreteFamily.map(\.name) == ["Leaf"])
    #expect(try model.entity(named: "Concrete").concreteFamily.map(\.name) == ["Concrete", "Leaf"])
  }

  @Test("MDL-232: what a fetch request leaves out")
  func defaults() throws {
    let json = #"{"entities":[{"name":"A"}],"fetchRequests":[{"name":"f","entity":"A"}]}"#
    let read = try ManagedObjectModel(json: json.utf8)
    #expect(read.definition.fetchRequests == [FetchRequestDefinition("f", entity: "A")])
    let template = read.fetchRequestTemplates[0]
    #expect(template.predicate == nil && template.sortDescriptors.isEmpty && template.having == nil)
    let definition = template.definition
    #expect((definition.limit, definition.offset, definition.batchSize) == (0, 0, 0))
    #expect(definition.resultType == .objects && !definition.distinct && definition.includesSubentities)
    #expect(FetchResultType.allCases.map(\.rawValue) == ["objects", "ids", "dictionaries", "count"])
  }

  @Test(
    "MDL-234: properties, groupBy, having and distinct are for dictionaries; properties also a hint for objects",
    arguments: FetchResultType.allCases)
  func resultTypes(type: FetchResultType) {
    let keys = [
      ("properties", #"["x"]"#), ("groupBy", #"["x"]"#), ("having", #""x > 1""#), ("distinct", "true"),
    ]
    for (key, value) in keys {
      let found = problemSummaries(
        """
        {"entities":[{"name":"A","attributes":[{"name":"x","type":"int16"}]}],
         "fetchRequests":[{"name":"f","entity":"A","resultType":"\(type.rawValue)","\(key)":\(value)}]}
        """)
      let isFine = type == .dictionaries || (type == .objects && key == "properties")
      #expect(found == (isFine ? [] : ["model-not-applicable fetchRequests[0].\(key)"]), "\(key)")
    }
  }

  @Test("MDL-235, MDL-239: the variables of a fetch request, each once")
  func variables() throws {
    let definition = ModelDefinition(
      entities: [EntityDefinition("A", attributes: [.init("x", .int16)])],
      fetchRequests: [
        .init("f", entity: "A", predicate: "x > $LOW AND x < $HIGH AND x != $LOW"), .init("g", entity: "A"),
      ])
    let model = try ManagedObjectModel(definition)
    #expect(model.fetchRequestTemplates.map(\.variables) == [["LOW", "HIGH"], []])
  }

  @Test("MDL-261: every part has user info of any JSON, which is empty where none is given")
  func userInfo() throws {
    let info: [String: JSONValue] = ["a": [1, nil, ["b": true]]]
    var definition = fullDefinition
    definition.userInfo = info
    definition.entities[0].userInfo = info
    definition.entities[0].attributes[5].userInfo = info
    definition.entities[0].attributes[5].elements[0].userInfo = info
    definition.entities[0].relationships[0].userInfo = info
    definition.entities[0].fetchedProperties[0].userInfo = info
    let model = try ManagedObjectModel(json: ManagedObjectModel(definition).jsonData())
    let entity = try model.entity(named: "A")
    #expect(model.userInfo == info && entity.userInfo == info)
    #expect(entity.attribute(named: "c")?.userInfo == info)
    #expect(entity.attribute(named: "c")?.elements.first?.userInfo == info)
    #expect(entity.relationship(named: "many")?.userInfo == info)
    #expect(entity.property(named: "f")?.userInfo == info)
    let plain = try model.entity(named: "B")
    #expect(plain.userInfo.isEmpty && plain.properties.allSatisfy { $0.userInfo.isEmpty })
  }

  @Test("MDL-381: the codes of problems are a promise")
  func codes() {
    #expect(
      ModelProblem.Code.errors.map(\.rawValue) == [
        "model-not-found", "model-unreadable", "model-syntax", "model-duplicate-key", "model-unknown-key",
        "model-missing-key", "model-wrong-type", "model-bad-name", "model-reserved-name",
        "model-duplicate-name",
        "model-unknown-entity", "model-unknown-property", "model-inheritance-cycle",
        "model-property-redefined",
        "model-bad-inverse", "model-bad-value", "model-not-applicable", "model-bad-expression",
        "model-bad-version",
        "model-merge-clash",
      ])
  }

  @Test("MDL-322: the checksum is that: the hashes of all entities, by the bytes of their names")
  func checksum() throws {
    // sha256sum of the canonical text (MDL-321), printf 'entity "%s"\nabstract false\nparent -\nmodifier -\n'
    // NAME, and of the three results one behind another.
    let names = ["b", "a", "C"]
    let model = try ManagedObjectModel(ModelDefinition(entities: names.map { EntityDefinition($0) }))
    #expect(
      model.entityVersionHashesByName.mapValues { $0.base64EncodedString() } == [
        "C": "Y1yRqc3GFzfATSbjyR0fMM84HFioseUZVMYiL0xPmyE=",
        "a": "fs7Bu7mwNg0QxjcioHvnTrKXbbRcJ/wlLTkVPMGPFw4=",
        "b": "5zmmOvywnwiyZ9rYsAJZ1Baoa2Mq04bAFqqHAKUsuhA=",
      ])
    #expect(model.versionChecksum == "tEYBWHnM3UiMVZdosiN+5HQVyzcRU87/jP14TaRUjro=")
  }

  @Test("MDL-391: a model of 1,000 entities with 20 properties each loads whole")
  func large() throws {
    let attributes: [AttributeDefinition] = (0..<20).map { .init("a\($0)", .string) }
    let definition = ModelDefinition(
      entities: (0..<1000).map { EntityDefinition("E\($0)", attributes: attributes) })
    let model = try ManagedObjectModel(json: definition.jsonData())
    #expect(model.entities.count == 1000)
    #expect(Set(model.entities.map(\.versionHash)).count == 1000)
  }

  @Test("MDL-392: hashes are computed once: a property of an ancestor is hashed where it is declared")
  func hashedOnce() throws {
    let child = try model.entity(named: "C")
    let parent = try model.entity(named: "B")
    #expect(child.properties[0] === parent.properties[0])
    #expect(child.properties[0].versionHash.count == 32)
  }

  @Test("MDL-392: many threads that ask for the first hash at once all get it whole")
  func hashedAtOnce() async throws {
    let definition = model.definition
    let expected = model.entityVersionHashesByName
    for _ in 0..<20 {
      let fresh = try ManagedObjectModel(definition)
      await withTaskGroup(of: [String: Data].self) { group in
        for _ in 0..<8 { group.addTask { fresh.entityVersionHashesByName } }
        for await hashes in group { #expect(hashes == expected) }
      }
    }
  }
}
