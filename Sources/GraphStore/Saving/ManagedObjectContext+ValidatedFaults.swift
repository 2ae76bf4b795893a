extension ManagedObjectContext {
  /// Reads the rows of all changed faults of a tree with the first that fires while a save validates, so that rules of classes
  /// cost one statement a tree (OBJ-339).
  ///
  /// Such objects were changed in a to-many alone; rules of the model need none of their values.
  func loadFaults(validatedWith object: ManagedObject) throws {
    let tree = object.layout.rootIndex
    guard validatedTrees != nil, object.state.contains(.updated),
      validatedTrees?.insert(tree).inserted == true
    else { return }
    try loadRows(of: changedObjects.filter { $0.layout.rootIndex == tree && $0.state.contains(.fault) })
  }

  /// Resolves a to-many of all objects in which a save has to count its members, with the first of them (REL-145).
  func resolve(_ relationship: RelationshipLayout, validatedWith object: ManagedObject) throws {
    let owners = changedObjects.filter { owner in
      owner.layout.rootIndex == object.layout.rootIndex && owner.state.isUpdate && !owner.isDeleted
        && owner.entity.isKind(of: relationship.description.entity) && owner.isChangedToMany(relationship)
    }
    try resolve(relationship, of: owners.contains(object) ? owners : [object])
  }
}
