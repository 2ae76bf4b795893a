import GraphStorePredicates

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
