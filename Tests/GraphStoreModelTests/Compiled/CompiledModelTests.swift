import Testing

@testable import GraphStoreModel

@Suite("Compiled models")
struct CompiledModelTests {
  private typealias Make = ArchivedModel
  private typealias Rule = ArchivedPredicate

  @Test("MDL-333: entities come by name with class, parent, abstractness and constraints")
  func entities() throws {
    let person = Make.entity(
      "Person", [Make.attribute("name", 700), Make.attribute("age", 200)],
      [
        "NSIsAbstract": true, "NSClassNameForEntity": "App.Person", "NSUniqueTuples": [["name", "age"]],
        "NSRenamingIdentifier": "Human", "NSVersionHashModifier": "x", "NSUserInfo": .dictionary(["k": "v"]),
      ])
    // Archives repeat inherited properties in each entity.
    let employee = Make.entity(
      "Employee", [Make.attribute("name", 700), Make.attribute("badge", 200)],
      ["NSSuperentity": person.1, "NSClassNameForEntity": "NSManagedObject"])
    let model = try Make.read(Make.model([person, employee], ["NSVersionIdentifiers": .set(["", "7"])]))
    let entities = model.definition.entities
    #expect(entities.map(\.name) == ["Employee", "Person"] && model.findings.isEmpty)
    #expect(entities[0].parent == "Person" && entities[0].className == nil && !entities[0].isAbstract)
    #expect(entities[0].attributes.map(\.name) == ["badge"])
    #expect(entities[1].attributes.map(\.name) == ["age", "name"])
    #expect(entities[1].isAbstract && entities[1].className == "Person")
    #expect(entities[1].xcode == ["representedClassName": "App.Person"] && entities[0].xcode.isEmpty)
    #expect(entities[1].uniquenessConstraints == [["name", "age"]])
    #expect(entities[1].renamingIdentifier == "Human" && entities[1].versionHashModifier == "x")
    #expect(entities[1].userInfo == ["k": "v"])
    #expect(model.definition.version == "7")
  }

  @Test("MDL-333: relationships have destination, inverse, counts, order and delete rule")
  func relationships() throws {
    let model = try Make.read(
      Make.model([
        Make.entity(
          "Team",
          [
            Make.relationship(
              "members", to: "Player", inverse: "team",
              [
                "NSMinCount": 1, "NSMaxCount": 11, "NSIsOrdered": true, "NSDeleteRule": 3,
                "NSIsOptional": true,
              ])
          ]),
        Make.entity(
          "Player",
          [
            Make.relationship(
              "team", to: "Team", inverse: "members", ["NSMinCount": 1, "NSMaxCount": 1, "NSDeleteRule": 2])
          ]),
      ]))
    let team = try #require(model.definition.entities[0].relationships.first)
    let members = try #require(model.definition.entities[1].relationships.first)
    #expect(members.isToMany && members.isOrdered && members.isOptional)
    #expect(members.minCount == 1 && members.maxCount == 11 && members.deleteRule == .deny)
    #expect(!team.isToMany && !team.isOptional && team.deleteRule == .cascade)
    #expect(team.inverse == "members" && team.destination == "Team")
    _ = try ManagedObjectModel(model.definition)
  }

  @Test("MDL-333: the destination and inverse may stand as objects")
  func objects() throws {
    let model = try Make.read(
      Make.model([
        Make.entity(
          "A",
          [
            (
              "b",
              .object(
                ["NSRelationshipDescription"],
                [
                  "NSDestinationEntity": .object(["NSEntityDescription"], ["NSEntityName": "B"]),
                  "NSInverseRelationship": .object(["NSRelationshipDescription"], ["NSPropertyName": "a"]),
                  "NSDeleteRule": 9, "NSMaxCount": 1,
                ])
            ), ("c", .object(["NSRelationshipDescription"], [:])),
          ])
      ]))
    let relationships = model.definition.entities[0].relationships
    #expect(relationships.map(\.destination) == ["B"] && relationships[0].inverse == "a")
    #expect(model.findings.map(\.code) == ["compiled-bad-value", "compiled-no-destination"])
  }

