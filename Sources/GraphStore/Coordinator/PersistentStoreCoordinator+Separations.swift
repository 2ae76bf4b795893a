import GraphStoreModel

extension PersistentStoreCoordinator {
  /// The relationships whose ends no store can hold together, now that a store brings in the second end
  /// (STO-127).
  func separations(
    by added: any PersistentStore, _ others: ArraySlice<any PersistentStore>
  ) -> [ModelProblem] {
    guard !others.isEmpty, added.entities.configuration != nil else { return [] }
    return added.entities.entities.flatMap { entity in
      entity.relationships.filter { isSeparated($0, by: added, others) }.map(separation)
        .filter { !managedObjectModel.silences($0) }
    }
  }

  private func isSeparated(
    _ relationship: RelationshipDescription, by added: any PersistentStore,
    _ others: ArraySlice<any PersistentStore>
  ) -> Bool {
    let destination = relationship.destination
    guard !relationship.isTransient, !added.entities.holds(destination) else { return false }
    return others.contains { $0.entities.holds(destination) }
      && !others.contains { $0.entities.contains(relationship.entity) && $0.entities.holds(destination) }
  }

  private func separation(of relationship: RelationshipDescription) -> ModelProblem {
    let (entity, destination) = (relationship.entity, relationship.destination)
    return .warning(
      "relationship-crosses-configurations",
      at: ModelPath().item("entities", entity.index).key("relationships").key(relationship.name),
      message:
        "\(entity.name).\(relationship.name) leads to \(destination.name), and no open store holds both entities.",
      remedy: "Put both entities into one configuration, or keep the URI of the other object.")
  }
}
