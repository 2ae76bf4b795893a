import GraphStorePredicates
import OrderedCollections

/// Mutable proxy of an unordered to-many: changing it changes the relationship, and the other ends at once.
///
/// Adding and removing members reads none. Adding a present member changes nothing; an object that leaves is
/// not deleted. A class that declares mutators for the relationship has its own called.
///
/// ```swift
/// let employees = try department.mutableSetValue(forKey: "employees")
/// try employees.insert(employee)
/// print(employees.count, employee.department == department)
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

  /// Adds objects, as one change.
  public func formUnion(_ objects: some Sequence<ManagedObject>) throws {
    try owner.addObjects(Array(objects), forKey: key)
  }

  /// Takes objects out, as one change.
  public func subtract(_ objects: some Sequence<ManagedObject>) throws {
    try owner.removeObjects(Array(objects), forKey: key)
  }

  /// Removes all members but some.
  public func formIntersection(_ objects: some Sequence<ManagedObject>) throws {
    let kept = Set(objects)
    try subtract(try members().filter { !kept.contains($0) })
  }

  /// Makes the members exactly these.
  public func setSet(_ objects: some Sequence<ManagedObject>) throws {
    try owner.setValue(Array(objects), forKey: key)
  }
}

/// Mutable proxy of an ordered to-many: changing it changes the relationship, and the other ends at once.
///
/// Appending reads no members; all that involves indexes does. A member that is added again stays where it
/// is. Indexes count from 0, and one beyond the end throws `index-out-of-range` with nothing changed.
///
/// ```swift
/// let members = try project.mutableOrderedSetValue(forKey: "members")
/// try members.append(contentsOf: department.employees)
/// try members.move(from: 0, to: members.count - 1)
/// ```
public final class MutableRelationshipOrderedSet: RelationshipOrderedSet {
  private var key: String { relationship.description.name }

  /// Adds an object at the end.
  ///
  /// - Throws: `wrong-destination`, `context-mismatch`, `object-detached`; nothing has changed then.
  public func append(_ object: ManagedObject) throws { try append(contentsOf: CollectionOfOne(object)) }

  /// Adds objects at the end, as one change.
  public func append(contentsOf objects: some Sequence<ManagedObject>) throws {
    try owner.addObjects(Array(objects), forKey: key)
  }

  /// Adds an object before the member at an index, or at the end.
  public func insert(_ object: ManagedObject, at index: Int) throws {
    try owner.insert(CollectionOfOne(object), into: relationship, at: index)
  }

  /// Adds objects before the member at an index, or at the end.
  public func insert(contentsOf objects: some Sequence<ManagedObject>, at index: Int) throws {
    try owner.insert(objects, into: relationship, at: index)
  }

  /// Takes an object out.
  public func remove(_ object: ManagedObject) throws { try owner.removeObjects([object], forKey: key) }

  /// Takes objects out, as one change.
  public func subtract(_ objects: some Sequence<ManagedObject>) throws {
    try owner.removeObjects(Array(objects), forKey: key)
  }

  /// Removes the member at an index.
  public func remove(at index: Int) throws { try owner.remove(at: index, from: relationship) }

  /// Takes all members out.
  public func removeAll() throws { try subtract(try members()) }

  /// Replaces the member at an index by an object; one that is a member already moves there.
  public func replace(at index: Int, with object: ManagedObject) throws {
    try owner.replace(at: index, in: relationship, with: object)
  }

  /// Moves a member to another index, counted once it has left its own.
  public func move(from index: Int, to destination: Int) throws {
    try owner.move(from: index, to: destination, in: relationship)
  }

  /// Moves several members so that they follow each other from an index on, in their former order.
  ///
  /// - Parameters:
  ///   - objects: The members; objects that are none are left out.
  ///   - destination: The index of the first of them afterwards.
  public func move(_ objects: some Sequence<ManagedObject>, to destination: Int) throws {
    try owner.move(objects, to: destination, in: relationship)
  }

  /// Puts the members in order by comparing them; equal ones stay in the order that they have.
  public func sort(
    by areInIncreasingOrder: (ManagedObject, ManagedObject) throws -> Bool
  ) throws {
    try owner.sort(relationship) { try $0.sorted(by: areInIncreasingOrder) }
  }

  /// Puts the members in the order of sort descriptors, as a fetch would return them; equal ones stay in the
  /// order that they have.
  ///
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` for a key path that the destination does not
  ///   have.
  public func sort(using descriptors: [QuerySortDescriptor]) throws {
    try owner.sort(relationship, using: descriptors)
  }
}

extension ManagedObject {
  /// Mutable proxy of an unordered to-many; making it reads nothing.
  ///
  /// - Throws: `unknown-key`; `wrong-property-kind` for an ordered relationship, and for what is no to-many.
  public final func mutableSetValue(forKey key: String) throws -> MutableRelationshipSet {
    MutableRelationshipSet(self, try proxied(key, isOrdered: false))
  }

  /// Mutable proxy of an ordered to-many; making it reads nothing.
  ///
  /// - Throws: `unknown-key`; `wrong-property-kind` for a relationship without an order, and for what is no
  ///   to-many.
  public final func mutableOrderedSetValue(forKey key: String) throws -> MutableRelationshipOrderedSet {
    MutableRelationshipOrderedSet(self, try proxied(key, isOrdered: true))
  }

  private func proxied(_ key: String, isOrdered: Bool) throws -> RelationshipLayout {
    checkQueue()
    try checkUsable()
    let property = try property(forKey: key)
    let wanted = isOrdered ? "an ordered to-many" : "a to-many without an order"
    let relationship = property.kind == .toMany ? layout.relationships[property.relationship] : nil
    if let relationship, relationship.isOrdered == isOrdered { return relationship }
    let isOther = relationship != nil
    throw GraphStoreError(
      .wrongPropertyKind, "\(entity.name).\(key) is not \(wanted).",
      remedy: isOther
        ? "Use \(isOrdered ? "mutableSetValue" : "mutableOrderedSetValue")(forKey:)."
        : "Use setValue(_:forKey:).",
      entity: entity.name, property: key, objectID: objectID)
  }
}
