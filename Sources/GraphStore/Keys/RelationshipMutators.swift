/// Mutators that a class declares for a to-many, which ``ManagedObject/addObjects(_:forKey:)`` and
/// ``ManagedObject/removeObjects(_:forKey:)`` go through (OBJ-185).
///
/// Changes that are made at the other end of a link call them as well, once for each link (REL-068): the link is made or
/// cut whatever they do, and an error is kept for the next save. Setting the whole relationship does not call them, but
/// the setter that a ``KeyedAccessor`` declares. The mutators change the members by a ``ToManyKey``, or by primitive accessors between ``ManagedObject/willChangeValue(forKey:)`` and
/// ``ManagedObject/didChangeValue(forKey:)``.
public struct RelationshipMutators: Sendable {
  /// The name of the relationship.
  public let name: String
  let add: @Sendable (ManagedObject, [ManagedObject]) throws -> Void
  let remove: @Sendable (ManagedObject, [ManagedObject]) throws -> Void

  /// Declares the mutators of a class.
  public init<Object: ManagedObject>(
    _ name: String, of type: Object.Type,
    add: @escaping @Sendable (Object, [ManagedObject]) throws -> Void,
    remove: @escaping @Sendable (Object, [ManagedObject]) throws -> Void
  ) {
    self.name = name
    self.add = { try add(try KeyedAccessor.typed($0, type, name), $1) }
    self.remove = { try remove(try KeyedAccessor.typed($0, type, name), $1) }
  }
}
