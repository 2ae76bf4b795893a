/// A typed name of a to-many relationship of a class, for subclasses that read and change it without looking
/// its name up, and for conditions that the compiler checks: `Keys.employees.any.salary > 50_000`.
///
/// ```swift
/// final class Department: ManagedObject {
///   enum Keys { static let employees = ToManyKey<Department, Set<Employee>>("employees") }
///   var employees: Set<Employee> { get { self[Keys.employees] } set { self[Keys.employees] = newValue } }
/// }
/// ```
///
/// An ordered relationship is read as an `OrderedSet`. The relationship's slot is remembered for the entity
/// last used, so that finding it costs no dictionary.
public final class ToManyKey<Owner: ManagedObject, Members: MemberCollection>: @unchecked Sendable {
  /// The relationship's name in the model.
  public let propertyName: String
  /// Identity of the layout in the high half, then the property's number.
  @safe @exclusivity(unchecked) @usableFromInline var place: UInt64 = 0

  /// Names a to-many relationship.
  @inlinable
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension ToManyKey: ToManySteps {
  /// The members of each object of the owner.
  public typealias PathScope = SingleValue<Owner>
  /// The class of the members.
  public typealias PathDestination = Members.Member

  /// The relationship of the object under test.
  public var queryPath: QueryPath { QueryPath(propertyName) }
}

/// Typed name of a fetched property of a class.
///
/// ```swift
/// final class Department: ManagedObject {
///   enum Keys { static let recentHires = FetchedPropertyKey<Department, Employee>("recentHires") }
///   var recentHires: [Employee] { self[Keys.recentHires] }
/// }
/// ```
///
/// It names no part of a condition: a fetch does not evaluate fetched properties.
public struct FetchedPropertyKey<Owner: ManagedObject, Destination: ManagedObject>: Sendable {
  /// The fetched property's name in the model.
  public let propertyName: String

  /// Names a fetched property.
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension FetchableObject where Self: ManagedObject {
  /// The objects of a fetched property by a typed key, as ``ManagedObject/fetchedObjects(forKey:)`` returns
  /// them: fetched by the first call, and kept.
  ///
  /// Where that fails there are none: the error is kept in the context and thrown by its next save, and the
  /// next read tries again.
  public subscript<Destination>(key: FetchedPropertyKey<Self, Destination>) -> [Destination] {
    do { return try fetchedObjects(key) } catch {
      keepDeferred(error)
      return []
    }
  }

  /// The objects of a fetched property by a typed key.
  ///
  /// - Throws: `result-type-mismatch` for an object of another class; and as
  ///   ``ManagedObject/fetchedObjects(forKey:)``.
  public func fetchedObjects<Destination>(
    _ key: FetchedPropertyKey<Self, Destination>
  ) throws -> [Destination] {
    try fetchedObjects(forKey: key.propertyName).map { object in
      if let typed = object as? Destination { return typed }
      throw GraphStoreError(
        .resultTypeMismatch,
        "\(entity.name).\(key.propertyName) has found \(object.objectID.shortForm), a \(type(of: object)), not a "
          + "\(Destination.self).",
        remedy:
          "Name \(Destination.self) as the className of \(object.entity.name) and give it to the coordinator.",
        entity: entity.name, property: key.propertyName, objectID: object.objectID)
    }
  }
}

/// Mutators that a class declares for a to-many, which ``ManagedObject/addObjects(_:forKey:)`` and
/// ``ManagedObject/removeObjects(_:forKey:)`` call.
///
/// Changes that are made at the other end of a link call them as well, once for each link: the link is made
/// or cut whatever they do, and an error is kept for the next save. Setting the whole relationship does not
/// call them, but the setter that a ``KeyedAccessor`` declares. The mutators change the members by a
/// ``ToManyKey``, or by primitive accessors between ``ManagedObject/willChangeValue(forKey:)`` and
/// ``ManagedObject/didChangeValue(forKey:)``.
///
/// A class lists those of its relationships:
///
/// ```swift
/// final class Department: ManagedObject {
///   enum Keys { static let employees = ToManyKey<Department, Set<Employee>>("employees") }
///
///   override class var relationshipMutators: [RelationshipMutators] {
///     [
///       RelationshipMutators(
///         "employees", of: Department.self,
///         add: { $0.add($1.compactMap { $0 as? Employee }, to: Keys.employees) },
///         remove: { $0.remove($1.compactMap { $0 as? Employee }, from: Keys.employees) })
///     ]
///   }
/// }
/// ```
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
