import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Definitions that are edited")
struct ModelEditingTests {
  private func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as ModelLookupError {
      return error.code
    } catch let error as ModelError {
      return error.code
    } catch {
      return "\(error)"
    }
  }

  @Test("MDL-303: a copy is a definition of its own; the model it was made from never changes")
  func copies() throws {
    let model = try ManagedObjectModel(fullDefinition)
    var copy = model.copy()
    #expect(copy == model.definition)
    copy.entities[1].attributes.append(.init("more", .date))
    copy.entities.removeLast()
    let changed = try ManagedObjectModel(copy)
    #expect(model.definition == fullDefinition)
    #expect(model.entities.count == 3 && changed.entities.count == 2)
    #expect(try model.entity(named: "B").property(named: "more") == nil)
    #expect(try changed.entity(named: "B") !== model.entity(named: "B"))
  }

  @Test("MDL-303: a copy keeps the name that a model has from its file")
  func names() throws {
    let model = try ManagedObjectModel(json: #"{"entities":[]}"#.utf8, name: "Firm")
    #expect(try ManagedObjectModel(model.copy()).name == "Firm")
  }

  @Test("MDL-304: a definition with a problem makes no model, with the problems that a file would have")
  func checked() throws {
    var copy = try ManagedObjectModel(fullDefinition).copy()
    copy.entities[2].parent = "Nobody"
    copy.entities[1].attributes[0].defaultValue = "x"
    #expect(
      problemSummaries(copy) == [
        "model-bad-value entities[1].attributes[0].default", "model-unknown-entity entities[2].parent",
      ])
  }

  @Test("MDL-301, MDL-302, MDL-305: a model cannot be changed, and many threads read it at one time")
  func threads() async throws {
    let model = try ManagedObjectModel(fullDefinition)
    let expected = model.versionChecksum
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          (0..<50).allSatisfy { _ in
            model.versionChecksum == expected && model.entitiesByName["C"]?.superentity?.name == "B"
              && model.fetchRequestTemplatesByName["q"]?.entity.model === model
              && model.localizationDictionary["Entity/A"] == "Ä"
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test(
    "MDL-242: a fetch request is set under a name; one that is there is replaced in its place, nil removes it"
  )
  func templates() throws {
    var definition = fullDefinition
    definition.setFetchRequestTemplate(.init("any", entity: "B"), forName: "all")
    #expect(definition.fetchRequests.map(\.name) == ["q", "all"])
    definition.setFetchRequestTemplate(.init("q", entity: "C", predicate: "x > 2"), forName: "q")
    #expect(definition.fetchRequests.map(\.name) == ["q", "all"])
    let model = try ManagedObjectModel(definition)
    #expect(model.fetchRequestTemplate(forName: "q")?.entity.name == "C")
    #expect(model.fetchRequestTemplate(forName: "all")?.predicate == nil)
    definition.setFetchRequestTemplate(nil, forName: "q")
    definition.setFetchRequestTemplate(nil, forName: "never")
    #expect(definition.fetchRequests.map(\.name) == ["all"])
  }

  @Test("MDL-241: an unknown fetch request is nil, or unknown-template with the nearest name")
  func unknownTemplate() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        entities: [EntityDefinition("A")],
        fetchRequests: [.init("newest", entity: "A"), .init("oldest", entity: "A")]))
    #expect(model.fetchRequestTemplate(forName: "newst") == nil)
    let error = #expect(throws: ModelLookupError.self) { try model.fetchRequestTemplate(named: "newst") }
    #expect(error?.code == "unknown-template" && error?.suggestions.first == "newest")
  }

  @Test("MDL-253: the entities of a configuration are read and set; those of another model are refused")
  func configurations() throws {
    var definition = fullDefinition
    #expect(try definition.entities(forConfigurationName: "Half") == ["A", "B"])
    #expect(try definition.entities(forConfigurationName: nil) == ["A", "B", "C"])
    try definition.setEntities(["C", "B"], forConfigurationName: "Half")
    try definition.setEntities(["A"], forConfigurationName: "New")
    let model = try ManagedObjectModel(definition)
    #expect(model.configurations == ["Half", "None", "New"])
    #expect(try model.entities(forConfigurationName: "Half").map(\.name) == ["B", "C"])
    let before = definition
    #expect(
      code { try definition.setEntities(["A", "Other"], forConfigurationName: "Half") } == "unknown-entity")
    #expect(definition == before)
    #expect(code { _ = try definition.entities(forConfigurationName: "half") } == "unknown-configuration")
  }

  @Test("MDL-251: a model has any number of configurations, and they may overlap")
  func overlaps() throws {
    let names = (0..<40).map { "E\($0)" }
    var definition = ModelDefinition(entities: names.map { EntityDefinition($0) })
    for number in 0..<20 {
      try definition.setEntities(Array(names[number..<(number + 20)]), forConfigurationName: "Part \(number)")
    }
    let model = try ManagedObjectModel(definition)
    #expect(model.configurations.count == 20)
    #expect(try model.entities(forConfigurationName: "Part 7").map(\.name) == Array(names[7..<27]))
  }

  @Test("MDL-086: a hierarchy is built from the top; an entity has one parent")
  func hierarchy() throws {
    var definition = ModelDefinition(entities: ["A", "B", "C", "D"].map { EntityDefinition($0) })
    try definition.setSubentities(["B", "C"], of: "A")
    #expect(definition.subentities(of: "A") == ["B", "C"])
    let model = try ManagedObjectModel(definition)
    #expect(model.entitiesByName["A"]?.subentities.map(\.name) == ["B", "C"])
    let before = definition
    #expect(code { try definition.setSubentities(["C"], of: "D") } == "model-bad-value")
    #expect(code { try definition.setSubentities(["X"], of: "D") } == "model-unknown-entity")
    #expect(definition == before)
    try definition.setSubentities(["B"], of: "A")
    #expect(definition.entities.map(\.parent) == [nil, "A", nil, nil])
    try definition.setSubentities(["C"], of: "D")
    #expect(definition.subentities(of: "D") == ["C"])
  }

  @Test("MDL-111: predicates and warnings pair by position, and lists of different lengths are refused")
  func validationPredicates() throws {
    var age = AttributeDefinition("age", .int16, validations: [.init("SELF > 0")])
    var members = RelationshipDefinition("members", to: "Person", isToMany: true)
    #expect {
      try age.setValidationPredicates(["SELF > 1", "SELF < 9"], withValidationWarnings: ["too small"])
    } throws: {
      ($0 as? ModelError)?.problems.map(\.code) == [.badValue]
    }
    #expect(age.validations == [.init("SELF > 0")])
    try age.setValidationPredicates(["SELF > 1", "SELF < 9"], withValidationWarnings: ["too small", nil])
    #expect(age.validations == [.init("SELF > 1", message: "too small"), .init("SELF < 9")])
    try members.setValidationPredicates(["SELF.@count < 3"], withValidationWarnings: ["too many"])
    #expect(members.validations == [.init("SELF.@count < 3", message: "too many")])
  }
}
