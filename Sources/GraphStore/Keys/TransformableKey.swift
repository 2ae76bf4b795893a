/// Typed name of a transformable or undefined attribute whose values are of one Swift type (MDL-161).
///
/// ```swift
/// final class Palette: ManagedObject {
///   static let colors = TransformableKey<[Color]>("colors")
///   var colors: [Color]? { get { self[Self.colors] } set { self[Self.colors] = newValue } }
/// }
/// ```
public struct TransformableKey<Element>: Sendable {
  /// The attribute's name.
  public let name: String

  /// Names an attribute.
  public init(_ name: String) { self.name = name }
}

extension ManagedObject {
  /// Reads and sets a transformable or undefined attribute.
  ///
  /// Reading gives nil for a missing value. What cannot be read, or is of another type, is kept in the context and thrown by
  /// its next save; reading gives nil then (OBJ-173).
  public final subscript<Element>(key: TransformableKey<Element>) -> Element? {
    get {
      checkQueue()
      do { return try value(key) } catch {
        keepDeferred(error)
        return nil
      }
    }
    set {
      checkQueue()
      do { try setStoredValue(newValue, of: try property(forKey: key.name)) } catch { keepDeferred(error) }
    }
  }

  /// The value of a transformable or undefined attribute.
  ///
  /// - Throws: `transformer-missing`, `transform-failed`; `value-type` for a value of another type; what firing a fault throws.
  public final func value<Element>(_ key: TransformableKey<Element>) throws -> Element? {
    checkQueue()
    guard let found = try storedValue(of: try property(forKey: key.name)) else { return nil }
    if let value = found as? Element { return value }
    throw GraphStoreError(
      .valueType, "\(entity.name).\(key.name) holds a value of type \(type(of: found)), not \(Element.self).",
      remedy: "Give the key the type of the transformer's values.", entity: entity.name, property: key.name,
      objectID: objectID)
  }
}
