import GraphStoreModel
import Synchronization

/// The layouts of a model's entities, by the entities' position in the model.
final class ModelLayout: Sendable {
  let model: ManagedObjectModel
  let entities: [EntityLayout]
  /// Guards what is known of the objects of these entities.
  let registryLock = RegistryLock()

  private static let identities = Atomic<UInt32>(1)

  /// A layout for objects of a model in no store, which hold all that objects can hold.
  convenience init(_ model: ManagedObjectModel) { self.init(StoredEntities(model)) }

  /// A layout for objects of a store.
  init(_ stored: StoredEntities) {
    let model = stored.model
    self.model = model
    let first = Self.identities.add(UInt32(model.entities.count), ordering: .relaxed).oldValue
    entities = model.entities.map { EntityLayout($0, identity: first + UInt32($0.index), stored) }
  }

  func entity(named name: String) throws -> EntityLayout {
    entities[try model.entity(named: name).index]
  }
}
