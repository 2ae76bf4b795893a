import GraphStorePredicates

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