  @Test("MDL-333: indexes of all three forms are read, one that stands twice once")
  func indexes() throws {
    func element(_ fields: [String: Archived]) -> Archived {
      .object(["NSFetchIndexElementDescription"], fields)
    }
    let expression = Archived.object(
      ["NSExpressionDescription"], ["NSExpression": Rule.function("lowercase:", [Rule.key("name")])])
    let index = Archived.object(
      ["NSFetchIndexDescription"],
      [
        "NSIndexName": "byAge",
        "NSIndexElements": [
          element(["NSPropertyName": "age", "NSAscending": false, "NSFetchIndexElementType": 0]),
          element(["NSPropertyName": "e", "NSIndexedProperty": expression, "NSAscending": true]),
        ],
        "NSPartialIndexPredicate": Rule.comparison(Rule.key("age"), 2, Rule.constant(3)),
      ])
    let name = Archived.object(
      ["NSFetchIndexDescription"],
      ["NSIndexName": "first", "NSIndexElements": [element(["NSPropertyName": "name"])]])
    let model = try Make.read(
      Make.model([
        Make.entity(
          "Person",
          [
            Make.attribute("age", 200, ["NSIsIndexed": true]),
            Make.attribute("name", 700, ["NSIsIndexed": true]),
          ], ["NSFetchIndexDescriptions": [index, name], "NSCompoundIndexes": [["name", "age"]]])
      ]))
    let indexes = model.definition.entities[0].indexes
    #expect(model.findings.isEmpty)
    #expect(indexes.count == 4)
    #expect(indexes[0].elements[0] == .init("age", order: .descending))
    #expect(indexes[0].elements[1] == .init(expression: "lowercase:(name)"))
    #expect(indexes[0].predicate == "age > 3")
    #expect(indexes[1].name == "first")
    #expect(indexes[2].elements == [.init("age")])
    #expect(indexes[3].elements == [.init("name"), .init("age")])
    #expect(indexes.map(\.name) == ["byAge", "first", "byAgeIndex", "compoundIndex"])
  }

  @Test("MDL-333: fetch requests and fetched properties are read")
  func requests() throws {
    func sort(_ key: String, _ ascending: Bool, _ selector: String = "compare:") -> Archived {
      .object(
        ["NSSortDescriptor"],
        ["NSKey": .string(key), "NSAscending": .bool(ascending), "NSSelector": .string(selector)])
    }
    let request = Archived.object(
      ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
      [
        "NSEntity": .object(["NSEntityDescription"], ["NSEntityName": "Person"]),
        "NSPredicate": Rule.comparison(Rule.key("age"), 2, Rule.variable("MIN")),
        "NSSortDescriptors": [sort("age", false), sort("name", true, "localizedStandardCompare:")],
        "NSFetchLimit": 10, "NSFetchOffset": 5, "NSBatchSize": 20, "NSResultType": 2,
        "NSPropertiesToFetch": ["name"], "NSReturnsDistinctResults": true, "NSIncludesSubentities": false,
        "NSRelationshipKeyPathsForPrefetching": ["pets"], "NSReturnsObjectsAsFaults": true,
      ])
    let fetched = Archived.object(
      ["NSFetchedPropertyDescription", "NSPropertyDescription"],
      [
        "NSFetchRequest": .object(
          ["NSFetchRequest"],
          [
            "NSEntityName": "Person",
            "NSPredicate": Rule.comparison(
              Rule.key("age"), 4, Rule.key("age", of: Rule.variable("FETCH_SOURCE"))),
          ]), "NSIsOptional": true,
      ])
    let model = try Make.read(
      Make.model(
        [
          Make.entity(
            "Person",
            [
              ("peers", fetched), Make.attribute("age", 200), Make.attribute("name", 700),
              Make.relationship("pets", to: "Person"),
            ])
        ],
        ["NSFetchRequestTemplates": .dictionary(["older": request])]))
    #expect(model.findings.isEmpty)
    let expected = FetchRequestDefinition(
      "older", entity: "Person", predicate: "age > $MIN", sort: ["-age", "name:localizedStandard"], limit: 10,
      offset: 5, batchSize: 20, resultType: .dictionaries, properties: ["name"], distinct: true,
      prefetch: ["pets"], includesSubentities: false)
    #expect(model.definition.fetchRequests == [expected])
    let peers = model.definition.entities[0].fetchedProperties
    #expect(
      peers == [FetchedPropertyDefinition("peers", entity: "Person", predicate: "age == $FETCH_SOURCE.age")])
  }

  @Test("MDL-334: a request whose predicate is not known is left out, and told")
  func unknownRequest() throws {
    let request = Archived.object(
      ["NSFetchRequest"], ["NSEntityName": "Person", "NSPredicate": .object(["NSBlockPredicate"], [:])])
    let model = try Make.read(
      Make.model([Make.entity("Person")], ["NSFetchRequestTemplates": .dictionary(["odd": request])]))
    #expect(model.definition.fetchRequests.isEmpty)
    #expect(model.findings.map(\.code) == ["compiled-unknown-part"])
    #expect(model.findings[0].message.contains("\"odd\""))
  }

  @Test("MDL-333: configurations hold entities as objects, names or by name")
  func configurations() throws {
    let person = Make.entity("Person")
    let model = try Make.read(
      Make.model(
        [person, Make.entity("Pet")],
        [
          "NSConfigurations": .dictionary([
            "Some": [person.1], "All": ["Pet", "Person"], "Map": .dictionary(["Pet": "x"]),
            "PF_DEFAULT_CONFIGURATION_NAME": ["Person"],
          ])
        ]))
    #expect(
      model.definition.configurations == [
        ConfigurationDefinition("All", entities: ["Person", "Pet"]),
        ConfigurationDefinition("Map", entities: ["Pet"]),
        ConfigurationDefinition("Some", entities: ["Person"]),
      ])
  }

  @Test("MDL-334: properties of unknown classes are left out, and told")
  func unknownProperty() throws {
    let model = try Make.read(
      Make.model([Make.entity("Person", [("odd", .object(["NSOddDescription"], [:])), ("text", "x")])]))
    #expect(model.findings.map(\.code) == ["compiled-unknown-class", "compiled-unknown-class"])
    #expect(model.findings[0].message.contains("NSOddDescription"))
  }

  @Test("MDL-335: what is no model is an error that says what it is")
  func errors() {
    func message(_ bytes: [UInt8]) -> String {
      do {
        _ = try CompiledModelReader.read(bytes, file: "Test.mom")
        return ""
      } catch {
        return error.problems.first?.message ?? ""
      }
    }
    #expect(message(TestArchive.bytes(of: .object(["NSMappingModel"], [:]))).contains("NSMappingModel"))
    #expect(message(TestArchive.bytes(of: "text")).contains("no object"))
    #expect(message(Array("momv2$".utf8)).contains("binary property list"))
    #expect(message(TestArchive.bytes(of: .object(["NSManagedObjectModel"], [:]))).contains("entities"))
  }
}

