import Foundation
import GraphStoreModel

@testable import GraphStore

/// A SQLite store of photos in a folder of its own, and what lies beside it.
final class PhotoStore {
  static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Photo",
      attributes: [
        AttributeDefinition("name", .string), AttributeDefinition("image", .binary, externalStorage: true),
        AttributeDefinition(
          "extra", .composite,
          elements: [
            AttributeDefinition("note", .string), AttributeDefinition("raw", .binary, externalStorage: true),
          ]),
      ],
      relationships: [RelationshipDefinition("album", to: "Album", inverse: "photos")]),
    EntityDefinition(
      "Album", attributes: [AttributeDefinition("name", .string, isOptional: false)],
      relationships: [
        RelationshipDefinition("photos", to: "Photo", inverse: "album", isToMany: true, deleteRule: .cascade)
      ]),
  ])

  let folder: TemporaryFolder
  let path: String
  private(set) var coordinator: PersistentStoreCoordinator
  private(set) var context: ManagedObjectContext

  init(_ options: StoreOptions = StoreOptions()) throws {
    folder = try TemporaryFolder()
    path = folder.url.appending(path: "photos.sqlite").path
    coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(Self.model))
    try coordinator.addStore(at: path, options: options)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  deinit { coordinator.close() }

  /// Where large values lie.
  var dataFolder: String { folder.url.path + "/.photos_SUPPORT/_EXTERNAL_DATA" }

  /// The names of the files there.
  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: dataFolder)) ?? []).sorted() }

  /// Opens the store anew.
  func reopen(_ options: StoreOptions = StoreOptions()) throws {
    coordinator.close()
    coordinator = try .open(storeAt: path, options: options)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  /// Saves a photo.
  @discardableResult
  func photo(_ name: String, _ size: Int, byte: UInt8 = 7) throws -> ManagedObject {
    let photo = try context.insert(
      "Photo", ["name": name, "image": Data(repeating: byte, count: size)])
    try context.save()
    return photo
  }

  /// What `check` says about external data.
  func findings() throws -> [StoreCheckFinding] {
    try StoreCheck.run(path: path).first { $0.name == "external data" }?.findings ?? []
  }
}
