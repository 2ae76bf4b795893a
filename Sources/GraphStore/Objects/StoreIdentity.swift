import GraphStoreModel

/// Where identifiers count: a store, or, for temporary ones, a coordinator.
final class StoreIdentity: Sendable {
  /// The store's UUID in upper case; for temporary identifiers one made for the coordinator.
  let uuid: String
  let model: ManagedObjectModel

  init(uuid: String, model: ManagedObjectModel) {
    self.uuid = uuid
    self.model = model
  }
}
