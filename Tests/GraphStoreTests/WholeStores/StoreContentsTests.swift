import Foundation
import GraphStoreModel
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("Reading a whole store")
struct StoreContentsTests {
  static let model = """
    { "entities": [
      { "name": "Person", "attributes": [ { "name": "name", "type": "string" } ],
        "relationships": [
          { "name": "team", "destination": "Team", "inverse": "people" },
          { "name": "tags", "destination": "Tag", "inverse": "people", "toMany": true } ] },
      { "name": "Chief", "parent": "Person", "attributes": [ { "name": "title", "type": "string" } ] },
      { "name": "Team",
        "relationships": [ { "name": "people", "destination": "Person", "inverse": "team", "toMany": true } ] },
      { "name": "Tag",
        "relationships": [ { "name": "people", "destination": "Person", "inverse": "tags", "toMany": true } ] } ] }
    """

  static func filled(_ coordinator: PersistentStoreCoordinator, count: Int) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    let tag = try context.insert(entityNamed: "Tag")
    for number in 0..<count {
      let person = try context.insert(entityNamed: number % 2 == 0 ? "Person" : "Chief")
      try person.setValue("p\(number)", forKey: "name")
      try person.addObjects([tag], forKey: "tags")
    }
    try context.save()
  }

  @Test("STO-320: a tree is read by one statement, and members by one for 64 owners", arguments: [10, 200])
  func statements(count: Int) throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(json: Array(Self.model.utf8), name: nil)
    let coordinator = try PersistentStoreCoordinator.create(storeAt: folder.file("a.db"), model: model)
    defer { coordinator.close() }
    try Self.filled(coordinator, count: count)
    let contents = try StoreContents(coordinator)
    defer { contents.close() }
    let person = try #require(contents.roots.first { $0.name == "Person" })
    let before = coordinator.statementCount
    var keys: [Int64] = []
    var entities: Set<String> = []
    try contents.forEachObject(ofTree: person) { object in
      keys.append(object.key)
      entities.insert(object.entityName)
    }
    #expect(coordinator.statementCount - before == 1 + (count + 63) / 64)
    #expect(keys == keys.sorted() && keys.count == count)
    #expect(entities == ["Person", "Chief"])
  }
}
