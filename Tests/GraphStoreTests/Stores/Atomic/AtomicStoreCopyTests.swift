import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// Stores in one document that are copied, replaced, removed and made of stores of other types.
@Suite("Copies of stores in one document")
struct AtomicStoreCopyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a store with albums of some names.
  private func store(_ name: String, _ type: StoreType, _ albums: [String]) throws -> String {
    let path = folder.file(name)
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(PhotoStore.model))
    defer { coordinator.close() }
    var options = StoreOptions()
    options.type = type
    try coordinator.addStore(at: path, options: options)
    let context = ManagedObjectContext(coordinator: coordinator)
    for album in albums { try context.insert("Album", ["name": album]) }
    try context.save()
    return path
  }

  private func albums(_ path: String) throws -> Set<String> {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    return Set(try context.all("Album").map { try $0.string("name") ?? "" })
  }

  private static func url(_ path: String) -> URL { URL(fileURLWithPath: path) }

  @Test(
    "STO-156, STO-163, STO-164: a document is copied to a free path, and replaces one of its type, which is kept",
    arguments: AtomicFolder.types)
  func copied(_ type: StoreType) throws {
    let source = try store("a.store", type, ["One", "Two"])
    let copy = folder.file("copy.store")
    let result = try StoreBackup.make(ofStoreAt: source, at: copy)
    #expect(result.objectCount == 2 && result.byteCount == RegularFile.size(copy))
    #expect(try albums(copy) == ["One", "Two"])
    _ = try expectFailure(.storeExists) { try StoreBackup.make(ofStoreAt: source, at: copy) }
    let other = try store("b.store", type, ["Three"])
    let kept = try #require(try StoreBackup.restore(source, to: other))
    #expect(try albums(other) == ["One", "Two"])
    #expect(try albums(kept) == ["Three"])
    try PersistentStoreCoordinator.replacePersistentStore(at: Self.url(kept), with: Self.url(source))
    #expect(try albums(kept) == ["One", "Two"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["a.store", "b.store", "b.store.backup", "copy.store"])
  }

  @Test("STO-156: a document replaces neither a store of another type nor anything else, nor itself")
  func refused() throws {
    let source = try store("a.json", .json, ["One"])
    let other = try store("b.db", .sqlite, ["Two"])
    try Data("text".utf8).write(to: Self.url(folder.file("text")))
    for path in [other, folder.file("text")] {
      _ = try expectFailure(.storeTypeMismatch) { try StoreBackup.restore(source, to: path) }
    }
    _ = try expectFailure(.migrationDestination) {
      try PersistentStoreCoordinator.replacePersistentStore(at: Self.url(source), with: Self.url(source))
    }
    #expect(try albums(other) == ["Two"])
    try Data("{\"graphstore\": 1".utf8).write(to: Self.url(folder.file("cut.json")))
    _ = try expectFailure(.storeCorrupt) {
      try StoreBackup.make(ofStoreAt: folder.file("cut.json"), at: folder.file("copy.json"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("copy.json")))
  }

  @Test(
    "STO-160: a document is removed, one that is damaged where that is forced",
    arguments: AtomicFolder.types)
  func destroyed(_ type: StoreType) throws {
    let path = try store("a.store", type, ["One"])
    try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(path), type: type)
  }

  @Test(
    "STO-147, STO-149, OBJ-130: a mounted store becomes one of another type, objects and keys as they were",
    arguments: AtomicFolder.types, [StoreType.json, .sqlite])
  func migrated(to type: StoreType, from former: StoreType) throws {
    let path = try store("a.store", former, ["One", "Two"])
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    let context = ManagedObjectContext(coordinator: coordinator)
    let held = try context.all("Album")
    let ids = Set(held.map(\.objectID.shortForm))
    let target = folder.file("b.store")
    try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: Self.url(target), type: type)
    #expect(Set(held.map(\.objectID.shortForm)) == ids)
    try held[0].setValue("Changed", forKey: "name")
    try context.save()
    coordinator.close()
    #expect(StoreType.detected(at: target) == type)
    #expect(try albums(target).contains("Changed") && albums(target).count == 2)
    #expect(try albums(path) == ["One", "Two"])
  }
}
