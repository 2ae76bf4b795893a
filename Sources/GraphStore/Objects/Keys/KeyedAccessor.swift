/// Accessor that a class declares for a key, so that access by key, key paths, predicates in memory and sorts
/// use its code.
///
/// ```swift
/// final class Employee: ManagedObject {
///   var initials: String { String((self["name"] as? String ?? "").prefix(1)) }
///   override class var keyedAccessors: [KeyedAccessor] { [KeyedAccessor("initials", \Employee.initials)] }
/// }
/// ```
///
/// A computed property becomes reachable by its key that way; an accessor of a modelled property replaces the
/// generated one, and reads and writes the property itself by ``ManagedObject/primitiveValue(forKey:)`` or a
/// typed key. A store knows nothing of accessors: fetches read the stored value.
public struct KeyedAccessor: Sendable {
  /// The key.
  public let name: String
  let read: (@Sendable (ManagedObject) throws -> Any?)?
  let write: (@Sendable (ManagedObject, Any?) throws -> Void)?

  /// Declares a property that can be read; setting a modelled property uses the generated accessor.
  public init<Object: ManagedObject, Element>(_ name: String, _ path: KeyPath<Object, Element> & Sendable) {
    self.name = name
    read = { object in Self.flat(try Self.typed(object, Object.self, name)[keyPath: path]) }
    write = nil
  }

  /// Declares a property that can be read and set. Setting it to a value of another type throws `value-type`.
  public init<Object: ManagedObject, Element>(
    _ name: String, _ path: ReferenceWritableKeyPath<Object, Element> & Sendable
  ) {
    self.name = name
    read = { object in Self.flat(try Self.typed(object, Object.self, name)[keyPath: path]) }
    write = { object, value in
      let typed = try Self.typed(object, Object.self, name)
      guard let value = (value ?? Optional<Any>.none as Any) as? Element else {
        throw Self.wrongValue(value, Element.self, of: object, name)
      }
      typed[keyPath: path] = value
    }
  }

  /// Declares a setter; reading a modelled property uses the generated accessor.
  public init<Object: ManagedObject>(
    _ name: String, of type: Object.Type, set: @escaping @Sendable (Object, Any?) throws -> Void
  ) {
    self.name = name
    read = nil
    write = { object, value in try set(Self.typed(object, type, name), value) }
  }

  /// A value of which nil is nil, for any type of property.
  private static func flat(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalValue else { return value }
    return optional.wrapped
  }

  static func typed<Object: ManagedObject>(
    _ object: ManagedObject, _ type: Object.Type, _ name: String
  ) throws -> Object {
    if let typed = object as? Object { return typed }
    throw GraphStoreError(
      .classMismatch,
      "The accessor of \(object.entity.name).\(name) is one of \(type), not of \(Swift.type(of: object)).",
      remedy: "Declare it with a key path of the class itself, or of one above it.",
      entity: object.entity.name,
      property: name)
  }

  private static func wrongValue(
    _ value: Any?, _ type: Any.Type, of object: ManagedObject, _ name: String
  ) -> GraphStoreError {
    let given = value.map { "\(Swift.type(of: $0))" } ?? "nil"
    return GraphStoreError(
      .valueType, "\(object.entity.name).\(name) takes a value of type \(type), not \(given).",
      remedy: "Give a value of that type.", entity: object.entity.name, property: name,
      objectID: object.objectID)
  }
}

/// A value that may be missing, seen without its type.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { flatMap { ($0 as? any OptionalValue)?.wrapped ?? $0 } }
}
