import GraphStore

/// Stores wherever a command takes a model: the model that a store was made with, with Core Data's hashes
/// where it is one of Core Data's.
enum StoresAsModels {
  /// Has stores taken from now on.
  static func accept() {
    let models = EmbeddedModels(isStore: StoreModel.isStore) { path in
      let loaded = try StoreModel.load(fromStoreAt: path)
      guard let version = try StoreModel.coreDataVersion(ofStoreAt: path) else { return loaded }
      return try loaded.known(as: version)
    }
    EmbeddedModels.register(models)
  }
}
