import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Merging models")
struct ModelMergingTests {
  private func entity(_ name: String, _ change: (inout EntityDefinition) -> Void = { _ in })
    -> EntityDefinition
  {
    var entity = EntityDefinition(name, attributes: [.init("x", .int64), .init("y", .string)])
    change(&entity)
    return entity
  }

  private func model(
    _ entities: [EntityDefinition], _ change: (inout ModelDefinition) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    var definition = ModelDefinition(entities: entities)
    change(&definition)
    return try ManagedObjectModel(definition)
  }

  private func mergeError(_ models: [ManagedObjectModel]) -> ModelError? {
    do throws(ModelError) {
      _ = try ManagedObjectModel(merging: models)
      return nil
    } catch {
      return error
    }
  }

  @Test("DGN-130: models that define an entity alike are merged, which has it once")
  func identical() throws {
    let merged = try ManagedObjectModel(merging: [
      try model([entity("A"), entity("B")]), try model([entity("A"), entity("C")]),
    ])
    #expect(Set(merged.entities.map(\.name)) == ["A", "B", "C"])
  }

  @Test("MDL-051: several models become one, and stay as they were")
  func merging() throws {
    let first = try model([entity("A")])
    let second = try model([entity("B")])
    let merged = try ManagedObjectModel(merging: [first, second])
    #expect(merged.entities.map(\.name) == ["A", "B"])
    #expect(first.entities.count == 1 && second.entities.count == 1)
    #expect(merged.entities[0] !== first.entities[0])
    #expect(first.entities[0].model === first)
    #expect(merged.entityVersionHashesByName["B"] == second.entityVersionHashesByName["B"])
    #expect(try ManagedObjectModel(merging: []).entities.isEmpty)
  }

  @Test(
    "MDL-053, MDL-055, DGN-129: one name with two hashes is a clash that names both models and how to load versions"
  )
  func clash() throws {
    let first = try model([entity("A")]) { $0.name = "Old" }
    let second = try model([entity("A") { $0.attributes[0].type = .string }]) { $0.name = "New" }
    let error = try #require(mergeError([first, second]))
    #expect(error.code == "model-merge-clash" && error.number == 136_003)
    let problem = try #require(error.problems.first)
    #expect(error.problems.count == 1)
    #expect(problem.message.hasPrefix("Can't merge models with two different entities named 'A'"))
    #expect(problem.message.contains("Old") && problem.message.contains("New"))
    #expect(problem.message.hasSuffix("they differ in x."))
    #expect(problem.remedy?.contains("one at a time") == true)
  }

