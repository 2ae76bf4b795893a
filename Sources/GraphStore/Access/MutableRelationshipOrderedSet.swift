import GraphStorePredicates
import OrderedCollections

/// Mutable proxy of an ordered to-many: changing it changes the relationship, and the other ends at once (REL-023).
///
/// Appending reads no members; all that has to do with places does (REL-106). A member that is added again stays where it
/// is (REL-111). Places count from 0, and one beyond the end throws `index-out-of-range` with nothing changed (REL-113).
///
/// ```swift
/// let tracks = try album.mutableOrderedSetValue(forKey: "tracks")
/// try tracks.append(contentsOf: bonus)
/// try tracks.move(from: 0, to: 2)
/// ```
public final class MutableRelationshipOrderedSet: RelationshipOrderedSet {
  private var key: String { relationship.description.name }

  /// Adds an object at the end.
  ///
  /// - Throws: `wrong-destination`, `context-mismatch`, `object-detached`; nothing has changed then.
  public func append(_ object: ManagedObject) throws { try append(contentsOf: CollectionOfOne(object)) }

  /// Adds objects at the end, as one change (REL-029).
  public func append(contentsOf objects: some Sequence<ManagedObject>) throws {
    try owner.addObjects(Array(objects), forKey: key)
  }

  /// Adds an object before the member at a place, or at the end.
  public func insert(_ object: ManagedObject, at index: Int) throws {
    try owner.insert(CollectionOfOne(object), into: relationship, at: index)
  }

  /// Adds objects before the member at a place, or at the end.
  public func insert(contentsOf objects: some Sequence<ManagedObject>, at index: Int) throws {
    try owner.insert(objects, into: relationship, at: index)
  }

  /// Takes an object out.
  public func remove(_ object: ManagedObject) throws { try owner.removeObjects([object], forKey: key) }

  /// Takes objects out, as one change.
  public func subtract(_ objects: some Sequence<ManagedObject>) throws {
    try owner.removeObjects(Array(objects), forKey: key)
  }

  /// Takes out the member at a place.
  public func remove(at index: Int) throws { try owner.remove(at: index, from: relationship) }

  /// Takes all members out.
  public func removeAll() throws { try subtract(try members()) }

  /// Puts an object in the place of the member that stands there; one that is a member already moves there.
  public func replace(at index: Int, with object: ManagedObject) throws {
    try owner.replace(at: index, in: relationship, with: object)
  }

  /// Moves a member to another place, counted once it has left its own.
  public func move(from index: Int, to destination: Int) throws {
    try owner.move(from: index, to: destination, in: relationship)
  }

  /// Moves several members so that they stand one after the other from a place on, in the order in which they stood.
  ///
  /// - Parameters:
  ///   - objects: The members; objects that are none are left out.
  ///   - destination: The place of the first of them afterwards.
  public func move(_ objects: some Sequence<ManagedObject>, to destination: Int) throws {
    try owner.move(objects, to: destination, in: relationship)
  }

  /// Puts the members in order by comparing them; equal ones stay in the order that they have.
  public func sort(
    by areInIncreasingOrder: (ManagedObject, ManagedObject) throws -> Bool
  ) throws {
    try owner.sort(relationship) { try $0.sorted(by: areInIncreasingOrder) }
  }

  /// Puts the members in the order of sort descriptors, as a fetch would give them; equal ones stay in the order that they
  /// have.
  ///
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` for a key path that the destination does not have.
  public func sort(using descriptors: [QuerySortDescriptor]) throws {
    try owner.sort(relationship, using: descriptors)
  }
}
