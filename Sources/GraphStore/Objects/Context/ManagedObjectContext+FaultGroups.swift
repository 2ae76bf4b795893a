import GraphStoreModel

extension ManagedObjectContext {
  /// Reads rows of other faults together with that of one which fires, where code of classes runs for all of
  /// them: while a deletion is propagated those of the wave (REL-243), while a save validates those that it
  /// validates (OBJ-339). So such code costs a statement a tree.
  @inline(__always)
  func loadFaults(firingWith object: ManagedObject) throws {
    if deletions.wave != nil { try loadWave(with: object) }
    if validation.trees != nil { try loadValidatedFaults(with: object) }
  }

  private func loadWave(with object: ManagedObject) throws {
    guard object.state.contains(.deleted), let faults = try deletions.wave?.faults(firingWith: object) else {
      return
    }
    try loadRows(of: faults)
  }

  /// Deleted faults, and those that were changed in a to-many alone; rules of the model need none of their
  /// values.
  private func loadValidatedFaults(with object: ManagedObject) throws {
    let (tree, isDeleted) = (object.layout.rootIndex, object.state.contains(.deleted))
    guard !object.state.isDisjoint(with: [.updated, .deleted]),
      validation.trees?.insert(ValidatedTree(root: tree, isDeleted: isDeleted)).inserted == true
    else { return }
    try loadRows(
      of: unsaved.objects.filter {
        $0.layout.rootIndex == tree && $0.state.contains(.fault) && $0.state.contains(.deleted) == isDeleted
      })
  }

  /// Resolves a to-many of all objects in which a save has to count its members, with the first of them
  /// (REL-145).
  func resolve(_ relationship: RelationshipLayout, validatedWith object: ManagedObject) throws {
    let owners = unsaved.objects.filter { owner in
      owner.layout.rootIndex == object.layout.rootIndex && owner.state.isUpdate && !owner.isDeleted
        && owner.entity.isKind(of: relationship.description.entity) && owner.isChangedToMany(relationship)
    }
    try resolve(relationship, of: owners.contains(object) ? owners : [object])
  }
}

/// Objects of one entity tree that a save validates, deleted ones apart from the others.
struct ValidatedTree: Hashable {
  let root: Int
  let isDeleted: Bool
}
