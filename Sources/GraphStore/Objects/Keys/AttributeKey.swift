import CGraphStoreShims
import GraphStorePredicates

/// A typed name of an attribute of a class, for subclasses that read and write without looking names up, and
/// for conditions that the compiler checks (``TypedExpression``).
///
/// ```swift
/// final class Employee: ManagedObject {
///   enum Keys { static let salary = AttributeKey<Employee, Int64>("salary") }
///   var salary: Int64 { get { self[Keys.salary] ?? 0 } set { self[Keys.salary] = newValue } }
/// }
/// ```
///
/// A key belongs to its owner: an object of another class does not take it. A subclass has keys of its own
/// for what it inherits, as generated code writes them; `(manager as Employee)[Employee.Keys.salary]` does
/// without.
///
/// The property's number is remembered for the entity last used, so that access costs no dictionary. A key
/// that is a constant of its type, as above, is part of the program's data: nothing runs to make it.
public final class AttributeKey<Owner: ManagedObject, Element: AttributeValue>: @unchecked Sendable {
  /// The attribute's name in the model.
  public let propertyName: String
  /// Identity of the layout in the high half, then the property's kind, its number and its slot.
  @safe @exclusivity(unchecked) @usableFromInline var place: UInt64 = 0

  /// Names an attribute.
  @inlinable
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension AttributeKey {
  /// The cached slot for the entity last used.
  @inlinable
  @inline(__always)
  var knownPlace: UInt64 { unsafe gs_load_relaxed(&place) }
}

extension AttributeKey: TypedExpression {
  /// The attribute of the object under test.
  public var queryPath: QueryPath { QueryPath(propertyName) }

  /// One value for each object of the owner.
  public typealias PathScope = SingleValue<Owner>
  /// The type of the values.
  public typealias PathResult = Element
}

/// Typed name of an attribute that holds the raw values of an enumeration, or of another type that is made of
/// one.
///
/// ```swift
/// enum Priority: Int16 { case low, high }
///
/// final class Message: ManagedObject {
///   enum Keys { static let priority = RawValueKey<Message, Priority>("priority") }
///   var priority: Priority? { get { self[Keys.priority] } set { self[Keys.priority] = newValue } }
/// }
/// ```
public struct RawValueKey<Owner: ManagedObject, Element: RawRepresentable>: Sendable
where Element.RawValue: AttributeValue {
  /// The attribute's name in the model.
  public var propertyName: String { rawKey.propertyName }
  let rawKey: AttributeKey<Owner, Element.RawValue>

  /// Names an attribute of the raw value's type.
  public init(_ propertyName: String) { rawKey = AttributeKey(propertyName) }
}

extension RawValueKey: TypedExpression {
  /// One value for each object of the owner.
  public typealias PathScope = SingleValue<Owner>
  /// The type of the values.
  public typealias PathResult = Element

  /// The attribute of the object under test.
  public var queryPath: QueryPath { rawKey.queryPath }

  /// The raw value.
  public static func queryValue(of value: Element) -> Value { value.rawValue.queryValue.literalValue }
}

extension FetchableObject where Self: ManagedObject {
  /// Reads and sets an attribute by the type that is made of its raw values.
  ///
  /// Reading returns nil for a missing value and for one that the type has no case for; `value(_:)`
  /// distinguishes them.
  public subscript<Element>(key: RawValueKey<Self, Element>) -> Element? {
    get { self[key.rawKey].flatMap { Element(rawValue: $0) } }
    set { self[key.rawKey] = newValue?.rawValue }
  }

  /// The value of an attribute by the type that is made of its raw values; nil for a missing one.
  ///
  /// - Throws: `unknown-raw-value` for a stored value that the type has no case for; as
  ///   ``ManagedObject/value(forKey:)``.
  public func value<Element>(_ key: RawValueKey<Self, Element>) throws -> Element? {
    let stored = try queryValue(forKey: key.propertyName)
    guard !stored.isNull else { return nil }
    if let value = self[key] { return value }
    throw GraphStoreError(
      .unknownRawValue,
      "\(entity.name).\(key.propertyName) of \(objectID.shortForm) is \(stored), which is no \(Element.self).",
      remedy: "Add a case for it, or set another value.", entity: entity.name, property: key.propertyName,
      objectID: objectID, value: stored)
  }
}

/// Typed name of a transformable or undefined attribute whose values are of one Swift type.
///
/// ```swift
/// final class Palette: ManagedObject {
///   enum Keys { static let colors = TransformableKey<Palette, [String]>("colors") }
///   var colors: [String]? { get { self[Keys.colors] } set { self[Keys.colors] = newValue } }
/// }
/// ```
public struct TransformableKey<Owner: ManagedObject, Element>: Sendable {
  /// The attribute's name in the model.
  public let propertyName: String

  /// Names an attribute.
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension TransformableKey: UncomparedExpression {
  /// One value for each object of the owner.
  public typealias PathScope = SingleValue<Owner>

  /// The attribute of the object under test.
  public var queryPath: QueryPath { QueryPath(propertyName) }
}

extension FetchableObject where Self: ManagedObject {
  /// Reads and sets a transformable or undefined attribute.
  ///
  /// Reading returns nil for a missing value. The error for a value that cannot be read, or is of another
  /// type, is kept in the context and thrown by its next save; reading returns nil then.
  public subscript<Element>(key: TransformableKey<Self, Element>) -> Element? {
    get {
      checkQueue()
      do { return try value(key) } catch {
        keepDeferred(error)
        return nil
      }
    }
    set {
      checkQueue()
      do { try setStoredValue(newValue, of: try property(forKey: key.propertyName)) } catch {
        keepDeferred(error)
      }
    }
  }

  /// The value of a transformable or undefined attribute.
  ///
  /// - Throws: `transformer-missing`, `transform-failed`; `value-type` for a value of another type; what
  ///   firing a fault throws.
  public func value<Element>(_ key: TransformableKey<Self, Element>) throws -> Element? {
    checkQueue()
    guard let found = try storedValue(of: try property(forKey: key.propertyName)) else { return nil }
    if let value = found as? Element { return value }
    throw GraphStoreError(
      .valueType,
      "\(entity.name).\(key.propertyName) holds a value of type \(type(of: found)), not \(Element.self).",
      remedy: "Give the key the type of the transformer's values.", entity: entity.name,
      property: key.propertyName,
      objectID: objectID)
  }
}
