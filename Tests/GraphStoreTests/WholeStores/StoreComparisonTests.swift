import Foundation
import GraphStoreModel
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("Comparing two stores")
struct StoreComparisonTests {
  @Test("STO-051: the contents of a store in memory are read alike")
  func inMemory() throws {
    let model = try ManagedObjectModel(json: Array(StoreContentsTests.model.utf8), name: nil)
    let coordinator = try PersistentStoreCoordinator.inMemory(model: model)
    try StoreContentsTests.filled(coordinator, count: 100)
    let folder = try TemporaryFolder()
    let file = try PersistentStoreCoordinator.create(storeAt: folder.file("a.db"), model: model)
    defer { file.close() }
    try StoreContentsTests.filled(file, count: 100)
    let (old, new) = (try StoreContents(coordinator), try StoreContents(file))
    defer {
      old.close()
      new.close()
    }
    let comparison = try StoreComparison(old, new)
    try comparison.run { _ in }
    #expect(comparison.counts.isEmpty)
    #expect(comparison.compared == 101)
  }

  @Test("STO-165: two stores of one UUID are compared, each under a coordinator of its own")
  func copies() throws {
    let model = try ManagedObjectModel(json: Array(StoreContentsTests.model.utf8), name: nil)
    let folder = try TemporaryFolder()
    let first = try PersistentStoreCoordinator.create(storeAt: folder.file("a.db"), model: model)
    try StoreContentsTests.filled(first, count: 70)
    first.close()
    try FileManager.default.copyItem(atPath: folder.file("a.db"), toPath: folder.file("b.db"))
    let stores = try ["a.db", "b.db"].map { try PersistentStoreCoordinator.open(storeAt: folder.file($0)) }
    defer { stores.forEach { $0.close() } }
    let context = ManagedObjectContext(coordinator: stores[1])
    let request = FetchRequest(entityName: "Chief")
    for chief in try context.fetch(request) { try chief.setValue("x", forKey: "title") }
    try context.save()
    let contents = try stores.map { try StoreContents($0) }
    defer { contents.forEach { $0.close() } }
    #expect(contents[0].form.identifier == contents[1].form.identifier)
    let comparison = try StoreComparison(contents[0], contents[1])
    var changed: [String] = []
    try comparison.run { difference in
      if case .changed(let object, _, let columns) = difference {
        changed.append("\(object.name) \(columns.map(\.name))")
      }
    }
    #expect(changed.count == 35)
    #expect(changed.first == "Chief/p2 [\"title\"]")
  }
}
