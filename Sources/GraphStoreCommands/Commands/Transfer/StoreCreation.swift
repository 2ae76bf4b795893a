import Foundation
import GraphStore

/// Makes a store where a command may make the one it works on.
enum StoreCreation {
  /// Makes the store that the settings name, with their model, if there is no file.
  static func makeStore(in session: CommandSession) throws {
    let path = try session.storePath()
    guard session.openContext == nil, !FileManager.default.fileExists(atPath: path) else { return }
    let model = try session.loadModel(try session.modelPaths())
    try PersistentStoreCoordinator.create(storeAt: path, model: model).close()
  }
}
