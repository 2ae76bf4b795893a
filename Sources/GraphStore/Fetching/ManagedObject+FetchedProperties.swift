import GraphStoreModel
import GraphStorePredicates

extension ManagedObject {
  /// The objects of a fetched property, in the order of its sort descriptors (REL-345).
  ///
  /// The first call fetches them, with the values that the object has at that moment for `$FETCH_SOURCE`; later ones give the
  /// same array without a statement, whatever has changed (REL-346), until the object is refreshed, rolled back, turned into a
  /// fault, or ``dropFetchedProperties()`` is called. ``value(forKey:)`` gives the same array.
  ///
  /// - Throws: `unknown-key`; `wrong-property-kind` for what is no fetched property; as
  ///   ``ManagedObjectContext/fetch(_:)->[ManagedObject]``, and then nothing is kept (REL-359).
  public final func fetchedObjects(forKey key: String) throws -> [ManagedObject] {
    checkQueue()
    let property = try property(forKey: key)
    guard let description = entity.properties[property.number] as? FetchedPropertyDescription else {
      throw GraphStoreError(
        .wrongPropertyKind, "\(entity.name).\(key) is no fetched property.", remedy: "Use value(forKey:).",
        entity: entity.name, property: key, objectID: objectID)
    }
    return try fetchedObjects(of: description)
  }

  /// Lets go of the arrays of all fetched properties: the next read of each fetches anew (REL-347).
  ///
  /// For objects that were never saved too, which cannot be refreshed. Nothing counts as changed by it.
  public final func dropFetchedProperties() {
    checkQueue()
    extra?.fetched = [:]
  }

  /// The description of a fetched property.
  final func fetchedProperty(_ property: PropertyLayout) -> FetchedPropertyDescription? {
    guard property.kind == .none else { return nil }
    return entity.properties[property.number] as? FetchedPropertyDescription
  }

  /// The objects of a fetched property, kept since they were fetched.
  final func fetchedObjects(of property: FetchedPropertyDescription) throws -> [ManagedObject] {
    if let kept = extra?.fetched[property.number] { return kept }
    try realize()
    try checkUsable()
    guard let context else {
      throw GraphStoreError(
        .objectDetached,
        "\(objectID.shortForm) was deleted, and \(property.name) cannot be fetched any more.",
        remedy: "Read it before the deletion is saved.", entity: entity.name, property: property.name,
        objectID: objectID)
    }
    let found = try context.fetch(FetchedPropertyRequest(owner: self, property: property).request())
    ensureExtra().fetched[property.number] = found
    context.keepsFetchedProperties = true
    return found
  }
}
