import Foundation
import GraphStoreModel

/// Where identifiers count: a store, or, for temporary ones, a coordinator.
final class StoreIdentity: Sendable {
  /// The store's UUID; for temporary identifiers one made for the coordinator.
  let identifier: UUID
  /// The UUID's text, in upper case: what the URIs of identifiers hold.
  let uuid: String
  let model: ManagedObjectModel

  init(_ identifier: UUID, model: ManagedObjectModel) {
    self.identifier = identifier
    uuid = identifier.uuidString
    self.model = model
  }
}
