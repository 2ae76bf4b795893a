import Foundation
import GraphStorePredicates

/// A Swift type in which an attribute can be read and written: integers, floating-point numbers, `Bool`, `String`,
/// `Date`, `Decimal`, `UUID`, `URL` and `Data`.
public protocol AttributeValue: ValueConvertible {
  /// The kinds of attribute that can be read as this type.
  static var _attributeKinds: _AttributeKinds { get }
  /// Reads the attribute that a key names; nil for a missing value, an unknown key or an attribute of another kind.
  static func _value(of object: ManagedObject, at key: AttributeKey<Self>) -> Self?
  /// Sets the attribute that a key names; what cannot be set is kept as an error in the object's context.
  static func _set(_ value: Self?, of object: ManagedObject, at key: AttributeKey<Self>)
}

extension AttributeValue {
  /// Sets the attribute that a key names; what cannot be set is kept as an error in the object's context.
  @inlinable
  public static func _set(_ value: Self?, of object: ManagedObject, at key: AttributeKey<Self>) {
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Int64: AttributeValue {
  /// Attributes of kind `integer`.
  public static var _attributeKinds: _AttributeKinds { .integer }

  /// Reads an integer attribute.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Int64>) -> Int64? {
    object.word(key).map { Int64(bitPattern: $0) }
  }

  /// Sets an integer attribute.
  @inlinable
  public static func _set(_ value: Int64?, of object: ManagedObject, at key: AttributeKey<Int64>) {
    if let value, object.setInPlace(value, at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Int: AttributeValue {
  /// Attributes of kind `integer`.
  public static var _attributeKinds: _AttributeKinds { .integer }

  /// Reads an integer attribute.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Int>) -> Int? {
    object.word(key).map { Int(truncatingIfNeeded: $0) }
  }

  /// Sets an integer attribute.
  @inlinable
  public static func _set(_ value: Int?, of object: ManagedObject, at key: AttributeKey<Int>) {
    if let value, object.setInPlace(Int64(value), at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Int32: AttributeValue {
  /// Attributes of kind `integer`.
  public static var _attributeKinds: _AttributeKinds { .integer }

  /// Reads an integer attribute of 32 bits or fewer.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Int32>) -> Int32? {
    object.word(key).flatMap { Int32(exactly: Int64(bitPattern: $0)) }
  }

  /// Sets an integer attribute.
  @inlinable
  public static func _set(_ value: Int32?, of object: ManagedObject, at key: AttributeKey<Int32>) {
    if let value, object.setInPlace(Int64(value), at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Int16: AttributeValue {
  /// Attributes of kind `integer`.
  public static var _attributeKinds: _AttributeKinds { .integer }

  /// Reads an integer attribute of 16 bits.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Int16>) -> Int16? {
    object.word(key).flatMap { Int16(exactly: Int64(bitPattern: $0)) }
  }

  /// Sets an integer attribute.
  @inlinable
  public static func _set(_ value: Int16?, of object: ManagedObject, at key: AttributeKey<Int16>) {
    if let value, object.setInPlace(Int64(value), at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Bool: AttributeValue {
  /// Attributes of kind `boolean`.
  public static var _attributeKinds: _AttributeKinds { .boolean }

  /// Reads a Boolean attribute.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Bool>) -> Bool? {
    object.word(key).map { $0 != 0 }
  }

  /// Sets a Boolean attribute.
  @inlinable
  public static func _set(_ value: Bool?, of object: ManagedObject, at key: AttributeKey<Bool>) {
    if let value, object.setInPlace(Int64(value ? 1 : 0), at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Double: AttributeValue {
  /// Attributes of kind `floating`.
  public static var _attributeKinds: _AttributeKinds { .floating }

  /// Reads a floating-point attribute.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Double>) -> Double? {
    object.word(key).map { Double(bitPattern: $0) }
  }

  /// Sets a floating-point attribute.
  @inlinable
  public static func _set(_ value: Double?, of object: ManagedObject, at key: AttributeKey<Double>) {
    if let value, object.setInPlace(value, at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Float: AttributeValue {
  /// Attributes of kind `floating`.
  public static var _attributeKinds: _AttributeKinds { .floating }

  /// Reads a single-precision attribute.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Float>) -> Float? {
    object.word(key).map { Float(Double(bitPattern: $0)) }
  }

  /// Sets a single-precision attribute.
  @inlinable
  public static func _set(_ value: Float?, of object: ManagedObject, at key: AttributeKey<Float>) {
    if let value, object.setInPlace(Double(value), at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Date: AttributeValue {
  /// Attributes of kind `date`.
  public static var _attributeKinds: _AttributeKinds { .date }

  /// Reads a date attribute.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Date>) -> Date? {
    object.word(key).map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
  }

  /// Sets a date attribute.
  @inlinable
  public static func _set(_ value: Date?, of object: ManagedObject, at key: AttributeKey<Date>) {
    if let value, object.setInPlace(value.timeIntervalSinceReferenceDate, at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension String: AttributeValue {
  /// Attributes of kind `string`.
  public static var _attributeKinds: _AttributeKinds { .string }

  /// Reads a string attribute; the string is made now.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<String>) -> String? {
    object.text(key)
  }

  /// Sets a string attribute.
  @inlinable
  public static func _set(_ value: String?, of object: ManagedObject, at key: AttributeKey<String>) {
    if let value, object.setInPlace(value, at: key.knownPlace) { return }
    object.set(value?.queryValue ?? .null, key)
  }
}

extension Decimal: AttributeValue {
  /// Attributes of kind `decimal`.
  public static var _attributeKinds: _AttributeKinds { .decimal }

  /// Reads a decimal attribute.
  @inlinable
  @inline(__always)
  public static func _value(of object: ManagedObject, at key: AttributeKey<Decimal>) -> Decimal? {
    object.decimal(key)
  }
}

extension UUID: AttributeValue {
  /// Attributes of kind `uuid`.
  public static var _attributeKinds: _AttributeKinds { .uuid }

  /// Reads a UUID attribute.
  public static func _value(of object: ManagedObject, at key: AttributeKey<UUID>) -> UUID? {
    if case .uuid(let value) = object.generalValue(key) { return value }
    return nil
  }
}

extension URL: AttributeValue {
  /// Attributes of kind `uri`.
  public static var _attributeKinds: _AttributeKinds { .uri }

  /// Reads a URI attribute.
  public static func _value(of object: ManagedObject, at key: AttributeKey<URL>) -> URL? {
    if case .uri(let value) = object.generalValue(key) { return value }
    return nil
  }
}

extension Data: AttributeValue {
  /// Attributes of kind `binary`.
  public static var _attributeKinds: _AttributeKinds { .binary }

  /// Reads a binary attribute.
  public static func _value(of object: ManagedObject, at key: AttributeKey<Data>) -> Data? {
    if case .data(let value) = object.generalValue(key) { return value }
    return nil
  }
}
