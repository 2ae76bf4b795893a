import Foundation
import Testing

@testable import GraphStore

/// What a written step costs, in statements.
struct ObjectMigrationCostTests {
  private static let old = ModelDefinition(
    name: "M",
    entities: [
      EntityDefinition(
        "Item", attributes: (0..<10).map { AttributeDefinition("a\($0)", .int64) },
        relationships: [RelationshipDefinition("next", to: "Item", inverse: "previous")]
          + [RelationshipDefinition("previous", to: "Item", inverse: "next")])
    ])

  private static let new: ModelDefinition = {
    var model = old
    model.entities[0].attributes.append(AttributeDefinition("sum", .int64))
    return model
  }()

  /// The statements that a step takes for a number of objects.
  private static func statements(_ count: Int) throws -> (source: Int, destination: Int) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let models = try (ManagedObjectModel(old), ManagedObjectModel(new))
    let source = try PersistentStoreCoordinator.create(
      storeAt: folder.appending(path: "old.db").path, model: models.0)
    let destination = try PersistentStoreCoordinator.create(
      storeAt: folder.appending(path: "new.db").path, model: models.1)
    defer {
      source.close()
      destination.close()
    }
    let context = ManagedObjectContext(coordinator: source)
    var last: ManagedObject?
    for index in 0..<count {
      let item = try context.insert("Item", ["a0": index, "a9": 1])
      if index % 2 == 1 { try item.setValue(last, forKey: "previous") }
      last = item
    }
    try context.save()
    let before = (source.statementCount, destination.statementCount)
    let manager = MigrationManager(sourceModel: models.0, destinationModel: models.1)
    manager.batchSize = 100
    try manager.migrate(
      from: source,
      mapping: MappingModel(entityMappings: [
        EntityMapping(from: "Item", to: "Item", attributeMappings: [.value("sum", "$source.a0 + $source.a9")])
      ]), to: destination)
    let result = ManagedObjectContext(coordinator: destination)
    #expect(try result.all("Item", "sum == a0 + 1").count == count)
    #expect(try result.all("Item", "previous != nil AND previous.next == SELF").count == count / 2)
    return (source.statementCount - before.0, destination.statementCount - before.1)
  }

  @Test(
    "MIG-215, MIG-354: statements grow with the batches: a few to read each, one a row of references to write"
  )
  func statements() throws {
    let (few, many) = try (Self.statements(200), Self.statements(600))
    // Four batches more, in each of two passes over the source.
    #expect(many.source - few.source <= 4 * 4)
    // Rows go in by the dozen; of each object with a link its references are written by themselves.
    #expect(many.destination - few.destination <= 400 + 4 * 25)
  }
}
