import GraphStoreModel

extension ManagedObjectContext {
  /// Inserts a copy of an object: a new object of its entity, with its persistent attributes.
  ///
  /// Transient and derived attributes are left out, and relationships as the rules say: by default all. The
  /// objects to be copied are read first, so that a copy that is refused has inserted nothing.
  ///
  /// - Throws: `unknown-entity` and `unknown-key` for a rule of a relationship that there is not;
  ///   `copy-would-move`, `copy-too-large`; `not-supported` for an entity with attributes whose values
  ///   objects do not hold; `context-mismatch`, `object-detached`, `object-invalidated`; what reading throws.
  public func copy(_ object: ManagedObject, rules: CopyRules = CopyRules()) throws -> ManagedObject {
    try copies(of: object, rules)[0]
  }

  /// Inserts a copy of an object into another context of the same coordinator, as ``copy(_:rules:)`` does in
  /// this one.
  ///
  /// The original is read on this context's queue, and the copy inserted on that of the other. Relationships
  /// that are referred to lead to the same records there. The object itself, as opposed to a copy, is had in
  /// the other context by its identifier.
  ///
  /// ```swift
  /// let draft = ManagedObjectContext(coordinator: coordinator)
  /// let id = try context.copy(employee, to: draft)
  /// print(id.isTemporaryID)  // true
  /// ```
  ///
  /// - Returns: The temporary identifier of the copy, by which the other context knows it.
  /// - Throws: `temporary-id` for an object to refer to that was not saved yet; `context-mismatch` for a
  ///   context of another coordinator; and as ``copy(_:rules:)``. Nothing is inserted then.
  public func copy(
    _ object: ManagedObject, to target: ManagedObjectContext, rules: CopyRules = CopyRules()
  ) throws -> ManagedObjectID {
    guard target.coordinator === coordinator else {
      throw GraphStoreError(
        .contextMismatch,
        "\(object.objectID.shortForm) cannot be copied to \(target.nameForMessages), which has another coordinator.",
        remedy: "Pass its values: copyDictionary, and insert(entityNamed:from:) there.",
        entity: object.entity.name, objectID: object.objectID)
    }
    let draft = try copier(of: object, rules).draft(for: target)
    return try target.performAndWait { try draft.insert(into: target)[0].objectID }
  }

  /// Moves a saved object to another store: a copy is assigned to it and saved, then the object is deleted,
  /// and that is saved too.
  ///
  /// All other unsaved changes are saved with it. The delete rules of the object's relationships count, so
  /// that a cascade takes the objects along that the rules have copied; whether they allow the deletion is
  /// checked first. Between the two saves the object is in both stores, and never in none. A new object is
  /// assigned to the store, one of the store stays as it is.
  ///
  /// ```swift
  /// var rules = CopyRules()
  /// rules["Department", "employees"] = .copy
  /// let archived = try context.move(department, to: archive, rules: rules)
  /// ```
  ///
  /// - Parameters:
  ///   - object: The object that moves.
  ///   - store: Where to.
  ///   - rules: Which relationships are copied along, referred to or skipped; an object of another store than
  ///     the new one cannot be referred to.
  /// - Returns: The object in its new store; its identifier is new.
  /// - Throws: as ``assign(_:to:)``, ``copy(_:rules:)`` and ``save()``; `delete-denied`. The object is where
  ///   it was then, and no copy is left.
  @discardableResult
  public func move(
    _ object: ManagedObject, to store: PersistentStoreReference, rules: CopyRules = CopyRules()
  ) throws -> ManagedObject {
    try checkOwnership(of: object, before: "moved")
    try object.checkChangeable()
    let mount = try coordinator.mounted(store)
    if object.key < 0 || object.storeIndex == mount.index {
      try assign(object, to: store)
      return object
    }
    let preview = try deletionPreview(of: [object])
    if let error = GraphStoreError.combining(preview.denials.map(\.error) + preview.failures) { throw error }
    let copies = try copies(of: object, rules)
    do {
      for copy in copies { try assign(copy, to: store) }
      try save()
    } catch {
      if copies[0].isInserted { discard(copies) }
      throw error
    }
    try delete(object)
    try save()
    return copies[0]
  }

  private func copies(of object: ManagedObject, _ rules: CopyRules) throws -> [ManagedObject] {
    try copier(of: object, rules).draft(for: self).insert(into: self)
  }

  private func copier(of object: ManagedObject, _ rules: CopyRules) throws -> ObjectCopier {
    try checkOwnership(of: object, before: "copied")
    try object.checkChangeable()
    return try ObjectCopier(of: object, in: self, by: rules)
  }

  /// Takes copies out of the context that were inserted for something that has failed: without delete rules,
  /// which would reach what the copies refer to.
  func discard(_ copies: [ManagedObject]) {
    for copy in copies {
      for relationship in copy.layout.relationships {
        if relationship.isToMany {
          try? copy.setMembers([], of: relationship)
        } else {
          try? copy.setObject(nil, of: relationship)
        }
      }
    }
    for copy in copies { copy.leave(.detached) }
    removeUnlisted()
  }
}
