/// Mutable proxy of an unordered to-many: changing it changes the relationship, and the other ends at once (REL-023).
///
/// Adding and removing members reads none (REL-104). What is added and is there already changes nothing (REL-025); an object
/// that leaves is not deleted (REL-033). A class that declares mutators for the relationship has its own called.
///
/// ```swift
/// let friends = try person.mutableSetValue(forKey: "friends")
/// try friends.formUnion(colleagues)
/// ```
public final class MutableRelationshipSet: RelationshipSet {
  private var key: String { relationship.description.name }

  /// Adds an object.
  ///
  /// - Throws: `wrong-destination`, `context-mismatch`, `object-detached`; nothing has changed then.
  public func insert(_ object: ManagedObject) throws { try formUnion(CollectionOfOne(object)) }

  /// Takes an object out.
  public func remove(_ object: ManagedObject) throws { try subtract(CollectionOfOne(object)) }

  /// Takes all members out.
  public func removeAll() throws { try subtract(try members()) }

  /// Adds objects, as one change (REL-029).
  public func formUnion(_ objects: some Sequence<ManagedObject>) throws {
    try owner.addObjects(Array(objects), forKey: key)
  }

  /// Takes objects out, as one change.
  public func subtract(_ objects: some Sequence<ManagedObject>) throws {
    try owner.removeObjects(Array(objects), forKey: key)
  }

  /// Takes out all members but some.
  public func formIntersection(_ objects: some Sequence<ManagedObject>) throws {
    let kept = Set(objects)
    try subtract(try members().filter { !kept.contains($0) })
  }

  /// Makes the members exactly these.
  public func setSet(_ objects: some Sequence<ManagedObject>) throws {
    try owner.setValue(Array(objects), forKey: key)
  }
}
