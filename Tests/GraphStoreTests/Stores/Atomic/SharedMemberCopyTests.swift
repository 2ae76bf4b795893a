import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Copies of documents whose members have several owners")
struct SharedMemberCopyTests {
  private static let model = ModelDefinition.of(
    EntityDefinition(
      "T", attributes: [AttributeDefinition("a", .string)],
      relationships: [
        RelationshipDefinition("next", to: "T", isToMany: true),
        RelationshipDefinition("other", to: "T", isToMany: true),
      ]))

  /// A document in which p3 is a member of p1 and of p2.
  private func edited(in folder: AtomicFolder) throws -> String {
    let context = try folder.make(Self.model, "d")
    for letter in ["x", "y", "z"] { try context.insert("T", ["a": letter]) }
    try context.save()
    context.coordinator.close()
    let text = try folder.text("d")
    let edited = text.replacing(#""a":"x""#, with: #""a":"x","next":["T/p3"]"#)
      .replacing(#""a":"y""#, with: #""a":"y","next":["T/p3"]"#)
    try #require(edited != text)
    try folder.write(Array(edited.utf8), to: "d")
    return folder.path("d")
  }

  private func owners(_ text: String) -> Int { text.components(separatedBy: #""next":["T/p3"]"#).count - 1 }

  @Test(
    "STO-149: a backup of another type, and one back, keep all owners, and pairs alone where there are several"
  )
  func backup() throws {
    let folder = try AtomicFolder(.json)
    let document = try edited(in: folder)
    try StoreBackup.make(ofStoreAt: document, at: folder.path("b.db"), type: .sqlite)
    try StoreBackup.make(ofStoreAt: folder.path("b.db"), at: folder.path("back"), type: .json)
    #expect(try owners(folder.text("back")) == 2)
    let store = try SQLiteStore.open(
      folder.path("b.db"), StoreOptions(isReadOnly: true), model: ManagedObjectModel(Self.model))
    defer { store.close() }
    #expect(store.schema.pairedRelationships.map(\.name) == ["next"])
  }

  @Test("STO-149: a store that is written into another type keeps all owners")
  func migrating() throws {
    let folder = try AtomicFolder(.json)
    let document = try edited(in: folder)
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: document, model: ManagedObjectModel(Self.model))
    defer { coordinator.close() }
    _ = try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: URL(fileURLWithPath: folder.path("m.db")), type: .sqlite)
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let counts = try context.performAndWait {
      var request = FetchRequest<ManagedObject>(entityName: "T")
      request.sortDescriptors = [try QuerySortDescriptor(parsing: "a")]
      return try context.fetch(request).map { try $0.objects(forKey: "next").count }
    }
    #expect(counts == [1, 1, 0])
  }
}
