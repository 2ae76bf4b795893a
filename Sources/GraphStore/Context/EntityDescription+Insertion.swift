import GraphStoreModel

extension EntityDescription {
  /// Makes a new object of an entity, as ``ManagedObjectContext/insert(entityNamed:)`` does (OBJ-040).
  ///
  /// The object is of the class that the entity names. No statement runs.
  ///
  /// - Parameters:
  ///   - name: The entity's name in the model of the context's coordinator.
  ///   - context: The context that the object belongs to from now on.
  /// - Throws: `unknown-entity`, `abstract-entity` and `class-not-found`, as there.
  @discardableResult
  public static func insertNewObject(
    forEntityName name: String, into context: ManagedObjectContext
  ) throws -> ManagedObject {
    try context.insert(entityNamed: name)
  }
}
