import GraphStorePredicates
import GraphStoreTestSupport
import Testing

@testable import GraphStoreModel

@Suite("Model structure")
struct ModelStructureTests {
  private func company() throws -> ManagedObjectModel {
    try ManagedObjectModel(contentsOf: Repository.models.appendingPathComponent("company.json").path)
  }

  @Test("MDL-005: entities keep the order of the file")
  func entityOrder() throws {
    let model = try company()
    #expect(model.entities.map(\.name) == ["Person", "Employee", "Department", "Project"])
    #expect(model.entities.map(\.index) == [0, 1, 2, 3])
  }

  @Test("MDL-005, MDL-006: properties are numbered inherited ones first, alike in every sub-entity")
  func propertyNumbers() throws {
    let model = try company()
    let person = try model.entity(named: "Person")
    let employee = try model.entity(named: "Employee")
    #expect(
      employee.properties.map(\.name) == [
        "name", "email", "birthday", "salary", "badge", "department", "manager", "reports", "projects",
      ])
    for entity in model.entities {
      #expect(entity.properties.enumerated().allSatisfy { $0 == $1.number })
    }
    #expect(employee.property(named: "email") === person.property(named: "email"))
    #expect(employee.ownProperties.map(\.name).first == "salary")
  }

  @Test("MDL-008: a property knows the entity that declares it, an entity its model")
  func owners() throws {
    let model = try company()
    let employee = try model.entity(named: "Employee")
    #expect(employee.property(named: "name")?.entity === model.entitiesByName["Person"])
    #expect(employee.model === model)
  }

  @Test("MDL-013: an entity is of the kind of itself and its ancestors")
  func kinds() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition("C", parent: "B"), EntityDefinition("A"), EntityDefinition("B", parent: "A"),
        EntityDefinition("D", parent: "A"), EntityDefinition("E"),
      ]))
    let (c, a, b) = (model.entities[0], model.entities[1], model.entities[2])
    let (d, e) = (model.entities[3], model.entities[4])
    #expect(c.isKind(of: c) && c.isKind(of: b) && c.isKind(of: a))
    #expect(!a.isKind(of: c) && !c.isKind(of: d) && !c.isKind(of: e) && !b.isKind(of: d))
    #expect(a.family == [a, b, c, d])
    #expect(c.rootEntity === a && a.rootEntity === a)
    #expect(a.subentities == [b, d])
    let other = try company()
    #expect(!other.entities[0].isKind(of: a))
  }

  @Test("MDL-092: a tree of 32 levels")
  func deepTree() throws {
    let entities = (0..<32).map { level in
      EntityDefinition(
        "E\(level)", parent: level == 0 ? nil : "E\(level - 1)", attributes: [.init("a\(level)", .string)])
    }
    let model = try ManagedObjectModel(ModelDefinition(entities: entities.reversed()))
    let leaf = try model.entity(named: "E31")
    #expect(leaf.properties.map(\.name) == (0..<32).map { "a\($0)" })
  }

  @Test("MDL-012: an unknown entity gives the nearest name and the list")
  func unknownEntity() throws {
    let model = try company()
    let error = #expect(throws: ModelLookupError.self) { try model.entity(named: "Employe") }
    #expect(error?.code == "unknown-entity")
    #expect(error?.suggestions == ["Employee"])
    #expect(
      error?.description
        == "Cannot perform operation since entity with name 'Employe' cannot be found; did you mean 'Employee'? "
        + "(there are: Person, Employee, Department, Project)")
  }

  @Test("MDL-252: no configuration means all entities, an unknown one names those that exist")
  func configurations() throws {
    let model = try company()
    #expect(try model.entities(forConfigurationName: nil).count == 4)
    #expect(try model.entities(forConfigurationName: "Staff").map(\.name).first == "Person")
    let error = #expect(throws: ModelLookupError.self) { try model.entities(forConfigurationName: "Staf") }
    #expect(error?.code == "unknown-configuration")
    #expect(error?.available == ["Staff"])
  }

  @Test("MDL-202: defaults of relationships; MDL-314: the maximum of a to-one is 1")
  func relationshipDefaults() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [EntityDefinition("A", relationships: [.init("r", to: "A")])]))
    let relationship = try #require(model.entities[0].relationships.first)
    #expect(!relationship.isToMany && !relationship.isOrdered && relationship.isOptional)
    #expect(relationship.deleteRule == .nullify)
    #expect(relationship.minCount == 0 && relationship.maxCount == 1)
  }

  @Test("MDL-293: constraints of ancestors come first")
  func constraints() throws {
    let employee = try company().entity(named: "Employee")
    #expect(employee.uniquenessConstraints.map { $0.map(\.name) } == [["email"], ["badge"]])
    #expect(employee.ownUniquenessConstraints.map { $0.map(\.name) } == [["badge"]])
  }

  @Test("MDL-231: a stored fetch request is parsed")
  func template() throws {
    let model = try company()
    let template = try #require(model.fetchRequestTemplatesByName["wellPaid"])
    #expect(template.entity.name == "Employee")
    #expect(template.predicate == (try QueryPredicate(parsing: "salary > $MIN")))
    #expect(template.sortDescriptors.map(\.ascending) == [false, true])
    #expect(template.definition.limit == 10)
  }

  @Test(
    "MDL-233: requests are checked against the model, with the offset in the text",
    arguments: [
      (#""predicate":"salry > 3""#, "model-unknown-property fetchRequests[0].predicate", 0, "salary"),
      (#""predicate":"salary >""#, "model-bad-expression fetchRequests[0].predicate", 8, nil),
      (
        #""predicate":"boss.boss.nme == 'x'""#, "model-unknown-property fetchRequests[0].predicate", 0, "name"
      ),
      (#""sort":["name","-salry"]"#, "model-unknown-property fetchRequests[0].sort[1]", nil, "salary"),
      (#""prefetch":["bos"]"#, "model-unknown-property fetchRequests[0].prefetch[0]", nil, "boss"),
      (#""prefetch":["name"]"#, "model-unknown-property fetchRequests[0].prefetch[0]", nil, "name"),
      (
        #""properties":["nam"],"resultType":"dictionaries""#,
        "model-unknown-property fetchRequests[0].properties[0]", nil, "name"
      ),
      (#""distinct":true"#, "model-not-applicable fetchRequests[0].distinct", nil, nil),
      (#""limit":-1"#, "model-bad-value fetchRequests[0].limit", nil, nil),
    ] as [(String, String, Int?, String?)])
  func badRequests(request: String, problem: String, offset: Int?, suggestion: String?) throws {
    let found = problems(
      """
      {"entities":[{"name":"E","attributes":[{"name":"name","type":"string"},{"name":"salary","type":"decimal"}],
        "relationships":[{"name":"boss","destination":"E"}]}],
       "fetchRequests":[{"name":"f","entity":"E",\(request)}]}
      """)
    #expect(found.map { "\($0.code.rawValue) \($0.path)" } == [problem])
    #expect(found.first?.offset == offset)
    if problem.contains("unknown-property"), !request.contains("prefetch\":[\"name") {
      #expect(found.first?.suggestion == suggestion)
    }
  }

  @Test(
    "PRD-215: sort keys have a sign and modifiers",
    arguments: [
      ("x", true, "compare"), ("-x", false, "compare"), ("+x", true, "compare"), ("x:desc", false, "compare"),
      ("-x:localizedStandard", false, "localizedStandard"),
      ("x:caseInsensitive:asc", true, "caseInsensitive"),
    ])
  func sortKeys(text: String, ascending: Bool, comparator: String) throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        entities: [EntityDefinition("A", attributes: [.init("x", .string)])],
        fetchRequests: [.init("f", entity: "A", sort: [text])]))
    let descriptor = try #require(model.fetchRequestTemplates[0].sortDescriptors.first)
    #expect(descriptor.ascending == ascending)
    #expect(descriptor.comparator.rawValue == comparator)
  }

  @Test(
    "PRD-215: contradictory, repeated and unknown modifiers are problems with their offset",
    arguments: [("-x:asc", 3), ("x:asc:asc", 6), ("x:localised", 2), ("x:", 2)])
  func badSortKeys(text: String, offset: Int) {
    let found = problems(
      #"{"entities":[{"name":"A","attributes":[{"name":"x","type":"string"}]}],"fetchRequests":[{"name":"f","entity":"A","sort":["\#(text)"]}]}"#
    )
    #expect(
      found.map { "\($0.code.rawValue) \($0.path)" } == ["model-bad-expression fetchRequests[0].sort[0]"])
    #expect(found.first?.offset == offset)
  }

  @Test("PRD-287: a predicate may use a property of a sub-entity")
  func subentityKeys() {
    let definition = ModelDefinition(
      entities: [
        EntityDefinition("A"), EntityDefinition("B", parent: "A", attributes: [.init("x", .int16)]),
      ],
      fetchRequests: [.init("f", entity: "A", predicate: "x > 3"), .init("g", entity: "A", sort: ["x"])])
    #expect(problemSummaries(definition) == ["model-unknown-property fetchRequests[1].sort[0]"])
  }

  @Test("MDL-109: a validation's predicate is parsed at load; a mistake has its offset")
  func validations() throws {
    let found = problems(
      thing(
        attributes:
          #"{"name":"a","type":"int16","validations":[{"predicate":"SELF > 0"},{"predicate":"SELF >"}]}"#))
    #expect(
      found.map { "\($0.code.rawValue) \($0.path)" } == [
        "model-bad-expression entities[0].attributes[0].validations[1].predicate"
      ])
    #expect(found.first?.offset == 6)
  }

  @Test("MDL-223, MDL-226: a fetched property knows two variables and the keys of its entity")
  func fetchedProperties() throws {
    let entity = EntityDefinition(
      "A", attributes: [.init("x", .string)],
      fetchedProperties: [
        .init("fine", entity: "A", predicate: "x == $FETCH_SOURCE.x", sort: ["-x"], limit: 3),
        .init("variable", entity: "A", predicate: "x == $OTHER"),
        .init("key", entity: "A", predicate: "y == 1"),
        .init("gone", entity: "B"),
      ])
    #expect(
      problemSummaries(ModelDefinition(entities: [entity])) == [
        "model-bad-expression entities[0].fetchedProperties[1].predicate",
        "model-unknown-property entities[0].fetchedProperties[2].predicate",
        "model-unknown-entity entities[0].fetchedProperties[3].entity",
      ])
  }

  @Test("MDL-104: a fetched property has no validations and is not transient")
  func fetchedPropertyKeys() {
    #expect(
      problemSummaries(
        #"{"entities":[{"name":"A","fetchedProperties":[{"name":"f","entity":"A","optional":false,"transient":true,"validations":[{"predicate":"SELF > 0"}]}]}]}"#
      ) == [
        "model-not-applicable entities[0].fetchedProperties[0].transient",
        "model-not-applicable entities[0].fetchedProperties[0].validations",
      ])
  }

  @Test("MDL-272: a localized name is looked up under the entity, its ancestors, then alone")
  func localizedNames() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        entities: [
          EntityDefinition("A", attributes: [.init("x", .string), .init("y", .string), .init("z", .string)]),
          EntityDefinition("B", parent: "A"),
        ],
        localization: [
          "Property/x": "General", "Property/x/Entity/A": "Of A", "Property/y/Entity/B": "Of B",
          "Property/y": "General",
        ]))
    let entity = model.entities[1]
    let names = entity.properties.map { model.localizedName(of: $0, in: entity) }
    #expect(names == ["Of A", "Of B", "z"])
  }
}
