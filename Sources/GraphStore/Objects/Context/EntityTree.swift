/// The tree of an entity in one store: an entity without parent together with all below it, whose records are
/// read by one statement.
struct EntityTree: Hashable {
  let storeIndex: Int32
  /// The position in the model of the entity without parent.
  let rootIndex: Int

  init(of entity: EntityLayout, in storeIndex: Int32) {
    self.storeIndex = storeIndex
    rootIndex = entity.rootIndex
  }
}

extension ManagedObject {
  /// The tree that the object's record is in.
  final var tree: EntityTree { EntityTree(of: layout, in: storeIndex) }
}
