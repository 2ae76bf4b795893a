/// A typed name of a to-one relationship of a class, for subclasses that follow it without looking its name
/// up, and for conditions that the compiler checks: `Keys.department.name == "Sales"`.
///
/// ```swift
/// final class Employee: ManagedObject {
///   enum Keys { static let department = ToOneKey<Employee, Department>("department") }
///   var department: Department? { get { self[Keys.department] } set { self[Keys.department] = newValue } }
/// }
/// ```
///
/// The relationship's slot is remembered for the entity last used, so that following it costs no dictionary.
public final class ToOneKey<Owner: ManagedObject, Destination: ManagedObject>: @unchecked Sendable {
  /// The relationship's name in the model.
  public let propertyName: String
  /// Identity of the layout in the high half, then the property's number and its slot.
  @safe @exclusivity(unchecked) @usableFromInline var place: UInt64 = 0

  /// Names a to-one relationship.
  @inlinable
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension ToOneKey: ToOneSteps {
  /// One destination for each object of the owner.
  public typealias PathScope = SingleValue<Owner>
  /// The class of the destination.
  public typealias PathResult = Destination

  /// The relationship of the object under test.
  public var queryPath: QueryPath { QueryPath(propertyName) }
}

extension FetchableObject where Self: ManagedObject {
  /// Follows and sets a to-one by a typed key of the class.
  ///
  /// Reading returns the registered destination or a fault of it, and nil where there is none; no statement
  /// runs on an object whose values are in memory. Setting works as ``ManagedObject/setValue(_:forKey:)``. An
  /// error that neither can throw (an unknown name, a destination of another class, a store that cannot be
  /// read) is kept in the context and thrown by its next save; reading returns nil then.
  @inlinable
  public subscript<Destination: ManagedObject>(key: ToOneKey<Self, Destination>) -> Destination? {
    get {
      guard let object = unsafe follow(&key.place, key.propertyName) else { return nil }
      if let typed = object as? Destination { return typed }
      recordMismatch(object, type: Destination.self, name: key.propertyName)
      return nil
    }
    set { unsafe point(&key.place, key.propertyName, to: newValue) }
  }
}

extension ManagedObject {
  @usableFromInline
  final func follow(_ place: UnsafeMutablePointer<UInt64>, _ name: String) -> ManagedObject? {
    checkQueue()
    do {
      return try unsafe object(of: try toOne(place, name))
    } catch {
      keepDeferred(error)
      return nil
    }
  }

  @usableFromInline
  final func point(_ place: UnsafeMutablePointer<UInt64>, _ name: String, to object: ManagedObject?) {
    checkQueue()
    do {
      try unsafe setObject(object, of: try toOne(place, name))
    } catch {
      keepDeferred(error)
    }
  }

  @inline(__always)
  private final func toOne(_ place: UnsafeMutablePointer<UInt64>, _ name: String) throws -> RelationshipLayout
  {
    if let property = unsafe InlineCache.property(place, name: name, kinds: .toOne, in: layout) {
      return layout.relationships[property.relationship]
    }
    return try toOneRelationship(forKey: name)
  }

  @usableFromInline
  final func recordMismatch(_ object: ManagedObject, type: ManagedObject.Type, name: String) {
    keepDeferred(
      GraphStoreError(
        .resultTypeMismatch,
        "\(entity.name).\(name) leads to a \(Swift.type(of: object)), not to a \(type).",
        remedy: "Name \(type) as the className of \(object.entity.name) and give it to the coordinator.",
        entity: entity.name, property: name, objectID: objectID))
  }
}
