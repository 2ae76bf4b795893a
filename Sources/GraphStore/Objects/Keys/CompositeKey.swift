/// Value of a composite attribute as a type of its own: a structure with a member for each element, as
/// generated code has it.
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

/// Typed name of a composite attribute whose value is a type of its own.
///
/// ```swift
/// struct Address: CompositeValue {
///   var city: String?
///   init(elements: [String: Any?]) { city = elements["city"] as? String }
///   var elements: [String: Any?] { ["city": city] }
/// }
///
/// final class Employee: ManagedObject {
///   enum Keys { static let address = CompositeKey<Employee, Address>("address") }
///   var address: Address? { get { self[Keys.address] } set { self[Keys.address] = newValue } }
/// }
/// ```
public struct CompositeKey<Owner: ManagedObject, Element: CompositeValue>: Sendable {
  /// The attribute's name in the model.
  public let propertyName: String

  /// Names an attribute.
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension CompositeKey: CompositeSteps {
  /// One value for each object of the owner.
  public typealias PathScope = SingleValue<Owner>
  /// The type of the composite value.
  public typealias PathComposite = Element

  /// The attribute of the object under test.
  public var queryPath: QueryPath { QueryPath(propertyName) }
}

extension FetchableObject where Self: ManagedObject {
  /// Reads and sets a composite attribute; nil where no element has a value.
  ///
  /// Setting a value sets all its elements. The error for a value that cannot be read, or does not fit an
  /// element, is kept in the context and thrown by its next save; reading returns nil then.
  public subscript<Element>(key: CompositeKey<Self, Element>) -> Element? {
    get {
      checkQueue()
      do {
        guard let members = try storedValue(of: try property(forKey: key.propertyName)) else { return nil }
        if let members = members as? [String: Any?] { return Element(elements: members) }
        throw GraphStoreError(
          .valueType, "\(entity.name).\(key.propertyName) is no composite attribute.",
          remedy: "Give the key the type of the attribute.", entity: entity.name, property: key.propertyName,
          objectID: objectID)
      } catch {
        keepDeferred(error)
        return nil
      }
    }
    set {
      checkQueue()
      do { try setStoredValue(newValue?.elements, of: try property(forKey: key.propertyName)) } catch {
        keepDeferred(error)
      }
    }
  }
}
