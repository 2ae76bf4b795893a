import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Rules of lint about requests, configurations and texts")
struct RequestRuleTests {
  private func model(
    _ predicate: String, sort: [String] = [], indexes: [IndexDefinition] = [], constraints: [[String]] = []
  ) -> ModelDefinition {
    ModelDefinition(
      entities: [
        EntityDefinition(
          "Person",
          attributes: [
            .init("name", .string), .init("age", .int16, isOptional: false),
            .init("mood", .string, isTransient: true),
            .init("open", .boolean, isOptional: false),
          ],
          relationships: [
            .init("friends", to: "Person", inverse: "friends", isToMany: true),
            .init("boss", to: "Person", inverse: "staff"),
            .init("staff", to: "Person", inverse: "boss", isToMany: true),
          ], indexes: indexes, uniquenessConstraints: constraints)
      ],
      fetchRequests: [.init("some", entity: "Person", predicate: predicate, sort: sort)])
  }

  private let predicate = ["fetchRequests[0].predicate"]

  @Test(
    "unindexed-search-key: keys that a template searches by and no index begins with",
    arguments: [
      "age > $AGE", "name BEGINSWITH $N", "name == $N AND age > 3", "boss.name == 'x'", "$AGE < age",
      "name == $N OR age == 2", "ANY staff.name == $N", "age BETWEEN {1, 2}", "name IN $NAMES",
    ])
  func unindexed(text: String) {
    #expect(places("unindexed-search-key", model(text)) == predicate)
  }

  @Test(
    "unindexed-search-key: what no index helps, or a reference serves, is none",
    arguments: [
      "name CONTAINS $N", "name LIKE[c] $N", "name != $N", "open == YES", "boss == $BOSS",
      "boss == $B AND age > 3",
      "name == nil", "age > boss.age", "TRUEPREDICATE", "name == $N OR name CONTAINS 'x'",
      "friends.@count > 3",
    ])
  func unneeded(text: String) {
    #expect(places("unindexed-search-key", model(text)) == [])
  }

  @Test("unindexed-search-key: an index or a constraint that begins with one of the keys is enough")
  func indexed() {
    let rule = "unindexed-search-key"
    let index = IndexDefinition("byAge", elements: [.init("age", order: .descending), .init("name")])
    #expect(places(rule, model("age > 3 AND name == 'x'", indexes: [index])) == [])
    #expect(places(rule, model("name == $N", constraints: [["name", "age"]])) == [])
    #expect(places(rule, model("name == $N", indexes: [index])) == predicate)
    #expect(places(rule, model("age == 1 OR name == $N", indexes: [index])) == predicate)
  }

