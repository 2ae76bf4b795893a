import GraphStoreModel

extension PersistentStoreCoordinator {
  /// Whether objects can be instances of classes of the program.
  var hasClasses: Bool { classes.hasClasses }

  @inline(__always)
  func objectClass(_ layout: EntityLayout) -> ManagedObject.Type { classes[layout.index] }

  /// The entity that a class represents; of several the one that the others descend from.
  ///
  /// - Throws: `class-mismatch` when there is no such entity.
  func layout(representedBy type: ManagedObject.Type) throws -> EntityLayout {
    if let entity = classes.entity(of: type) { return layout.entities[entity] }
    let names = classes.entities(of: type).map { layout.entities[$0].entity.name }
    throw GraphStoreError(
      .classMismatch,
      names.isEmpty
        ? "\(type) represents no entity of the model: the coordinator was not given it."
        : "\(type) represents \(names.joined(separator: ", ")).",
      remedy: names.isEmpty
        ? "Name \(type) as the className of an entity, and give it to the coordinator: "
          + "PersistentStoreCoordinator.open(storeAt: path, classes: [\"\(type)\": \(type).self])."
        : "Name the entity: FetchRequest<\(type)>(entityName: \"\(names[0])\").")
  }

  /// Makes sure that objects of an entity may be made.
  ///
  /// - Throws: `class-not-found` where the model requires the class that the entity names and it is not
  ///   registered.
  @inline(__always)
  func checkClass(_ layout: EntityLayout) throws {
    if classes.refuses(layout.index) { throw classNotFound(layout.entity) }
  }

  @inline(never)
  private func classNotFound(_ entity: EntityDescription) -> GraphStoreError {
    let className = entity.className ?? ""
    return GraphStoreError(
      .classNotFound,
      "Failed to create new object: no class is registered as \(className), which \(entity.name) names and the model "
        + "requires.",
      remedy: "Give \(className) to the coordinator, or take the className out of the model.",
      entity: entity.name)
  }
}
