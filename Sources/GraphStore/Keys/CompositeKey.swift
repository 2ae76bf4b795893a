/// Value of a composite attribute as a type of its own: a structure with a member for each element, as generated code has it.
///
/// ```swift
/// struct Address: CompositeValue {
///   var city: String?
///   init(elements: [String: Any?]) { city = elements["city"] as? String }
///   var elements: [String: Any?] { ["city": city] }
/// }
/// ```
public protocol CompositeValue {
  /// Makes a value of elements by name, in the types of ``ManagedObject/value(forKey:)``.
  init(elements: [String: Any?])
  /// The elements by name; one that is left out, or nil, has no value.
  var elements: [String: Any?] { get }
}

/// Typed name of a composite attribute whose value is a type of its own (OBJ-295).
///
/// ```swift
/// final class Employee: ManagedObject {
///   static let address = CompositeKey<Address>("address")
///   var address: Address? { get { self[Self.address] } set { self[Self.address] = newValue } }
/// }
/// ```
public struct CompositeKey<Element: CompositeValue>: Sendable {
  /// The attribute's name.
  public let name: String

  /// Names an attribute.
  public init(_ name: String) { self.name = name }
}

extension ManagedObject {
  /// Reads and sets a composite attribute; nil where no element has a value.
  ///
  /// Setting a value sets all its elements (OBJ-296). What cannot be read, or does not fit an element, is kept in the context
  /// and thrown by its next save; reading gives nil then (OBJ-173).
  public final subscript<Element>(key: CompositeKey<Element>) -> Element? {
    get {
      checkQueue()
      do {
        guard let members = try storedValue(of: try property(forKey: key.name)) else { return nil }
        if let members = members as? [String: Any?] { return Element(elements: members) }
        throw GraphStoreError(
          .valueType, "\(entity.name).\(key.name) is no composite attribute.",
          remedy: "Give the key the type of the attribute.", entity: entity.name, property: key.name,
          objectID: objectID)
      } catch {
        keepDeferred(error)
        return nil
      }
    }
    set {
      checkQueue()
      do { try setStoredValue(newValue?.elements, of: try property(forKey: key.name)) } catch {
        keepDeferred(error)
      }
    }
  }
}
