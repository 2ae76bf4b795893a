import Foundation

/// A typed name of an attribute, for subclasses that read and write without looking names up.
///
/// ```swift
/// final class Employee: ManagedObject {
///   static let salary = AttributeKey<Int64>("salary")
///   var salary: Int64 { get { self[Self.salary] ?? 0 } set { self[Self.salary] = newValue } }
/// }
/// ```
///
/// The property's number is remembered for the entity last used, so that access costs no dictionary.
public final class AttributeKey<Element: AttributeElement>: @unchecked Sendable {
  /// The attribute's name.
  public let name: String
  @usableFromInline let resolution: KeyResolution

  /// Names an attribute.
  public init(_ name: String) {
    self.name = name
    resolution = KeyResolution(name, Element.attributeKinds)
  }
}
