import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Attributes with external storage")
struct ExternalStorageTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "Photo",
          attributes: [
            AttributeDefinition("title", .string),
            AttributeDefinition("data", .binary, externalStorage: true),
          ])
      ]))
  }

  /// A store as Core Data leaves it: without the keys of the library, its values with their prefix.
  private func coreDataStore() throws -> LayoutFolder {
    let folder = try LayoutFolder()
    let model = try Self.model()
    var metadata = StoreMetadata(model: model)
    metadata.values[StoreMetadata.Key.format] = nil
    metadata.values[StoreMetadata.Key.model] = nil
    let connection = try SQLiteLayout.create(
      at: folder.file("s"), schema: SQLSchema(model: model), metadata: metadata)
    try connection.execute(
      """
      INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZDATA) VALUES (1, 1, 1, 'a', x'01FFD8'), (2, 1, 1, 'b', NULL);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2
      """)
    connection.close()
    return folder
  }

  @Test("STO-177: in a store of Core Data such values are neither shown, set nor touched, and check says so")
  func coreData() throws {
    let folder = try coreDataStore()
    let model = try Self.model()
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.file("s"), model: model)
    let attribute = try #require(model.entity(named: "Photo").attribute(named: "data"))
    #expect(!coordinator.holds(attribute))
    let context = ManagedObjectContext(coordinator: coordinator)
    let photos = try context.fetch(
      FetchRequest(entityName: "Photo", predicate: QueryPredicate(parsing: "title == 'a'")))
    for body in [
      { _ = try photos[0].value(forKey: "data") }, { try photos[0].setValue(Data([2]), forKey: "data") },
    ] as [() throws -> Void] {
      let error = #expect(throws: GraphStoreError.self) { try body() }
      #expect(error?.code == .notSupported && error?.message.contains("files") == true)
    }
    try photos[0].setValue("c", forKey: "title")
    try context.insert(entityNamed: "Photo").setValue("d", forKey: "title")
    try context.save()
    coordinator.close()
    let raw = try SQLiteConnection(path: folder.file("s"), mode: .readWrite)
    #expect(
      try raw.string("SELECT group_concat(ZTITLE || coalesce(hex(ZDATA), '-'), ' ') FROM ZPHOTO")
        == "c01FFD8 b d")
    raw.close()
    let values = try StoreCheck.run(path: folder.file("s"), model: model).first { $0.name == "values" }
    #expect(values?.findings.map(\.subject) == ["Photo.data"] && values?.isOK == true)
  }

  @Test("Stores of the library keep such values in the row")
  func ours() throws {
    let folder = try LayoutFolder()
    let coordinator = try PersistentStoreCoordinator.create(storeAt: folder.file("s"), model: Self.model())
    let context = ManagedObjectContext(coordinator: coordinator)
    let photo = try context.insert(entityNamed: "Photo")
    try photo.setValue(Data([2, 3]), forKey: "data")
    try context.save()
    context.reset()
    let photos = try context.fetch(FetchRequest(entityName: "Photo"))
    #expect(try photos[0].value(forKey: "data") as? Data == Data([2, 3]))
    coordinator.close()
    #expect(try StoreCheck.run(path: folder.file("s")).flatMap(\.findings) == [])
  }
}