  @Test("unindexed-search-key: the remedy is the entry to add, in the entity that lacks it")
  func remedy() {
    let found = ModelLinter().findings(in: model("boss.name == $N")).filter {
      $0.code == "unindexed-search-key"
    }
    #expect(
      found.map(\.description) == [
        "warning: unindexed-search-key: fetchRequests[0].predicate: The fetch request \"some\" searches by "
          + "Person.name, and no index begins with it. Add to \"indexes\" of Person: "
          + "{ \"name\": \"byName\", \"elements\": [ { \"property\": \"name\" } ] }."
      ])
  }

  @Test(
    "MDL-106: request-cannot-run: a template that names a transient property, or compares what cannot be compared"
  )
  func cannotRun() {
    let rule = "request-cannot-run"
    #expect(places(rule, model("mood == $M")) == predicate)
    #expect(places(rule, model("age == 'old'")) == predicate)
    #expect(places(rule, model("age > 1", sort: ["-mood"])) == ["fetchRequests[0].sort[0]"])
    #expect(places(rule, model("age > 1", sort: ["-age", "boss.name"])) == [])
    let fetched = EntityDefinition(
      "A", attributes: [.init("t", .string, isTransient: true)],
      fetchedProperties: [.init("all", entity: "A", predicate: "t == $FETCH_SOURCE.t")])
    #expect(places(rule, fetched) == ["entities[0].fetchedProperties[0].predicate"])
  }

  @Test("PRD-095: missing-value: != over an optional key without a test for nil")
  func missingValue() {
    #expect(places("missing-value", model("name != $N")) == predicate)
    #expect(places("missing-value", model("name != $N AND name != nil")) == [])
    #expect(places("missing-value", model("age != $N")) == [])
  }

  @Test("PRD-257: not-portable: forms that the original store refuses, only when asked for")
  func portable() {
    let definition = model("ANY boss.staff.friends.age > 3")
    #expect(places("not-portable", definition) == predicate)
    #expect(!ModelLinter().findings(in: definition).contains { $0.code == "not-portable" })
    #expect(places("not-portable", model("ANY staff.age > 3")) == [])
  }

  @Test(
    "PRD-257, PRD-298, PRD-299, FET-295: not-portable: orders, groups and aggregates of this library's own")
  func portableResults() {
    let entity = EntityDefinition(
      "A", attributes: [.init("age", .int64)],
      relationships: [
        .init("staff", to: "A", inverse: "boss", isToMany: true), .init("boss", to: "A", inverse: "staff"),
      ])
    let request = FetchRequestDefinition(
      "r", entity: "A", sort: ["age", "-age:nulls-first", "age * 2", "boss.age:nulls-first"],
      resultType: .dictionaries,
      properties: [
        .init("age"), .init("middle", expression: "median:(age)"),
        .init("double", expression: "staff.age * 2"),
        .init("total", expression: "sum:(age)"),
      ], groupBy: ["age", "staff.age", "double"], having: "percentile:(age, 0.9) > 3")
    let found = places("not-portable", ModelDefinition(entities: [entity], fetchRequests: [request]))
    #expect(
      found == [
        "fetchRequests[0].sort[1]", "fetchRequests[0].sort[2]", "fetchRequests[0].properties[1].expression",
        "fetchRequests[0].groupBy[1]", "fetchRequests[0].groupBy[2]", "fetchRequests[0].having",
      ])
  }

  private func configured(_ rule: String, _ configurations: ConfigurationDefinition...) -> [String] {
    places(
      rule,
      ModelDefinition(
        entities: [
          EntityDefinition("A", relationships: [.init("b", to: "B", inverse: "a")]),
          EntityDefinition("B", relationships: [.init("a", to: "A", inverse: "b")]),
          EntityDefinition("C", parent: "A"), EntityDefinition("D"),
        ], configurations: configurations))
  }

  @Test("MDL-255, STO-127: a relationship between entities that share no configuration is found once")
  func crossing() {
    let rule = "relationship-crosses-configurations"
    #expect(
      configured(rule, .init("one", entities: ["A", "C"]), .init("two", entities: ["B"]))
        == ["entities[0].relationships[0]"])
    #expect(
      configured(rule, .init("one", entities: ["A", "C"]), .init("two", entities: ["A", "B", "C"])) == [])
    #expect(configured(rule, .init("one", entities: ["A", "C"]), .init("two", entities: ["D"])) == [])
  }

  @Test("MDL-256: a configuration with a part of a tree is found")
  func splitting() {
    let rule = "configuration-splits-hierarchy"
    #expect(configured(rule, .init("one", entities: ["B", "A"])) == ["configurations[0].entities[1]"])
    #expect(configured(rule, .init("one", entities: ["C"])) == ["configurations[0].entities[0]"])
    #expect(configured(rule, .init("one", entities: ["A", "C"])) == [])
  }

  @Test("MDL-271: localization-names-nothing: a text for something that is not in the model")
  func localization() {
    func localized(_ key: String) -> [String] {
      var definition = model("age > 1")
      definition.localization = [key: "x"]
      return ModelLinter().findings(in: definition).filter { $0.code == "localization-names-nothing" }
        .compactMap(\.remedy)
    }
    #expect(localized("Entity/Preson") == ["Write Person."])
    #expect(localized("Property/moood/Entity/Person") == ["Write mood."])
    #expect(localized("Property/ago") == ["Write age."])
    #expect(localized("Persons/x").count == 1)
    for key in ["Entity/Person", "Property/age/Entity/Person", "Property/name", "ErrorString/Anything"] {
      #expect(localized(key) == [])
    }
  }
}
