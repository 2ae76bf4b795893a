extension ManagedObjectContext {
  /// Hands over the entity's name and key of each stored member of a to-many, in stored order, else by key;
  /// one statement and no objects. Unsaved changes do not count.
  package func enumerateStoredMembers(
    ofProperty number: Int, entityAt index: Int, of owner: ManagedObjectID, _ receive: (String, Int64) -> Void
  ) throws {
    let layout = coordinator.layout.entities[index]
    guard let mount = mounts.first(where: { $0.store.scope === owner.scope }),
      layout.properties[number].relationship >= 0
    else { return }
    let relationship = layout.relationships[layout.properties[number].relationship]
    for link in try readingOnce(from: mount.index, { try $0.members(relationship, owners: [owner.key]) }) {
      receive(coordinator.layout.entities[link.member.entity].entity.name, link.member.key)
    }
  }
}
