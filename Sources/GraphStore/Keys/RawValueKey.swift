/// Typed name of an attribute that holds the raw values of an enumeration, or of another type that is made of one (OBJ-031).
///
/// ```swift
/// enum Priority: Int16 { case low, high }
///
/// final class Message: ManagedObject {
///   static let priority = RawValueKey<Priority>("priority")
///   var priority: Priority? { get { self[Self.priority] } set { self[Self.priority] = newValue } }
/// }
/// ```
public struct RawValueKey<Element: RawRepresentable>: Sendable where Element.RawValue: AttributeValue {
  /// The attribute's name.
  public var name: String { rawKey.name }
  let rawKey: AttributeKey<Element.RawValue>

  /// Names an attribute of the raw value's type.
  public init(_ name: String) { rawKey = AttributeKey(name) }
}

extension ManagedObject {
  /// Reads and sets an attribute by the type that is made of its raw values.
  ///
  /// Reading gives nil for a missing value and for one that the type has no case for; ``value(_:)-(RawValueKey<Element>)``
  /// tells them apart.
  public final subscript<Element>(key: RawValueKey<Element>) -> Element? {
    get { self[key.rawKey].flatMap { Element(rawValue: $0) } }
    set { self[key.rawKey] = newValue?.rawValue }
  }

  /// The value of an attribute by the type that is made of its raw values; nil for a missing one.
  ///
  /// - Throws: `unknown-raw-value` for a stored value that the type has no case for; as ``value(forKey:)``.
  public final func value<Element>(_ key: RawValueKey<Element>) throws -> Element? {
    let stored = try queryValue(forKey: key.name)
    guard !stored.isNull else { return nil }
    if let value = self[key] { return value }
    throw GraphStoreError(
      .unknownRawValue,
      "\(entity.name).\(key.name) of \(objectID.shortForm) is \(stored), which is no \(Element.self).",
      remedy: "Add a case for it, or set another value.", entity: entity.name, property: key.name,
      objectID: objectID, value: stored)
  }
}
