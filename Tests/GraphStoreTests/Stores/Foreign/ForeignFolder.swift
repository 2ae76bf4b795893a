import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// A folder with copies of stores of Core Data, removed with the object.
final class ForeignFolder {
  private let folder: TemporaryFolder

  /// Stores that carry their model.
  static let names = ["Moody", "Moody 2", "Moody 3", "Moody 4", "Moody 5"]

  /// Makes the folder with a copy of each store of the names.
  init(_ names: [String]) throws {
    folder = try TemporaryFolder()
    let source = try #require(AppleStores.folder)
    for name in names {
      try FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: file(name))
      // The originals can only be read.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file(name))
    }
  }

  var path: String { folder.path }

  func file(_ name: String) -> String { folder.file(name) }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file(name))) }

  /// Opens a store, which is closed by the caller.
  func open(
    _ name: String, isReadOnly: Bool = true, model: ManagedObjectModel? = nil
  ) throws -> PersistentStoreCoordinator {
    try .open(storeAt: file(name), options: StoreOptions(isReadOnly: isReadOnly), model: model)
  }
}
