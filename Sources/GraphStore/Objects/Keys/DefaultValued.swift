import Foundation

/// A Swift type of attributes that has a zero: what a typed property that is not optional reads where no
/// value is stored.
///
/// ```swift
/// final class Employee: ManagedObject {
///   enum Keys { static let salary = AttributeKey<Employee, Decimal>("salary") }
///   var salary: Decimal { get { self[default: Keys.salary] } set { self[Keys.salary] = newValue } }
/// }
/// ```
public protocol DefaultValued: AttributeValue {
  /// 0, false, the empty text, no bytes, the reference date, or the UUID of zeros.
  static var _defaultValue: Self { get }
}

extension FetchableObject where Self: ManagedObject {
  /// The value of an attribute, or the zero of its type where there is none.
  ///
  /// Reading stores nothing: the value is still missing for ``ManagedObject/value(forKey:)``, validation and
  /// fetches. Costs what the optional form costs.
  public subscript<Element: DefaultValued>(default key: AttributeKey<Self, Element>) -> Element {
    @inlinable
    @inline(__always)
    get { Element._value(of: self, at: key) ?? Element._defaultValue }
  }
}

extension Int16: DefaultValued {
  /// 0.
  @inlinable public static var _defaultValue: Int16 { 0 }
}

extension Int32: DefaultValued {
  /// 0.
  @inlinable public static var _defaultValue: Int32 { 0 }
}

extension Int64: DefaultValued {
  /// 0.
  @inlinable public static var _defaultValue: Int64 { 0 }
}

extension Int: DefaultValued {
  /// 0.
  @inlinable public static var _defaultValue: Int { 0 }
}

extension Double: DefaultValued {
  /// 0.
  @inlinable public static var _defaultValue: Double { 0 }
}

extension Float: DefaultValued {
  /// 0.
  @inlinable public static var _defaultValue: Float { 0 }
}

extension Decimal: DefaultValued {
  /// 0.
  @inlinable public static var _defaultValue: Decimal { 0 }
}

extension Bool: DefaultValued {
  /// False.
  @inlinable public static var _defaultValue: Bool { false }
}

extension String: DefaultValued {
  /// The empty text.
  @inlinable public static var _defaultValue: String { "" }
}

extension Data: DefaultValued {
  /// No bytes.
  public static var _defaultValue: Data { Data() }
}

extension Date: DefaultValued {
  /// 2001-01-01 00:00 UTC.
  public static var _defaultValue: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension UUID: DefaultValued {
  /// 00000000-0000-0000-0000-000000000000.
  public static var _defaultValue: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
