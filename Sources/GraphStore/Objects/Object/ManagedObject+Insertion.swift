import GraphStoreModel

extension ManagedObject {
  /// Makes a new object of the entity that the class represents, as ``ManagedObjectContext/insert(_:)`` does.
  ///
  /// ```swift
  /// let ada = try Employee(context: context)
  /// ```
  ///
  /// A class that represents several entities of one family makes objects of the topmost one. No statement
  /// runs.
  ///
  /// - Throws: `class-mismatch` when the class represents no entity, or several that are not of one family;
  ///   `abstract-entity`; `class-not-found`.
  public convenience init(context: ManagedObjectContext) throws {
    context.checkQueue()
    let layout = try context.concreteLayout(context.coordinator.layout(representedBy: Self.self))
    self.init(context.originOfInsertion(layout))
    context.register(inserted: self)
  }

  /// Makes a new object of an entity, which the context finds by its name in its own model.
  ///
  /// - Throws: `class-mismatch` when the entity is represented by another class than the one that is asked to
  ///   make the object; `unknown-entity`; `abstract-entity`; `class-not-found`.
  public convenience init(entity: EntityDescription, insertInto context: ManagedObjectContext) throws {
    context.checkQueue()
    let layout = try context.insertedLayout(named: entity.name)
    guard context.coordinator.objectClass(layout) == Self.self else {
      throw context.mismatch(of: Self.self, layout)
    }
    self.init(context.originOfInsertion(layout))
    context.register(inserted: self)
  }
}
