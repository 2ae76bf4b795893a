import GraphStoreModel

extension ManagedObjectContext {
  /// Hands over the entity's name and key of each stored member of a to-many, in stored order, else by key; one
  /// statement and no objects. Unsaved changes do not count.
  package func enumerateStoredMembers(
    ofProperty number: Int, entityAt index: Int, key: Int64, _ receive: (String, Int64) -> Void
  ) throws {
    let layout = coordinator.layout.entities[index]
    guard let mount = mounts.first, layout.properties[number].relationship >= 0 else { return }
    let relationship = layout.relationships[layout.properties[number].relationship]
    for link in try readingOnce(from: mount.index, { try $0.members(relationship, owners: [key]) }) {
      receive(coordinator.layout.entities[link.member.entity].entity.name, link.member.key)
    }
  }
}

extension ManagedObjectContext {
  /// The object of a key, new ones included, or a fault of it.
  package func knownObject(entityAt index: Int, key: Int64) -> ManagedObject? {
    let layout = coordinator.layout.entities[index]
    guard key > 0 else { return registry.object(layout, key, 0) }
    return mounts.first.map { fault(layout, key: key, storeIndex: $0.index) }
  }
}

extension ManagedObject {
  /// The name of its entity and its key, which is negative before the first save.
  package final var numberedName: (entity: String, key: Int64) { (entity.name, key) }
}