  @Test("MDL-053: files that clash are named, with the place in the second")
  func clashOfFiles() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write(thing(attributes: #"{"name":"a","type":"string"}"#), to: "1.json")
    let second = try folder.write("\n" + thing(attributes: #"{"name":"a","type":"date"}"#), to: "2.json")
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(mergingContentsOf: [first, second])
    }
    let problem = try #require(error?.problems.first)
    #expect(problem.message.contains(first) && problem.message.contains(second))
    #expect(problem.file == second && problem.line == 2)
    #expect(error?.description.hasPrefix(second + ":2:") == true)
  }

  @Test("MDL-054: equal hashes merge; what lies outside the hash comes from the first, with a warning")
  func equalHashes() throws {
    let first = entity("A") {
      $0.className = "First"
      $0.attributes[0].defaultValue = 1
      $0.userInfo = ["a": 1]
    }
    let second = entity("A") {
      $0.className = "Second"
      $0.attributes[0].defaultValue = 2
      $0.attributes[1].maxLength = 3
      $0.indexes = [.init("i", elements: [.init("x")])]
    }
    let merged = try ManagedObjectModel(merging: [try model([first]), try model([second, entity("B")])])
    #expect(merged.entities.map(\.name) == ["A", "B"])
    #expect(merged.definition.entities[0] == first)
    let documents = [first, second].map { ModelDocument(ModelDefinition(entities: [$0])) }
    let findings = try MergedModel(documents).findings
    #expect(findings.map(\.code) == ["merged-definitions-differ"])
    #expect(findings.first?.severity == .warning)
    #expect(findings.first?.path.description == "entities[0]")
    #expect(findings.first?.message.contains("class name, indexes, user info, x, y") == true)
    #expect(try MergedModel([documents[0], documents[0]]).findings.isEmpty)
  }

  @Test("MDL-054: the order of properties and what only Xcode says are no difference worth a word")
  func order() throws {
    let first = ModelDocument(ModelDefinition(entities: [entity("A")]))
    let second = ModelDocument(
      ModelDefinition(entities: [
        entity("A") {
          $0.attributes.reverse()
          $0.attributes[0].xcode = ["syncable": "YES"]
        }
      ]))
    let merged = try MergedModel([first, second])
    #expect(merged.validator.definition.entities[0].attributes.map(\.name) == ["x", "y"])
  }

  @Test("MDL-056: parents, destinations and inverses lead from file to file; alone such a file is refused")
  func acrossFiles() throws {
    let folder = try TemporaryFolder()
    let people = try folder.write(
      """
      {"entities":[{"name":"Person","parent":"Being","relationships":[
        {"name":"dogs","destination":"Dog","inverse":"owner","toMany":true}]}]}
      """, to: "People.json")
    let animals = try folder.write(
      """
      {"entities":[{"name":"Being","attributes":[{"name":"age","type":"int16"}]},
        {"name":"Dog","parent":"Being","relationships":[{"name":"owner","destination":"Person","inverse":"dogs"}]}]}
      """, to: "Animals.json")
    let merged = try ManagedObjectModel(mergingContentsOf: [people, animals])
    let person = try merged.entity(named: "Person")
    #expect(person.superentity?.name == "Being" && person.attributes.map(\.name) == ["age"])
    #expect(person.relationship(named: "dogs")?.inverse?.name == "owner")
    let alone = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: people) }
    #expect(alone?.problems.map(\.code) == [.unknownEntity, .unknownEntity])
    #expect(alone?.problems.last?.line == 2)
  }

