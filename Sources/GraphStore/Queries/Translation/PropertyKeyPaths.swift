/// Names of properties by the key paths of Swift that read them: what a predicate or sort descriptor of Foundation is
/// translated by.
public struct PropertyKeyPaths: ExpressibleByDictionaryLiteral, @unchecked Sendable {
  // Every key is Sendable, which the type of a dictionary's keys cannot say.
  private let names: [AnyKeyPath: String]

  /// Takes names by key paths, the first of several by one.
  public init(dictionaryLiteral elements: (any AnyKeyPath & Sendable, String)...) {
    names = Dictionary(elements.map { ($0 as AnyKeyPath, $1) }) { first, _ in first }
  }

  /// The name of the property that a key path reads; nil for one that is not declared.
  public subscript(keyPath: AnyKeyPath) -> String? { names[keyPath] }
}

/// Type whose properties can stand in predicates and sort descriptors of Foundation.
///
/// Generated code declares this once for the class at the top of a family, with the key paths of all classes below it, and
/// for each composite structure. A class by hand does the same; a class that is inherited from can do so in a `class var`
/// that subclasses override:
///
/// ```swift
/// final class Employee: ManagedObject, KeyPathNaming {
///   static let keyPaths: PropertyKeyPaths = [\Employee.name: "name", \Employee.salary: "salary"]
/// }
/// ```
///
/// A key path has the class that it is written for: `\Employee.name` and `\Person.name` are two.
public protocol KeyPathNaming {
  /// The names of the properties of the model by key paths.
  static var keyPaths: PropertyKeyPaths { get }
}