@Suite("Parts of compiled models that are left out")
struct CompiledModelRepairTests {
  private typealias Make = ArchivedModel

  @Test(
    "MDL-334: parts that this library refuses are left out, each with a finding, and the model can be used")
  func mended() throws {
    let odd = Archived.object(
      ["NSFetchRequest"],
      [
        "NSEntityName": "Person",
        "NSPredicate": ArchivedPredicate.comparison(
          ArchivedPredicate.key("wages"), 2, ArchivedPredicate.constant(1)),
      ])
    let model = try Make.read(
      Make.model(
        [
          Make.entity(
            "Person",
            [
              Make.attribute("name", 700),
              Make.relationship("boss", to: "Person", inverse: "gone", ["NSMaxCount": 1]),
            ], ["NSUniqueTuples": [["boss"], ["name"], ["none"]], "NSCompoundIndexes": [["none"]]])
        ], ["NSFetchRequestTemplates": .dictionary(["odd": odd])]))
    let person = model.definition.entities[0]
    #expect(person.uniquenessConstraints == [["boss"], ["name"]] && person.indexes.isEmpty)
    #expect(person.relationships[0].inverse == nil && model.definition.fetchRequests.isEmpty)
    #expect(model.findings.map(\.code) == Array(repeating: "compiled-dropped", count: 4))
    _ = try ManagedObjectModel(model.definition)
  }

  @Test(
    "MDL-064: an attribute named like the object itself is left out with a finding, one like a member stays")
  func reservedNames() throws {
    let model = try Make.read(
      Make.model([
        Make.entity(
          "Note",
          [Make.attribute("isDeleted", 800), Make.attribute("self", 700), Make.attribute("text", 700)])
      ]))
    #expect(model.definition.entities[0].attributes.map(\.name).sorted() == ["isDeleted", "text"])
    #expect(model.findings.map(\.code) == ["compiled-dropped"])
    _ = try ManagedObjectModel(model.definition)
  }
}