  @Test("MDL-028: problems of all files come together, each with its file, line and column")
  func problemsOfAllFiles() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write(
      #"{"entities":[{"name":"A","attributes":[{"name":"x","type":"wrong"},{"name":"x","type":3}]}]}"#,
      to: "1.json")
    let second = try folder.write(
      """
      {"entities":[{"name":"B","colour":"red"},
       {"name":"C","parent":"Nobody"}]}
      """, to: "2.json")
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(mergingContentsOf: [first, second])
    }
    #expect(
      (error?.problems ?? []).map { "\($0.file ?? "") \($0.line ?? 0) \($0.code.rawValue) \($0.path)" } == [
        "\(first) 1 model-bad-value entities[0].attributes[0].type",
        "\(first) 1 model-duplicate-name entities[0].attributes[1].name",
        "\(first) 1 model-wrong-type entities[0].attributes[1].type",
        "\(second) 1 model-unknown-key entities[0].colour",
        "\(second) 2 model-unknown-entity entities[1].parent",
      ])
  }

  @Test("MDL-057: configurations of one name become the union, of texts and user info the first counts")
  func configurations() throws {
    let first = try model([entity("A"), entity("B")]) {
      $0.configurations = [.init("Main", entities: ["A", "B"])]
      $0.localization = ["Entity/A": "one"]
      $0.userInfo = ["k": 1, "only": true]
    }
    let second = try model([entity("B"), entity("C")]) {
      $0.configurations = [.init("Main", entities: ["B", "C"]), .init("Rest", entities: ["C"])]
      $0.localization = ["Entity/A": "two", "Entity/C": "three"]
      $0.userInfo = ["k": 2]
    }
    let merged = try ManagedObjectModel(merging: [first, second])
    #expect(merged.configurations == ["Main", "Rest"])
    #expect(try merged.entities(forConfigurationName: "Main").map(\.name) == ["A", "B", "C"])
    #expect(merged.localizationDictionary == ["Entity/A": "one", "Entity/C": "three"])
    #expect(merged.userInfo == ["k": 1, "only": true])
  }

  @Test("MDL-057, FET-160: fetch requests of one name are equal, or clash")
  func fetchRequests() throws {
    let request = FetchRequestDefinition("all", entity: "A", predicate: "x > 1")
    let first = try model([entity("A")]) { $0.fetchRequests = [request] }
    #expect(try ManagedObjectModel(merging: [first, first]).fetchRequestTemplates.count == 1)
    let second = try model([entity("A")]) {
      $0.fetchRequests = [request]
      $0.fetchRequests[0].limit = 3
    }
    let clash = try #require(mergeError([first, second]))
    #expect(clash.problems.map(\.code) == [.mergeClash])
    #expect(clash.problems.map(\.path.description) == ["fetchRequests[0]"])
  }

  @Test("MDL-052: all models of some directories are merged, in order of path")
  func directories() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"entities":[{"name":"B"}]}"#, to: "one/b.json")
    try folder.write(#"{"entities":[{"name":"A1"}]}"#, to: "one/a.graphmodel/1.json")
    try folder.write(#"{"entities":[{"name":"A2"}]}"#, to: "one/a.graphmodel/2.json")
    try folder.write(#"{"entities":[{"name":"C"}]}"#, to: "two/c.json")
    try folder.write(#"{"colour":"red"}"#, to: "two/settings.json")
    try folder.write("not JSON", to: "two/notes.json")
    try folder.write(#"{"entities":[{"name":"Deep"}]}"#, to: "two/below/d.json")
    let places = [folder.path + "/two", folder.path + "/one"]
    let merged = try ManagedObjectModel.mergedModel(from: places)
    #expect(merged.entities.map(\.name) == ["A2", "B", "C"])
  }

  @Test("MDL-052: no model at all is model-not-found with the directories searched")
  func noModels() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "a/x.txt")
    try folder.write("", to: "b/x.txt")
    let places = [folder.path + "/a", folder.path + "/b"]
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel.mergedModel(from: places) }
    #expect(error?.code == "model-not-found")
    #expect(places.allSatisfy { error?.description.contains($0) == true })
  }

  @Test("MDL-058: the versions of entities that a store was made with are picked from several models")
  func forMetadata() throws {
    let changed = entity("A") { $0.attributes[0].type = .double }
    let old = try model([entity("A"), entity("B")])
    let new = try model([changed, entity("B"), entity("C")])
    func metadata(_ hashes: [String: Data]) -> [String: Value] {
      ["NSStoreModelVersionHashes": .dictionary(hashes.mapValues(Value.data))]
    }
    let whole = metadata(new.entityVersionHashesByName)
    let taken = try ManagedObjectModel(merging: [old, new], forStoreMetadata: whole)
    #expect(taken?.entityVersionHashesByName == new.entityVersionHashesByName)
    var mixed = new.entityVersionHashesByName
    mixed["A"] = old.entityVersionHashesByName["A"]
    let picked = try ManagedObjectModel(merging: [old, new], forStoreMetadata: metadata(mixed))
    #expect(picked?.entityVersionHashesByName == mixed)
    #expect(try picked?.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata(mixed)) == true)
    mixed["A"] = Data([1])
    #expect(try ManagedObjectModel(merging: [old, new], forStoreMetadata: metadata(mixed)) == nil)
  }

  @Test("MDL-059, MDL-325: a merge that adds entities fits the store no more")
  func compatibility() throws {
    let first = try model([entity("A")])
    let metadata: [String: Value] = [
      "NSStoreModelVersionHashes": .dictionary(first.entityVersionHashesByName.mapValues(Value.data))
    ]
    let merged = try ManagedObjectModel(merging: [first, try model([entity("B")])])
    #expect(try first.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(try !merged.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test(
    "MDL-053, MDL-054: entities clash exactly when a change alone changes their own part of the hash",
    arguments: HashItems.changes)
  func clashesAsHashesDo(item: HashItem) throws {
    var definition = HashItems.base
    item.apply(&definition)
    let changed = try ManagedObjectModel(definition)
    let base = try ManagedObjectModel(HashItems.base)
    let differing = base.entities.filter { $0.versionHash != changed.entitiesByName[$0.name]?.versionHash }
    let clashing = mergeError([base, changed])?.problems.filter { $0.code == .mergeClash }.compactMap(\.value)
    // Of what only inherits a change the parent tells.
    let inherited = differing.filter { entity in
      entity.superentity.map {
        differing.contains($0) && changed.entitiesByName[entity.name]?.superentity?.name == $0.name
      }
        ?? false
    }
    let own = Set(differing.map(\.name)).subtracting(inherited.map(\.name))
    #expect(Set(clashing ?? []).subtracting(["q"]) == own)
  }
}
